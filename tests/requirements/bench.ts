/** A host with its plugin on one transport, and chats in which scenes are played. */
import type { OperatorGrants, Processor, ProcessorOptions } from '@runbound/host'
import type { Accepted, IncomingEvent } from '@runbound/platform-kit'
import type { Said, ScriptedBot } from '@runbound/platform-kit/scriptable'
import type { EventId, JsonObject } from '@runbound/protocol'
import { readRun, readRunsOf, type StartedTestHost, type TestRun } from '@runbound/testing'
import { OUTCOME, type ToldError } from './plugins/play.ts'

export interface BenchParts {
  readonly transport: string
  readonly t: StartedTestHost
  restart(t: StartedTestHost): Promise<StartedTestHost>
  stop(t: StartedTestHost): Promise<void>
}

/** An agent to be, with its own bot. */
export interface ChatSpec {
  /** `probe` unless told otherwise; of another plugin as `plugin/runner`. */
  readonly runner?: string
  readonly platform?: 'plain' | 'streaming'
  readonly grants?: OperatorGrants
  readonly config?: JsonObject
  readonly options?: ProcessorOptions
  readonly scope?: 'chat' | 'member'
  readonly usage?: 'agent' | 'event'
}

/** What a scene came to. */
export interface Played {
  readonly value: unknown
  readonly error: ToldError | null
  readonly run: TestRun
  readonly event_id: string
}

export class Bench {
  readonly transport: string
  #parts: BenchParts
  #t: StartedTestHost

  constructor(parts: BenchParts) {
    this.#parts = parts
    this.transport = parts.transport
    this.#t = parts.t
  }

  get t(): StartedTestHost {
    return this.#t
  }

  /** Another host over the same data folder, as after an update; chats that were opened before go on with it. */
  async restart(): Promise<void> {
    this.#t = await this.#parts.restart(this.#t)
  }

  stop(): Promise<void> {
    return this.#parts.stop(this.#t)
  }

  /** An agent (or plugin processor) with a bot of its own, so that tests do not meet. */
  async chat(spec: ChatSpec = {}): Promise<Chat> {
    const { runner = 'probe', platform = 'plain', scope = 'chat', usage = 'agent' } = spec
    const runner_id = `plugin:runbound/${runner.includes('/') ? runner : `probe/${runner}`}`
    const given = {
      runner_id,
      config: spec.config ?? {},
      grants: { ...EVERYTHING, ...spec.grants },
      options: { sentence: '', ...spec.options },
    }
    const processor = usage === 'agent' ? await this.t.addAgent(given) : await this.t.addProcessor(given)
    const taken = usage === 'agent' ? { agent: processor } : { processors: [processor] }
    const bot = await this.t.addBot({ platform, scope, ...taken })
    return new Chat(this, processor, bot.bot_uuid, platform)
  }
}

/** Everything that an operator can grant to an ordinary processor. */
const EVERYTHING: OperatorGrants = {
  event_tools: true,
  tools: true,
  models: true,
  storage: { plugin: true, workspace: true },
}

export class Chat {
  readonly processor: Processor
  readonly bot_uuid: string
  #bench: Bench
  #platform: string

  constructor(bench: Bench, processor: Processor, bot_uuid: string, platform: string) {
    this.#bench = bench
    this.processor = processor
    this.bot_uuid = bot_uuid
    this.#platform = platform
  }

  /** What people see and do. */
  get bot(): ScriptedBot {
    const platform = this.#bench.t.platforms[this.#platform]
    if (platform === undefined) throw new TypeError(`There is no platform ${this.#platform}.`)
    return platform.bot(this.bot_uuid)
  }

  /** Writes the scene and waits until everything has ended. */
  async play(scene: string, args: JsonObject = {}, said: Said = {}): Promise<Played> {
    return this.outcome(await this.start(scene, args, said))
  }

  /** Writes the scene; answers the event's id once the host has it. */
  async start(scene: string, args: JsonObject = {}, said: Said = {}): Promise<string> {
    return acceptedId(await this.bot.say(`${scene} ${JSON.stringify(args)}`, said))
  }

  /** Hands an event in; the scene is the one of the processor's settings. */
  async emit(event: IncomingEvent['event'], more: Partial<IncomingEvent> = {}): Promise<Played> {
    return this.outcome(acceptedId(await this.bot.emit({ event, ...more })))
  }

  /** A made-up event to this processor. */
  async debug(
    event_type: EventId,
    event: JsonObject = {},
    options: { bot_uuid?: string | null } = {},
  ): Promise<Played> {
    const { processor_id } = this.processor
    const { bot_uuid = this.bot_uuid } = options
    const { event_id } = await this.#bench.t.host.events.acceptDebug({ processor_id, event_type, event, bot_uuid })
    return this.outcome(event_id)
  }

  /** A made-up message that names a scene. */
  debugScene(scene: string, args: JsonObject = {}, options: { bot_uuid?: string | null } = {}): Promise<Played> {
    const text = `${scene} ${JSON.stringify(args)}`
    return this.debug('message.received', { message_chain: [{ type: 'Plain', text }] }, options)
  }

  async settled(event_id: string): Promise<void> {
    await this.bot.settled(event_id, 15_000)
  }

  /** The run that is going on for this event. */
  async running(event_id: string): Promise<string> {
    const { host } = this.#bench.t
    for (;;) {
      const [run] = await readRunsOf(host, [event_id])
      if (run !== undefined) return run.run_id
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  run(run_id: string): Promise<TestRun> {
    return readRun(this.#bench.t.host, run_id)
  }

  /** What the run of this event told. */
  async outcome(event_id: string): Promise<Played> {
    await this.settled(event_id)
    const run = (await readRunsOf(this.#bench.t.host, [event_id])).at(-1)
    if (run === undefined) {
      const why = await this.#bench.t.host.trail.why(event_id)
      throw new Error(`No run for ${event_id}: ${why?.sentence}`)
    }
    const line = run.logs.find(({ text }) => text.startsWith(OUTCOME))
    if (line === undefined) return { value: undefined, error: null, run, event_id }
    const told: { value?: unknown; error?: ToldError } = JSON.parse(line.text.slice(OUTCOME.length))
    return { value: told.value, error: told.error ?? null, run, event_id }
  }
}

function acceptedId(answer: Accepted): string {
  if (answer.status === 'refused') throw new Error(`The host refused the event: ${answer.message}`)
  return answer.event_id
}
