/** Supervision with a scripted starter and held time: states, pauses, the circuit, replacement, and never a plugin in limbo. */
import { LinkError, type Peer } from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLogger } from '../telemetry/log.ts'
import { type Instance, type SetupState, type Starter, Supervised } from './supervised.ts'
import type { Installation, PluginStatus } from './types.ts'

const installation = (more: Partial<Installation> = {}): Installation => ({
  installation_uuid: 'i-1',
  workspace_uuid: 'w-1',
  plugin_id: 'acme/demo',
  version: '1.0.0',
  source: 'package',
  folder: '/nowhere',
  manifest: { manifest: {}, components: [], sdk: { name: 'x', version: '1' } },
  manifest_digest: 'm',
  package_digest: 'p',
  approved: true,
  installation_grant: {},
  settings: {},
  isolation: 'required',
  enabled: true,
  priority: 0,
  revision: 1,
  ...more,
})

/** A process that does what the test says. */
class Fake implements Instance {
  readonly peer: Peer
  readonly pid: number
  readonly ended: Promise<string>
  readonly settings: JsonObject[] = []
  setupState: SetupState | null = null
  stopped = 0
  #end: (how: string) => void = () => undefined
  initialising: (settings: JsonObject) => Promise<void> = async () => undefined
  stopping: () => Promise<string> = async () => 'stopped'
  pong: () => Promise<JsonObject> = async () => ({ alive: true })

  constructor(pid: number) {
    this.pid = pid
    this.peer = {
      closed: new Promise(() => undefined),
      call: (action: string) => (action === '__ping' ? this.pong() : Promise.reject(new Error(action))),
    } as unknown as Peer
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  async initialise(settings: JsonObject): Promise<void> {
    this.settings.push(settings)
    await this.initialising(settings)
  }
  async setup(): Promise<SetupState | null> {
    return this.setupState
  }
  async stop(): Promise<string> {
    this.stopped++
    return this.stopping()
  }
  /** It ends by itself. */
  die(how = 'it ended with exit code 1'): void {
    this.#end(how)
  }
}

let started: Fake[]
let next: (signal: AbortSignal) => Promise<Fake>
let states: string[]
let gone: string[]

function supervise(more: Partial<Installation> = {}): Supervised {
  const starter: Starter = {
    isolation: 'isolated',
    limits: 'none',
    start: async (_installation, signal) => {
      const one = await next(signal)
      started.push(one)
      return one
    },
    startUnknown: () => Promise.reject(new Error('not here')),
  }
  return new Supervised({
    installation: installation(more),
    starter,
    clock: { now: () => Date.now() },
    logger: createLogger({ level: 'silent' }),
    settings: ({ settings }) => settings,
    changed: ({ state }: PluginStatus) => {
      if (states.at(-1) !== state) states.push(state)
    },
    gone: (_peer, why) => gone.push(why),
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  started = []
  states = []
  gone = []
  next = async () => new Fake(started.length + 1)
})
afterEach(() => vi.useRealTimers())

const soon = () => vi.advanceTimersByTimeAsync(0)

describe('a plugin that ends by itself', () => {
  test('is started again after a pause; what comes meanwhile waits and is not refused', async () => {
    const one = supervise()
    await one.start()
    started[0]?.die()
    await soon()
    expect(one.status).toMatchObject({ state: 'backing_off', pid: null })
    expect(one.status.message).toMatch(/it ended with exit code 1; the next start is in [12] s/)
    expect(gone).toEqual(['it ended with exit code 1'])
    const waiting = one.place()
    await vi.advanceTimersByTimeAsync(1_300)
    expect(await waiting).toMatchObject({ release: expect.any(Function) })
    expect(states).toEqual(['starting', 'ready', 'backing_off', 'starting', 'ready'])
    expect(one.status).toMatchObject({ pid: 2, restarts: 1, message: null })
  })

  test('pauses grow; after eight failed starts in a row the operator decides, and a restart begins anew', async () => {
    const one = supervise()
    next = () => Promise.reject(new Error('SyntaxError: Unexpected token (at index.ts:3:1)'))
    await one.start()
    const pauses: number[] = []
    for (let failed = 1; failed < 8; failed++) {
      expect(one.status.state).toBe('backing_off')
      let waited = 0
      const { restarts } = one.status
      while (one.status.restarts === restarts) {
        await vi.advanceTimersByTimeAsync(100)
        waited += 100
      }
      pauses.push(waited)
    }
    // Adding 0 makes 0 of the -0 that a pause just under a second rounds to.
    expect(pauses.map((pause) => Math.round(Math.log2(pause / 1_000)) + 0)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(one.status).toMatchObject({ state: 'failed', restarts: 7 })
    expect(one.status.message).toBe(
      'SyntaxError: Unexpected token (at index.ts:3:1). It failed 8 times in a row and is not started again by itself; run: runbound plugin restart acme/demo',
    )
    await vi.advanceTimersByTimeAsync(600_000)
    expect(one.status.restarts).toBe(7)
    expect(await one.place()).toMatchObject({ code: 'runner.plugin_down' })
    next = async () => new Fake(9)
    await one.restart()
    expect(one.status).toMatchObject({ state: 'ready', message: null })
    started[0]?.die()
    await soon()
    expect(one.status.message).toMatch(/the next start is in [12] s/)
  })

  test('a minute of work forgives the failures before', async () => {
    const one = supervise()
    await one.start()
    for (let round = 0; round < 10; round++) {
      await vi.advanceTimersByTimeAsync(61_000)
      started.at(-1)?.die()
      await soon()
      expect(one.status.message).toMatch(/the next start is in [12] s/)
      await vi.advanceTimersByTimeAsync(1_300)
      expect(one.status.state).toBe('ready')
    }
  })

  test('while it is initialised is one failure, not two, and it is started once', async () => {
    const one = supervise()
    next = async () => {
      const fake = new Fake(1)
      fake.initialising = () =>
        new Promise((_resolve, reject) => {
          fake.die('it was ended by SIGSEGV')
          setTimeout(() => reject(new Error('the connection is gone')), 5)
        })
      return fake
    }
    const starting = one.start()
    await vi.advanceTimersByTimeAsync(10)
    await starting
    expect(one.status.message).toMatch(/its initialisation failed: the connection is gone; the next start is in [12] s/)
    next = async () => new Fake(2)
    await vi.advanceTimersByTimeAsync(1_300)
    expect(started).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(started).toHaveLength(2)
    expect(one.status).toMatchObject({ state: 'ready', restarts: 1 })
  })

  test('just after it was initialised does not leave it "starting" for ever', async () => {
    const one = supervise()
    next = async () => {
      const fake = new Fake(1)
      fake.initialising = async () => fake.die('it ended with exit code 0')
      return fake
    }
    await one.start()
    await soon()
    expect(one.status.state).toBe('backing_off')
  })

  test('while a restart waits its turn: the new start stays', async () => {
    const one = supervise()
    await one.start()
    const [first] = started
    if (first === undefined) throw new Error('nothing was started')
    // Something slow is at work when both happen.
    first.initialising = () => new Promise((resolve) => setTimeout(resolve, 100))
    const slow = one.reinitialise(installation())
    await soon()
    const restart = one.restart()
    first.die()
    await vi.advanceTimersByTimeAsync(200)
    await Promise.all([slow, restart])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(one.status).toMatchObject({ state: 'ready', pid: 2 })
    expect(await one.place()).toMatchObject({ release: expect.any(Function) })
  })
})

describe('a plugin that hangs', () => {
  test('is ended after a minute without an answer, its runs end, and it is started again', async () => {
    const one = supervise()
    await one.start()
    const [first] = started
    if (first === undefined) throw new Error('nothing was started')
    await vi.advanceTimersByTimeAsync(100_000)
    expect(one.status).toMatchObject({ state: 'ready', pid: 1 })
    first.pong = () =>
      new Promise((_resolve, reject) => setTimeout(() => reject(new LinkError('timeout', 'no answer')), 60_000))
    await vi.advanceTimersByTimeAsync(76_000)
    expect(gone).toEqual(['it did not answer for 60 seconds'])
    expect(first.stopped).toBe(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.status).toMatchObject({ state: 'ready', pid: 2 })
  })

  test('is not one that answers "unknown action", nor one under its author`s eyes', async () => {
    const old = supervise()
    await old.start()
    if (started[0] !== undefined) started[0].pong = () => Promise.reject(new Error('unknown action'))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(old.status).toMatchObject({ state: 'ready', restarts: 0 })
    const dev = supervise({ source: 'dev' })
    await dev.start()
    if (started[1] !== undefined) started[1].pong = () => Promise.reject(new LinkError('timeout', 'no answer'))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(dev.status).toMatchObject({ state: 'ready', restarts: 0 })
  })
})

describe('starting', () => {
  test('a disabled or unapproved plugin runs nothing and says what to do', async () => {
    const disabled = supervise({ enabled: false })
    await disabled.start()
    expect(disabled.status).toMatchObject({ state: 'disabled', message: null })
    const unapproved = supervise({ approved: false })
    await unapproved.start()
    expect(unapproved.status.state).toBe('not_approved')
    expect(unapproved.status.message).toMatch(/run: runbound plugin approve acme\/demo/)
    expect(started).toEqual([])
    expect(await unapproved.place()).toMatchObject({ code: 'runner.plugin_down' })
  })

  test('a start that hangs holds callers up for ten seconds at most, and says that it may come', async () => {
    const one = supervise()
    next = () => new Promise(() => undefined)
    void one.start()
    const place = one.place()
    await vi.advanceTimersByTimeAsync(9_900)
    const early = Symbol('early')
    expect(await Promise.race([place, Promise.resolve(early)])).toBe(early)
    await vi.advanceTimersByTimeAsync(200)
    expect(await place).toMatchObject({ code: 'runner.plugin_not_initialized' })
  })

  test('stopping during a pause ends it: nothing is started afterwards', async () => {
    const one = supervise()
    next = () => Promise.reject(new Error('no'))
    await one.start()
    await one.stop()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(one.status).toMatchObject({ state: 'stopped', restarts: 0 })
  })

  test('what comes during a restart waits for the new process', async () => {
    const one = supervise()
    await one.start()
    const [first] = started
    if (first === undefined) throw new Error('nothing was started')
    first.stopping = () => new Promise((resolve) => setTimeout(() => resolve('stopped'), 2_000))
    const restart = one.restart()
    await soon()
    const place = one.place()
    await vi.advanceTimersByTimeAsync(2_100)
    await restart
    expect(await place).toMatchObject({ release: expect.any(Function) })
    expect(states).toEqual(['starting', 'ready', 'starting', 'ready'])
  })
})

describe('a stop', () => {
  const never = () => new Promise<never>(() => undefined)
  /** A starter that heeds its signal, as those of processes do, and otherwise hangs. */
  const hanging = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

  test('overtakes a start that hangs, and the starts that wait behind it', async () => {
    const one = supervise()
    next = hanging
    const starts = [one.start(), one.restart(), one.restart()]
    await soon()
    await one.stop('disabled')
    await Promise.all(starts)
    expect(one.status).toMatchObject({ state: 'disabled', message: null, restarts: 0 })
    await vi.advanceTimersByTimeAsync(600_000)
    expect(one.status.state).toBe('disabled')
    // It was a stop, not a removal: a start that comes later counts.
    next = async () => new Fake(1)
    await one.restart()
    expect(one.status.state).toBe('ready')
  })

  test('overtakes an initialisation that hangs, at the start and with new settings', async () => {
    const one = supervise()
    next = async () => {
      const fake = new Fake(started.length + 1)
      fake.initialising = never
      return fake
    }
    const start = one.start()
    await soon()
    await one.stop()
    await start
    expect(started[0]?.stopped).toBe(1)
    expect(one.status).toMatchObject({ state: 'stopped', message: null })

    next = async () => new Fake(2)
    await one.start()
    const [, fake] = started
    if (fake === undefined) throw new Error('nothing was started')
    fake.initialising = never
    const settings = one.reinitialise(installation({ settings: { a: 3 } }))
    await soon()
    const restart = one.restart()
    next = async () => new Fake(3)
    await Promise.all([settings, restart])
    expect(one.status).toMatchObject({ state: 'ready', pid: 3 })
    expect(started[2]?.settings).toEqual([{ a: 3 }])
  })

  test('overtakes a new version that is loading or waits: it rejects, and its process is ended', async () => {
    const one = supervise()
    await one.start()
    const fresh = new Fake(7)
    const { promise: loaded, resolve } = Promise.withResolvers<Fake>()
    const loading = one.replace(async () => ({ installation: installation(), instance: await loaded }))
    const waiting = one.replace(() => Promise.reject(new Error('this is not asked for')))
    const both = Promise.allSettled([loading, waiting])
    await soon()
    const stop = one.stop()
    resolve(fresh)
    await stop
    expect((await both).map((one) => (one.status === 'rejected' ? one.reason.message : null))).toEqual([
      'it was stopped',
      'the plugin was stopped',
    ])
    expect(fresh.stopped).toBe(1)
    expect(one.status).toMatchObject({ state: 'stopped', pid: null })
  })

  test('for good leaves nothing that could start it again', async () => {
    const one = supervise()
    next = () => Promise.reject(new Error('no'))
    await one.start()
    expect(one.status.state).toBe('backing_off')
    const waiting = one.restart()
    await one.remove()
    next = async () => new Fake(1)
    await Promise.all([waiting, one.start(), one.restart(), one.reinitialise(installation())])
    await expect(one.replace(async () => ({ installation: installation(), instance: new Fake(2) }))).rejects.toThrow(
      'the plugin was stopped',
    )
    await vi.advanceTimersByTimeAsync(600_000)
    expect(started).toEqual([])
    expect(one.status.state).toBe('stopped')
  })
})

describe('replacing', () => {
  test('[D19] [D21] the old process is gone before the new one is initialised', async () => {
    const order: string[] = []
    const one = supervise()
    await one.start()
    const [old] = started
    if (old === undefined) throw new Error('nothing was started')
    old.stopping = async () => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      order.push('old gone')
      return 'stopped'
    }
    const fresh = new Fake(7)
    fresh.initialising = async () => void order.push('new initialised')
    const replaced = one.replace(async () => ({ installation: installation({ version: '2.0.0' }), instance: fresh }))
    await vi.advanceTimersByTimeAsync(600)
    await replaced
    expect(order).toEqual(['old gone', 'new initialised'])
    expect(one.status).toMatchObject({ state: 'ready', pid: 7, version: '2.0.0' })
    expect(gone).toEqual(['the plugin was replaced by a new version'])
  })

  test('[D23] a version that does not load changes nothing', async () => {
    const one = supervise()
    await one.start()
    await expect(one.replace(() => Promise.reject(new Error('SyntaxError')))).rejects.toThrow('SyntaxError')
    expect(one.status).toMatchObject({ state: 'ready', pid: 1 })
    expect(started[0]?.stopped).toBe(0)
    expect(states).toEqual(['starting', 'ready'])
  })
})

describe('settings and setup', () => {
  test('new settings initialise the same process again', async () => {
    const one = supervise({ settings: { a: 1 } })
    await one.start()
    await one.reinitialise(installation({ settings: { a: 2 } }))
    expect(started).toHaveLength(1)
    expect(started[0]?.settings).toEqual([{ a: 1 }, { a: 2 }])
    expect(one.status).toMatchObject({ state: 'ready', restarts: 0 })
  })

  test('a setup that fails later is in the status; the plugin goes on, and new settings clear it', async () => {
    const one = supervise()
    next = async () => {
      const fake = new Fake(1)
      fake.setupState = { state: 'running', error: null }
      return fake
    }
    await one.start()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(one.status).toMatchObject({ state: 'ready', message: null })
    const since = one.status.since
    const [fake] = started
    if (fake === undefined) throw new Error('nothing was started')
    fake.setupState = { state: 'failed', error: 'no route to the weather' }
    await vi.advanceTimersByTimeAsync(5_000)
    expect(one.status).toMatchObject({
      state: 'ready',
      message: 'its setup failed: no route to the weather; its Runners go on',
      since,
    })
    expect(one.peer).toBe(fake.peer)
    fake.setupState = { state: 'done', error: null }
    await one.reinitialise(installation())
    await vi.advanceTimersByTimeAsync(200)
    expect(one.status.message).toBeNull()
  })
})

test('a debug connection that is gone is not started by us, and says who can', async () => {
  const one = supervise({ source: 'debug' })
  await one.start()
  started[0]?.die('remote')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(started).toHaveLength(1)
  expect(one.status).toMatchObject({ state: 'stopped', restarts: 0 })
  expect(one.status.message).toMatch(/the debug connection is gone .*; start the plugin again to connect/)
})

test('a host that stops gives no places, and tells those who wait', async () => {
  const one = supervise()
  next = () => new Promise(() => undefined)
  void one.start()
  const waiting = one.place()
  await soon()
  one.takeNoRuns()
  expect(await waiting).toMatchObject({ code: 'shutting_down' })
  expect(await one.place()).toMatchObject({ code: 'shutting_down' })
})
