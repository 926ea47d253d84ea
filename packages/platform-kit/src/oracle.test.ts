/** The oracle process: passes the contract from inside a host, and remembers through every crash of that host. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AdapterInstance, OutgoingMessage } from './adapter.ts'
import { adapterContract, type ContractPlatform } from './contract.ts'
import { type Oracle, OracleClient, oraclePlatform, spawnOracle } from './oracle.ts'
import { type RecordingServices, recordingServices } from './recording-services.ts'
import { SCRIPTABLE_DEFAULTS, sampleEvent } from './scriptable.ts'

const folders: string[] = []
async function spawned(): Promise<Oracle> {
  const folder = await mkdtemp(join(tmpdir(), 'oracle-'))
  folders.push(folder)
  return spawnOracle(folder)
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function contractPlatform(oracle: Oracle, settings: Record<string, number | boolean>): Promise<ContractPlatform> {
  const { control } = oracle
  const bot_uuid = 'contract-bot'
  const bot = { bot_uuid, adapter_name: 'oracle' }
  const armed: Promise<unknown>[] = []
  const script = (...outcomes: Parameters<typeof control.call<'script'>>[1]['outcomes']) =>
    void armed.push(control.call('script', { bot_uuid, method: 'send', outcomes }))
  // A test's script has to be there before the send: both go over their own connections.
  const definition = {
    ...oraclePlatform,
    create: (...given: Parameters<typeof oraclePlatform.create>): AdapterInstance => {
      const adapter = oraclePlatform.create(...given)
      return {
        ...adapter,
        send: async (message, signal) => {
          await Promise.all(armed.splice(0))
          return adapter.send(message, signal)
        },
      }
    },
  }
  return {
    definition,
    settings: { port: oracle.port, max_text: 200, ...settings },
    badSettings: [
      { settings: {}, field: 'port' },
      { settings: { port: 1, max_text: 0 }, field: 'max_text' },
      { settings: { port: 1, proves_delivery: 'yes' }, field: 'proves_delivery' },
    ],
    target: { target_type: 'person', target_id: 'u-1', message_id: 'm-1' },
    shown: async () =>
      (await control.call('state', { bot_uuid })).messages.map(({ text, quote_message_id }) => ({
        text,
        quote_message_id,
      })),
    deliver: async ({ what, message_id, text, key }) => {
      const reaction = () =>
        sampleEvent('message.reaction', bot, { message_id, reaction: text, is_add: what === 'reaction_added' })
      const event =
        what === 'message'
          ? sampleEvent('message.received', bot, { message_id, message_chain: [{ type: 'Plain', text }] })
          : what === 'edit'
            ? sampleEvent('message.edited', bot, { message_id, new_content: [{ type: 'Plain', text }] })
            : reaction()
      if (!(await control.call('state', { bot_uuid })).running) return
      await control.call('emit', {
        bot_uuid,
        incoming: { event, dedupe_key: key, reply_target: { target_type: 'person', target_id: 'u-1', message_id } },
      })
    },
    failures: [
      {
        kind: 'rate_limited',
        name: 'flood',
        arm: () => script({ do: 'error', kind: 'rate_limited', retryAfterMs: 20 }),
      },
      { kind: 'refused', name: 'blocked', arm: () => script({ do: 'error', kind: 'refused' }) },
    ],
    slow: (ms) => script({ do: 'delay', ms }),
    close: async () => {
      await control.call('forget', { bot_uuid })
    },
  }
}

const shared = spawned()
afterAll(async () => (await shared).stop())

adapterContract({ name: 'oracle', make: async () => contractPlatform(await shared, {}) })
adapterContract({
  name: 'oracle, streaming',
  make: async () => contractPlatform(await shared, { streaming_interval_ms: 10, proves_delivery: true }),
})

describe('oracle', () => {
  const never = new AbortController().signal
  let oracle: Oracle
  const adapters: AdapterInstance[] = []
  beforeAll(async () => {
    oracle = await spawned()
  })
  afterEach(async () => {
    for (const adapter of adapters.splice(0)) await adapter.stop()
  })
  afterAll(() => oracle.stop())

  async function host(bot_uuid: string, services: RecordingServices = recordingServices(bot_uuid), settings = {}) {
    const adapter = oraclePlatform.create({ port: oracle.port, streaming_interval_ms: 0, ...settings }, services)
    adapters.push(adapter)
    await adapter.start()
    return { adapter, services }
  }
  const message = (text: string): OutgoingMessage => ({
    target: { target_type: 'person', target_id: 'u-1' },
    chain: [
      { type: 'Plain', text },
      { type: 'At', target: 2n ** 60n, display: 'Bob' },
    ],
    delivery_key: text,
    conversation_id: null,
    run_id: 'run-1',
    part: 1,
    parts: 1,
  })

  test('a send is in the log on disk before it is answered', async () => {
    const { adapter } = await host('b-log')
    await Promise.all(Array.from({ length: 50 }, (_, index) => adapter.send(message(`m-${index}`), never)))
    const sent = (await oracle.log()).filter((entry) => entry.bot_uuid === 'b-log' && entry.what === 'sent')
    expect(sent.map((entry) => entry.message?.delivery_key)).toEqual(
      Array.from({ length: 50 }, (_, index) => `m-${index}`),
    )
    expect(sent[0]?.message?.chain[1]).toEqual({ type: 'At', target: 2n ** 60n, display: 'Bob' })
    const numbers = (await oracle.log()).map((entry) => entry.n)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  test('[D38] an event that a dying host did not confirm is delivered to the next one, with the same key', async () => {
    const first = recordingServices('b-crash')
    first.hold()
    // A host that dies: its connection breaks while the event is in its hands.
    const dying = await OracleClient.open({
      port: oracle.port,
      bot: { bot_uuid: 'b-crash', capabilities: SCRIPTABLE_DEFAULTS },
      onEvent: (incoming) => first.emit(incoming),
    })
    await dying.call('start', null)
    const accepted = oracle.control.call('say', { bot_uuid: 'b-crash', text: 'hello', said: {} })
    await expect.poll(() => first.emitted.length).toBe(1)
    dying.close()
    const { services } = await host('b-crash')
    expect(await accepted).toMatchObject({ status: 'accepted' })
    expect(services.emitted[0]?.dedupe_key).toBe(first.emitted[0]?.dedupe_key)
    const log = (await oracle.log()).filter((entry) => entry.bot_uuid === 'b-crash').map((entry) => entry.what)
    expect(log).toEqual(['connected', 'emitted', 'delivered', 'disconnected', 'connected', 'delivered', 'accepted'])
  })

  test('an event before any host runs waits; one refused for now comes again', async () => {
    const waiting = oracle.control.call('say', { bot_uuid: 'b-wait', text: 'early', said: {} })
    await expect.poll(async () => (await oracle.control.call('state', { bot_uuid: 'b-wait' })).undelivered).toBe(1)
    const services = recordingServices('b-wait')
    services.refuse({ status: 'refused', reason: 'backlog_full', message: 'later', retry: true })
    await host('b-wait', services)
    expect(await waiting).toMatchObject({ status: 'accepted' })
    expect(services.emitted).toHaveLength(2)
  })

  test('a stream is taken up by the next host, and the log has each text that was shown', async () => {
    const { adapter } = await host('b-stream')
    const opened = await adapter.openStream?.(message('s'), 'a', never)
    await opened?.stream.update('ab')
    await adapter.stop()
    const next = await host('b-stream')
    const resumed = await next.adapter.resumeStream?.({ message: message('s'), message_id: opened?.message_id ?? null })
    await resumed?.finish('abc')
    const log = (await oracle.log()).filter((entry) => entry.bot_uuid === 'b-stream' && entry.message !== undefined)
    expect(log.map((entry) => [entry.what, entry.message?.text])).toEqual([
      ['stream.opened', 'a'],
      ['stream.updated', 'ab'],
      ['stream.finished', 'abc'],
    ])
  })

  test('a platform that went away is unavailable, and calls in flight are unknown', async () => {
    const own = await spawned()
    const adapter = oraclePlatform.create({ port: own.port }, recordingServices('b-gone'))
    await adapter.start()
    await own.control.call('script', { bot_uuid: 'b-gone', method: 'send', outcomes: [{ do: 'hang' }] })
    const sending = adapter.send(message('x'), never)
    const failed = expect(sending).rejects.toMatchObject({ kind: 'unknown_outcome' })
    await expect.poll(async () => (await own.control.call('state', { bot_uuid: 'b-gone' })).running).toBe(true)
    await own.stop()
    await failed
    await expect(adapter.send(message('y'), never)).rejects.toMatchObject({ kind: 'unavailable' })
    await adapter.stop()
  })
})
