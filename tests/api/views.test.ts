/**
 * What operators see of a message, through the typed client, which checks each answer against its schema: list, timeline,
 * event, chat, dry run, grants. And a planted secret that no reading route ever shows.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, ENDPOINTS, type Endpoint, type LiveChange } from '@runbound/api'
import { CLI_KEY_FILE } from '@runbound/host'
import { httpPlatform } from '@runbound/platform-http'
import { definePlugin, defineRunner, field, result } from '@runbound/sdk'
import { type StartedTestHost, startTestHost } from '@runbound/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const START_MS = 60_000
const SECRET = 'planted-secret-4711'

const plugin = definePlugin({
  author: 'acme',
  name: 'views',
  version: '1.0.0',
  config: { api_key: field.secret() },
  components: [
    defineRunner({
      name: 'talk',
      usages: ['agent'],
      capabilities: { tool_calling: true },
      permissions: { tools: ['call'], history: ['page'] },
      config: { token: field.secret(), greeting: field.string({ default: 'Hello' }) },
      async *run(ctx) {
        await ctx.historyPage({ conversation_id: 'person_somebody' }).catch(() => undefined)
        yield result.processorLog(ctx.run_id, 'thinking')
        yield result.messageCompleted(ctx.run_id, 'only thought')
        await ctx.reply(`${ctx.config.greeting}, ${ctx.input.toText()}`)
      },
    }),
  ],
})
const RUNNER = 'plugin:acme/views/talk'

let t: StartedTestHost
let client: Client
let folder: string
let key: string
let bot: Awaited<ReturnType<StartedTestHost['addBot']>>
let agent: Awaited<ReturnType<StartedTestHost['addAgent']>>
let event_id: string
let run_id: string
const changes: LiveChange[] = []
const watching = new AbortController()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-views-'))
  t = await startTestHost({ folder, http: { port: 0 }, adapters: { http: async () => httpPlatform } })
  const { installation_uuid } = await t.host.plugins.inline(plugin)
  key = readFileSync(join(folder, CLI_KEY_FILE), 'utf8').trim()
  client = createClient({ url: t.host.http?.url ?? '', key })
  await client.setPluginSettings({ params: { installation_uuid }, body: { api_key: SECRET } })
  await client.putBot({
    body: { name: 'secretive', platform: 'http', settings: { inbound_secret: SECRET }, enabled: false },
  })
  agent = await t.addAgent({
    runner_id: RUNNER,
    name: 'Front desk',
    config: { token: SECRET },
    grants: { event_tools: true },
  })
  bot = await t.addBot({ agent })
  const opened = Promise.withResolvers<void>()
  void (async () => {
    for await (const change of client.live(watching.signal, opened.resolve, { kinds: 'event,run' }))
      changes.push(change)
  })().catch(opened.reject)
  await opened.promise
  const accepted = await bot.say('dear zebra')
  if (accepted.status === 'refused') throw new Error(accepted.message)
  event_id = accepted.event_id
  await bot.settled(event_id)
  run_id = (await client.listRuns({ query: { event_id } })).items[0]?.run_id ?? ''
}, START_MS)
afterAll(async () => {
  watching.abort()
  await t.stop()
  rmSync(folder, { recursive: true, force: true })
}, START_MS)

test('the list of runs has names, input and time; it is found by every filter, by id and by text', async () => {
  const run = await client.getRun({ params: { run_id } })
  expect(run).toMatchObject({
    status: 'completed',
    view: {
      processor_name: agent.name,
      plugin_id: 'acme/views',
      runner_name: 'talk',
      input: 'dear zebra',
      debug: false,
    },
  })
  expect(run.view.duration_ms).toBeGreaterThanOrEqual(0)
  const { actor_id, installation_uuid } = run.view
  for (const query of [
    { bot_uuid: bot.bot_uuid },
    { processor_id: agent.processor_id },
    { installation_uuid },
    { actor_id: actor_id ?? '' },
    { status: 'completed,failed' },
    { from: run.view.created_at, until: run.view.created_at },
    { q: run_id.slice(0, 8) },
    { q: 'zebra' },
    { q: event_id },
  ])
    expect([query, (await client.listRuns({ query })).items.map((one) => one.run_id)]).toEqual([query, [run_id]])
  for (const query of [{ bot_uuid: 'another' }, { status: 'failed' }, { q: 'giraffe' }, { debug: 'true' as const }])
    expect((await client.listRuns({ query })).items).toEqual([])
})

test('the timeline tells event, wait, grant, refused call, log, what was not sent, the answer and the end', async () => {
  const { items } = await client.runTimeline({ params: { run_id }, query: { limit: 500 } })
  const seen = items.map(({ lane, type, outcome, way }) => ({ lane, type, outcome, way }))
  expect(seen).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ lane: 'event', type: 'message.received' }),
      expect.objectContaining({ lane: 'event', type: 'routed' }),
      expect.objectContaining({ lane: 'admission', outcome: 'ok' }),
      expect.objectContaining({ lane: 'grant' }),
      expect.objectContaining({ lane: 'log', type: 'processor.log' }),
      expect.objectContaining({ lane: 'reply', type: 'message.completed', way: 'not_sent' }),
      expect.objectContaining({ lane: 'reply', type: 'sent', outcome: 'ok', way: 'message' }),
      expect.objectContaining({ lane: 'run', type: 'run.completed', outcome: 'ok' }),
    ]),
  )
  const denied = items.find(({ type }) => type === 'history_page')
  expect(denied).toMatchObject({ lane: 'host', outcome: 'denied', sentence: expect.stringMatching(/\.$/) })
  expect(denied?.reason).toMatch(/denied/)
  expect(denied?.who).not.toBeNull()
  expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).sort((a, b) => a - b))
  const grant = await client.runGrant({ params: { run_id } })
  for (const line of grant.lines) expect([line.thing, line.why.endsWith('.')]).toEqual([line.thing, true])
  expect(grant.lines.find(({ thing }) => thing === 'flag:history_search')).toMatchObject({
    allowed: false,
    by: 'manifest',
    who: 'author',
  })
})

test('the event is found by text and id, with the one sentence; the chat shows who said what by which run', async () => {
  const [found] = (await client.listEvents({ query: { q: 'zebra' } })).items
  expect(found).toMatchObject({
    event_id,
    text: 'dear zebra',
    why: { answered: true },
    runs: [{ run_id, processor_name: agent.name }],
  })
  const [byId] = (await client.listEvents({ query: { q: `https://chat.example/c/1/${found?.message_id}` } })).items
  expect(byId?.event_id).toBe(event_id)
  const detail = await client.getEvent({ params: { event_id } })
  expect(detail.trail.map(({ code }) => code)).toContain('routed')
  const [chat] = (await client.listConversations({ query: { bot_uuid: bot.bot_uuid } })).items
  const conversation_key = chat?.conversation_key ?? ''
  expect(chat).toMatchObject({ messages: 2, last: { role: 'assistant', text: 'Hello, dear zebra', run_id } })
  const { items } = await client.listMessages({ params: { conversation_key } })
  expect(items.map(({ role, text }) => ({ role, text }))).toEqual([
    { role: 'assistant', text: 'Hello, dear zebra' },
    { role: 'user', text: 'dear zebra' },
  ])
  expect(items[0]).toMatchObject({ run_id, processor_name: agent.name, run_status: 'completed', how: 'message' })
  expect(changes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['event', 'run']))
  expect(changes.every(({ kind }) => kind === 'event' || kind === 'run')).toBe(true)
})

test('a dry run names the winner and every no, for stored routes and a draft, and runs nothing', async () => {
  const params = { bot_uuid: bot.bot_uuid }
  const before = (await client.listRuns()).items.length
  const stored = await client.dryRun({ params, body: { event_id } })
  expect(stored).toMatchObject({ code: 'routed', routes: [{ wins: true, processor_name: agent.name }] })
  const route = { event_pattern: 'message.received', target_type: 'agent' as const, processor_id: agent.processor_id }
  const filters = [{ field: 'message_text', operator: 'contains' as const, value: 'please' }]
  const draft = await client.dryRun({
    params,
    body: {
      event_id,
      routes: [
        { ...route, route_id: 'a', filters },
        { ...route, route_id: 'b', event_pattern: 'group.*' },
      ],
    },
  })
  expect(draft.code).toBe('filters_mismatch')
  expect(draft.routes.map(({ code, wins }) => [code, wins])).toEqual([
    ['filters_mismatch', false],
    ['pattern_mismatch', false],
  ])
  expect((await client.listRuns()).items).toHaveLength(before)
})

test("every thing of a grant has the word of manifest, operator and event; a switch changes the operator's only", async () => {
  const of = async (draft: object) => {
    const { things } = await client.explainGrant({
      body: { draft: { kind: 'agent', name: 'x', runner_id: RUNNER, ...draft }, event_id, bot_uuid: bot.bot_uuid },
    })
    return (thing: string) => things.find((one) => one.thing === thing)
  }
  const before = await of({ grants: { history: false } })
  expect(before('flag:history_page')).toMatchObject({
    allowed: false, by: 'operator', manifest: { says: 'yes' }, operator: { says: 'no' }, event: { says: 'yes' },
    switch: { grant: 'history', item: null },
  }) // biome-ignore format: one line
  expect(before('flag:history_search')).toMatchObject({
    by: 'manifest',
    manifest: { says: 'no' },
    operator: { says: 'no' },
  })
  expect(before('tool:event_reply')).toMatchObject({
    allowed: true,
    switch: { grant: 'event_tools', item: 'event_reply' },
  })
  expect((await of({ grants: { history: true } }))('flag:history_page')).toMatchObject({
    allowed: true,
    operator: { says: 'yes' },
  })
})

test('the remaining views answer in their shape', async () => {
  const { items: types } = await client.listEventTypes()
  expect(types.map(({ event_type }) => event_type)).toContain('group.member_joined')
  const { silence, reasons } = await client.listReasons()
  expect(silence).toHaveLength(15)
  for (const { code } of silence) expect(reasons.map((one) => one.code)).toContain(code)
  expect((await client.listPlatforms()).items.find(({ name }) => name === 'http')?.settings.length).toBeGreaterThan(0)
  const [installation] = (await client.listPlugins()).items
  const params = { installation_uuid: installation?.installation_uuid ?? '' }
  const { items } = await client.pluginPermissions({ params })
  expect(items.find(({ thing }) => thing === 'api:send_message')).toMatchObject({ allowed: false, own_yes: true })
  expect((await client.getPlugin({ params })).settings_schema.map(({ name }) => name)).toEqual(['api_key'])
  expect(await client.getProcessor({ params: { processor_id: agent.processor_id } })).toMatchObject({
    runner: { runner_id: RUNNER }, uses: [{ bot_uuid: bot.bot_uuid }],
  }) // biome-ignore format: one line
  expect((await client.me()).scopes).toEqual(['*'])
  const made = await client.debugEvent({
    body: { processor_id: agent.processor_id, event_type: 'message.received', event: { message_chain: [{ type: 'Plain', text: 'mock' }] },
      options: { errors: { event_reply: 'the platform is away' } } },
  }) // biome-ignore format: one line
  await expect
    .poll(async () => (await client.listRuns({ query: { event_id: made.event_id } })).items[0]?.status)
    .toBe('failed')
})

test('a bot with settings that its platform would refuse is neither compared nor stored', async () => {
  const body = {
    name: 'unreachable',
    platform: 'http',
    settings: { inbound_secret: 'x', callback_url: 'ftp://example.org' },
  }
  const refusal = { status: 422, code: 'invalid_config', at: 'settings.callback_url' }
  await expect(client.putBot({ body })).rejects.toMatchObject(refusal)
  await expect(client.compareBot({ body })).rejects.toMatchObject(refusal)
  expect((await client.listBots()).items.map(({ name }) => name)).not.toContain('unreachable')
  const { inbound_secret: _none, ...unsigned } = body.settings
  await expect(client.putBot({ body: { ...body, settings: { ...unsigned, callback_url: '' } } })).rejects.toMatchObject(
    {
      at: 'settings.inbound_secret',
    },
  )
})

test('trails say the names of processors: in the event, its list, its reason and the timeline of its run', async () => {
  const routed = `The event was handed to "${agent.name}".`
  const { trail } = await client.getEvent({ params: { event_id } })
  expect(trail.map(({ message }) => message)).toContain(routed)
  const { items } = await client.runTimeline({ params: { run_id }, query: { limit: 100 } })
  expect(items.map(({ sentence }) => sentence)).toContain(routed)
  const why = await client.why({ params: { event_id } })
  expect(why.entries.map(({ message }) => message)).toContain(routed)
  expect(JSON.stringify(why.entries.map(({ message }) => message))).not.toContain(agent.processor_id)
})

test('a planted secret never leaves by a reading route', async () => {
  const [conversation] = (await client.listConversations()).items
  const installation_uuid = (await client.listPlugins()).items[0]?.installation_uuid ?? ''
  const { items: bots } = await client.listBots()
  const ids: Readonly<Record<string, readonly string[]>> = {
    run_id: [run_id], event_id: [event_id], installation_uuid: [installation_uuid], processor_id: [agent.processor_id],
    bot_uuid: bots.map((one) => one.bot_uuid), conversation_key: [conversation?.conversation_key ?? ''],
  } // biome-ignore format: a table
  const asked = new Set<string>()
  for (const record of Object.values<Endpoint>(ENDPOINTS).filter(({ method }) => method === 'get')) {
    const name = /\{(\w+)\}/.exec(record.path)?.[1]
    for (const id of name === undefined ? [''] : (ids[name] ?? [])) {
      const path = record.path.replace(/\{\w+\}/, encodeURIComponent(id))
      const answer = await fetch(`${t.host.http?.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
      const text = await answer.text()
      // Positive control: only what was really shown proves something. A key has no sessions of its own by cookie.
      expect([path, answer.status]).toEqual([path, 200])
      expect([path, text.includes(SECRET) || text.includes(key)]).toEqual([path, false])
      asked.add(record.path)
    }
  }
  expect(asked.size).toBe(Object.values<Endpoint>(ENDPOINTS).filter(({ method }) => method === 'get').length)
  const shown = JSON.stringify([
    await client.listProcessors(),
    bots,
    await client.getPlugin({ params: { installation_uuid } }),
  ])
  expect(shown.match(/"\(set\)"/g)).toHaveLength(3)
})
