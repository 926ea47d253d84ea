/** A real host, watched from outside: what a collector gets of one message, and what a Prometheus server reads. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@runbound/host'
import { definePlugin, defineRunner, field } from '@runbound/sdk'
import { type StartedTestHost, type StartTestHostOptions, startTestHost } from '@runbound/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { type Collector, type SeenSpan, startCollector } from './collector.ts'

const SECRET = 'planted-k3y-of-the-model'
const TEXT = 'a very private sentence'
const PATIENCE = { timeout: 30_000, interval: 20 }

const plugin = definePlugin({
  author: 'acme',
  name: 'watched',
  version: '1.0.0',
  components: [
    defineRunner({
      name: 'answers',
      usages: ['agent'],
      capabilities: { tool_calling: true },
      permissions: { tools: ['call'] },
      config: { model_key: field.secret() },
      async run(ctx) {
        const text = ctx.input.toText()
        if (text.includes('hold')) await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
        if (text.includes('fail')) throw new Error(`the model refused ${ctx.config.model_key}`)
        await ctx.reply(`You said: ${text}`)
      },
    }),
  ],
})

let stop: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of stop.toReversed()) await end()
  stop = []
})

async function collector(): Promise<Collector> {
  const started = await startCollector()
  stop.push(() => started.stop())
  return started
}

type Kept = Pick<StartTestHostOptions, 'folder' | 'platforms'>

async function hostAlone(endpoint: string | null, kept: Kept = {}) {
  const lines: string[] = []
  const t = await startTestHost({
    ...kept,
    http: { port: 0 },
    logger: createLogger({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } }),
    ...(endpoint === null ? {} : { otlp: { endpoint, delayMs: 20 } }),
  })
  stop.push(() => t.stop())
  await t.host.plugins.inline(plugin)
  return { t, log: () => lines.join('') }
}

async function watchedHost(endpoint: string | null, kept: Kept = {}) {
  const { t, log } = await hostAlone(endpoint, kept)
  const agent = await t.addAgent({
    runner_id: 'plugin:acme/watched/answers',
    name: 'helper',
    config: { model_key: SECRET },
  })
  const bot = await t.addBot({ agent })
  return { t, bot, log }
}

function named(spans: readonly SeenSpan[], name: string): SeenSpan {
  const found = spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no span "${name}" among: ${spans.map((span) => span.name).join(', ')}`)
  return found
}

function parentOf(child: SeenSpan, spans: readonly SeenSpan[]): SeenSpan {
  const found = spans.find(({ spanId }) => spanId === child.parentSpanId)
  if (found === undefined) throw new Error(`the parent of "${child.name}" has not come`)
  return found
}

async function scraped(t: StartedTestHost, scopes: readonly string[] | null): Promise<Response> {
  const given =
    scopes === null ? null : await t.host.identity.keys.create({ name: 'k', scopes, expires_at: null }, ['*'])
  return fetch(`${t.host.http?.url}/metrics`, {
    headers: given === null ? {} : { authorization: `Bearer ${given.key}` },
  })
}

test('one message is one trace at the collector: event, run, call and reply under their parents; no text, no secret', async () => {
  const { endpoint, spans, body } = await collector()
  const { bot } = await watchedHost(endpoint)
  await bot.say(TEXT)
  await bot.waitFor(({ text }) => text.includes(TEXT))
  await vi.waitFor(() => named(spans(), 'run helper'), PATIENCE)
  await vi.waitFor(() => named(spans(), 'deliver message'), PATIENCE)
  const [event, run] = [named(spans(), 'receive message.received'), named(spans(), 'run helper')]
  const [call, reply] = [named(spans(), 'call call_tool'), named(spans(), 'deliver message')]
  expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([event.traceId]))
  expect(event.parentSpanId ?? '').toBe('')
  expect([run.parentSpanId, call.parentSpanId, reply.parentSpanId]).toEqual([event.spanId, run.spanId, run.spanId])
  expect(BigInt(run.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call.startTimeUnixNano))
  expect(run.attributes).toContainEqual({ key: 'runbound.run.status', value: { stringValue: 'completed' } })
  expect(run.status.code ?? 0).toBe(0)
  expect(body()).toContain('"runbound"')
  expect(body()).not.toMatch(/private sentence|planted-k3y/)
})

test('a message that waits while the host is started anew is still one trace, of two hosts', async () => {
  const { endpoint, spans } = await collector()
  const folder = mkdtempSync(join(tmpdir(), 'runbound-telemetry-'))
  stop.push(async () => rmSync(folder, { recursive: true, force: true }))
  const { t, bot } = await watchedHost(endpoint, { folder })
  await bot.say('hold on')
  await vi.waitFor(() => expect(t.host.runs.active).toBe(1), PATIENCE)
  await bot.say('and this waits')
  await vi.waitFor(() => expect(t.host.conversations.load().open).toBe(2), PATIENCE)
  await t.stop()
  const before = spans().filter(({ name }) => name === 'receive message.received')
  expect(before).toHaveLength(2)
  const { t: next } = await hostAlone(endpoint, { folder, platforms: t.platforms })
  await next.platforms.scriptable?.bot(bot.bot_uuid).waitFor(({ text }) => text.includes('this waits'))
  const answer = await vi.waitFor(() => named(spans(), 'deliver message'), PATIENCE)
  const run = await vi.waitFor(() => parentOf(answer, spans()), PATIENCE)
  expect(run).toMatchObject({ name: 'run helper', traceId: before[1]?.traceId, parentSpanId: before[1]?.spanId })
  expect(before[0]?.traceId).not.toBe(before[1]?.traceId)
})

test('a failed run is an error with its reason code; its secret stands in no log line and no span', async () => {
  const { endpoint, spans, body } = await collector()
  const { t, bot, log } = await watchedHost(endpoint)
  await bot.say('please fail')
  const run = await vi.waitFor(() => named(spans(), 'run helper'), PATIENCE)
  expect(run.status).toMatchObject({ code: 2 })
  expect(run.status.message).toMatch(/^[a-z_.]+$/)
  t.host.logger.warn({ err: new Error(`401 for ${SECRET}`) }, `tried ${SECRET}`)
  expect(log()).toContain('401 for [hidden]')
  expect(log() + body()).not.toContain('planted-k3y')
})

test('a collector that is away costs one line: messages flow on, and the host stops in time', async () => {
  const { endpoint, answer, spans } = await collector()
  answer(503)
  const { t, bot, log } = await watchedHost(endpoint)
  const dead = await watchedHost('http://127.0.0.1:9')
  for (let index = 0; index < 20; index++) {
    await Promise.all([bot.say(`hello ${index}`), dead.bot.say(`hello ${index}`)])
  }
  await Promise.all([bot, dead.bot].map((one) => one.waitFor(({ text }) => text.includes('hello 19'))))
  await vi.waitFor(() => expect(log()).toContain('collector'), PATIENCE)
  await vi.waitFor(() => expect(dead.log()).toContain('collector'), PATIENCE)
  expect(dead.log().match(/collector does not take/g)).toHaveLength(1)
  expect(spans()).toHaveLength(0)
  answer(200)
  await bot.say('once more')
  await vi.waitFor(() => expect(log()).toContain('takes traces again'), PATIENCE)
  const began = performance.now()
  await Promise.all([t.stop(), dead.t.stop()])
  expect(performance.now() - began).toBeLessThan(6_000)
}, 60_000)

test('/metrics is for the scope `metrics` alone, and counts what happened', async () => {
  const { t, bot } = await watchedHost(null)
  await bot.say('one')
  await bot.say('please fail')
  await bot.say('two')
  await bot.waitFor(({ text }) => text.includes('two'))
  await vi.waitFor(() => expect(t.host.conversations.load().open).toBe(0), PATIENCE)
  expect((await scraped(t, null)).status).toBe(401)
  expect((await scraped(t, ['read', 'operate', 'configure', 'plugins', 'chat'])).status).toBe(403)
  const answer = await scraped(t, ['metrics'])
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const text = await answer.text()
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      '# TYPE runbound_runs_total counter',
      'runbound_events_total{outcome="accepted",reason=""} 3',
      'runbound_runs_total{status="completed",processor="helper",plugin="acme/watched"} 2',
      'runbound_runs_total{status="failed",processor="helper",plugin="acme/watched"} 1',
      'runbound_run_duration_seconds_count{processor_kind="agent"} 3',
      'runbound_run_wait_seconds_count{processor_kind="agent"} 3',
      'runbound_host_calls_total{method="call_tool",outcome="ok"} 2',
      'runbound_mailbox_rows{state="active"} 0',
      'runbound_outbox_parts{state="unknown"} 0',
      'runbound_trail_total{code="routed"} 3',
      'runbound_plugin_state{plugin="acme/watched",source="inline",state="ready"} 1',
      'runbound_runs_active 0',
    ]),
  )
  expect(text).toMatch(/^runbound_deliveries_total\{status="sent",way="message"\} [23]$/m)
  expect(text).toMatch(/^process_resident_memory_bytes \d{8,}$/m)
  // A key for metrics opens nothing else.
  const { key } = await t.host.identity.keys.create({ name: 'k', scopes: ['metrics'], expires_at: null }, ['*'])
  const other = await fetch(`${t.host.http?.url}/api/v1/status`, { headers: { authorization: `Bearer ${key}` } })
  expect(other.status).toBe(403)
})
