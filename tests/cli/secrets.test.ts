/** Secrets of Runners and plugins at rest: what the database file holds, what opens where, and what a lost key does. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, type Host, startHost } from '@runbound/host'
import { definePlugin, defineRunner, field } from '@runbound/sdk'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const HUSH = 'hush-4711-of-the-processor'
const QUIET = 'quiet-0815-of-the-plugin'

function plugin(name: string, given: Record<string, unknown>[] = []) {
  const runner = (runnerName: string) =>
    defineRunner({
      name: runnerName,
      usages: ['agent'],
      config: { token: field.secret(), url: field.string() },
      run: async (ctx) => void given.push({ ...ctx.config }),
    })
  return definePlugin({
    author: 'acme',
    name,
    version: '1.0.0',
    components: [runner('talk'), runner('other')],
    config: { api_key: field.secret(), region: field.string({ default: 'eu' }) },
    setup: (host) => void given.push({ plugin: { ...host.getPluginConfig() } }),
  })
}

let folder = ''
let host: Host | undefined
const logged: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-sealed-'))
  logged.length = 0
})
afterEach(async () => {
  await host?.stop({ drainMs: 0 })
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Host> {
  host = await startHost({
    folder,
    platforms: {},
    runtime: null,
    http: { port: 0 },
    logger: createLogger({ level: 'error', destination: { write: (line) => void logged.push(line) } }),
  })
  return host
}
async function stop(): Promise<void> {
  await host?.stop({ drainMs: 0 })
  host = undefined
}

const processor = (more: object = {}) => ({
  processor_id: 'p-1',
  kind: 'agent' as const,
  name: 'Agent',
  runner_id: 'plugin:acme/one/talk',
  config: { token: HUSH, url: 'https://example.org' },
  grants: {},
  options: {},
  enabled: true,
  ...more,
})

/** Everything that lies in the data folder's database files, with its journal. */
function bytesAtRest(): string {
  return readdirSync(folder)
    .filter((name) => name.includes('.db'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
}

describe('at rest', () => {
  test('no secret of a processor or plugin is in the database, and both are there again after a restart', async () => {
    const given: Record<string, unknown>[] = []
    const first = await start()
    const { installation_uuid } = await first.plugins.inline(plugin('one', given))
    await first.plugins.setSettings(installation_uuid, { api_key: QUIET, region: 'us' })
    const { workspace_uuid } = first.identity
    await first.runs.processors.put({ ...processor(), workspace_uuid })
    expect((await first.runs.processors.get('p-1'))?.config).toEqual(processor().config)
    await stop()
    // The control: what is no secret is found by this way of looking.
    expect(bytesAtRest()).toContain('https://example.org')
    expect(bytesAtRest()).not.toContain(HUSH)
    expect(bytesAtRest()).not.toContain(QUIET)

    const again = await start()
    await again.plugins.inline(plugin('one', given))
    expect((await again.runs.processors.get('p-1'))?.config).toEqual(processor().config)
    expect((await again.runs.processors.list(workspace_uuid))[0]?.config).toEqual(processor().config)
    await expect.poll(() => given.at(-1)).toEqual({ plugin: { api_key: QUIET, region: 'us' } })
  })

  test('a version that does not know the setting keeps it sealed', async () => {
    const first = await start()
    const { installation_uuid } = await first.plugins.inline(plugin('one'))
    await first.plugins.setSettings(installation_uuid, { api_key: QUIET })
    await first.plugins.inline(definePlugin({ author: 'acme', name: 'one', version: '2.0.0', components: [] }))
    await first.plugins.inline(plugin('one'))
    expect(first.plugins.installation(installation_uuid)?.settings).toEqual({ api_key: QUIET })
    await stop()
    const again = await start()
    await again.plugins.inline(definePlugin({ author: 'acme', name: 'one', version: '2.0.0', components: [] }))
    await stop()
    expect(bytesAtRest()).not.toContain(QUIET)
  })

  test('with another key the secret is not handed out: the plugin says which one, the log names the processor', async () => {
    const first = await start()
    const { installation_uuid } = await first.plugins.inline(plugin('one'))
    await first.plugins.setSettings(installation_uuid, { api_key: QUIET })
    await first.runs.processors.put({ ...processor(), workspace_uuid: first.identity.workspace_uuid })
    await stop()
    const kept = join(folder, 'kept.key')
    cpSync(join(folder, 'secret.key'), kept)
    rmSync(join(folder, 'secret.key'))

    const other = await start()
    await expect(other.plugins.inline(plugin('one'))).rejects.toThrow(/stored secret "api_key" can't be read/)
    expect((await other.runs.processors.get('p-1'))?.config).toEqual({ url: 'https://example.org' })
    expect(logged.join('')).toMatch(/stored secret \\"token\\" of \\"Agent\\" can't be read/)
    await stop()
    // With its own key back it is all there: nothing was thrown away.
    cpSync(kept, join(folder, 'secret.key'))
    const back = await start()
    await back.plugins.inline(plugin('one'))
    expect(back.plugins.installation(installation_uuid)?.settings).toEqual({ api_key: QUIET })
  })
})

describe('the mark "(set)"', () => {
  async function put(body: object): Promise<{ status: number; body: { error?: { message: string; at?: string } } }> {
    const url = host?.http?.url ?? ''
    const key = readFileSync(join(folder, 'cli.key'), 'utf8').trim()
    const answer = await fetch(`${url}/api/v1/processors`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as never }
  }

  test('stands for the stored secret of the same Runner, and never hands it to another', async () => {
    const running = await start()
    for (const name of ['one', 'two']) await running.plugins.inline(plugin(name))
    expect(await put(processor())).toMatchObject({ status: 200, body: { config: { token: '(set)' } } })
    const marked = { token: '(set)', url: 'https://example.net' }
    expect((await put(processor({ config: marked }))).status).toBe(200)
    expect((await running.runs.processors.get('p-1'))?.config).toEqual({ token: HUSH, url: 'https://example.net' })

    for (const runner_id of ['plugin:acme/two/talk', 'plugin:acme/one/other']) {
      const refused = await put(processor({ runner_id, config: marked }))
      expect(refused.status).toBe(422)
      expect(refused.body.error).toMatchObject({
        at: 'config.token',
        message: expect.stringMatching(/"token" has no stored value here: give it/),
      })
      expect((await running.runs.processors.get('p-1'))?.runner_id).toBe('plugin:acme/one/talk')
    }
    expect((await put(processor({ runner_id: 'plugin:acme/two/talk', config: { token: 'new' } }))).status).toBe(200)
    expect((await running.runs.processors.get('p-1'))?.config).toEqual({ token: 'new' })
    // One that is new has nothing stored.
    expect((await put(processor({ processor_id: 'p-2', name: 'New', config: marked }))).status).toBe(422)
  })
})
