/** The author's kit: the real host with one plugin, one bot and a chat in which a test writes and reads. */
import type { Host, InstallationGrantData, OperatorGrants, Processor, ProcessorOptions } from '@runbound/host'
import type { ServablePlugin } from '@runbound/link'
import type { AdapterCapabilities } from '@runbound/platform-kit'
import type { ScriptedBot, ShownMessage } from '@runbound/platform-kit/scriptable'
import { type EventId, type JsonObject, matchesAnyEvent, type StateScope } from '@runbound/protocol'
import { checkSettingNames, chooseAgent, everythingAsked, ownConfig } from './asked.ts'
import { TestKitError } from './errors.ts'
import { whatHappened } from './explain.ts'
import type { FakeModels } from './models.ts'
import { type Speaker, speakerOf, type TestEvent } from './speaker.ts'
import { type StartedTestHost, startTestHost } from './start-test-host.ts'
import { readRunsOf, type TestRun } from './test-run.ts'
import type { FakeTools } from './tools.ts'

/** What the kit tests. */
export interface TestHostOptions {
  readonly plugin: ServablePlugin
  /** Name of the Runner that answers messages. Default: the first with usage `agent`. */
  readonly runner?: string
  /** Settings of agents and plugin processors: each Runner gets those that it declares. */
  readonly config?: JsonObject
  /** Settings of the plugin. */
  readonly settings?: JsonObject
  /** Changes to what is granted. Default: all that the Runners ask for. */
  readonly grants?: OperatorGrants
  /** Deadline, prompt, the sentence on failure and more. Default: no sentence, so that a failure is no reply. */
  readonly options?: ProcessorOptions
  /** What `setup` may do outside runs. Default: what the host allows by itself. */
  readonly installation?: InstallationGrantData
  readonly models?: FakeModels
  readonly tools?: FakeTools
  /** What the platform can do beyond plain messages, such as `{ streaming: { minIntervalMs: 20 } }`. */
  readonly platform?: Partial<AdapterCapabilities>
  /** How long to wait for a message or an end, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
}

/** A chat with a plugin. Whoever speaks is Ann (`ann`), in her private chat, unless `as` and `conversation` say otherwise. */
export interface TestHost extends Speaker {
  /**
   * The text of the next message that was not read yet, once it is complete. Rejects with TestKitError `no_reply` as soon
   * as everything has ended without one, or after `timeoutMs`; the error says what happened.
   */
  reply(): Promise<string>
  /** The same, with all that people see of it: chain, quote, chat. */
  replyMessage(): Promise<ShownMessage>
  /** Texts of all messages so far, in the order in which they appeared; waits until nothing runs any more. */
  replies(): Promise<string[]>
  /** All messages as people see them at this moment, also those that are still being written. */
  messages(): readonly ShownMessage[]
  /** Platform APIs that were called, such as `get_group_info`. */
  platformCalls(): readonly { readonly action: string; readonly params: unknown }[]
  /**
   * A made-up event straight to the agent, or to the plugin processor that declares it; the platform is simulated.
   * A `message.received` needs no more than its `message_chain`.
   */
  debug(id: EventId, event?: JsonObject): Promise<TestEvent>
  /** The newest run, once everything has ended. Rejects with TestKitError `no_run`, `not_settled`. */
  run(): Promise<TestRun>
  /** All runs, oldest first, once everything has ended. */
  runs(): Promise<TestRun[]>
  /** What a scope of state holds now for the conversation, actor or subject of the last event. */
  state(scope: StateScope): Promise<JsonObject>
  /** Lines of the plugin's own log: `setup`, faults, what it printed. */
  pluginLog(): readonly string[]
  /** Resolves once all that the events caused has ended. Rejects with TestKitError `not_settled`. */
  settled(): Promise<void>
  /** The bot of the scriptable platform, to script failures. */
  readonly bot: ScriptedBot
  /** The host itself. */
  readonly host: Host
  /** Ends what runs and closes. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a host in memory with this plugin: an agent for the Runner that answers messages, a plugin processor for each
 * Runner of usage `event`, all with the grants that they ask for.
 *
 * Rejects with TestKitError `no_runner`, `unknown_runner`, `unknown_setting`, and as the host does for settings that don't
 * fit or a plugin that does not start.
 *
 * @example
 * ```ts
 * import { definePlugin, defineRunner } from '@runbound/sdk'
 * import { createTestHost } from '@runbound/testing'
 *
 * const echo = defineRunner({
 *   name: 'echo',
 *   usages: ['agent'],
 *   capabilities: { tool_calling: true },
 *   permissions: { tools: ['call'] },
 *   run: async (ctx) => void (await ctx.reply(ctx.input.toText())),
 * })
 * const plugin = definePlugin({ author: 'acme', name: 'echo', version: '1.0.0', components: [echo] })
 *
 * const t = await createTestHost({ plugin })
 * await t.say('hi')
 * console.log(await t.reply(), (await t.run()).status)
 * await t.stop()
 * ```
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const { platform = {}, models, tools } = options
  const started = await startTestHost({
    platforms: { scriptable: platform },
    ...(models === undefined ? {} : { models }),
    ...(tools === undefined ? {} : { tools }),
  })
  try {
    return await furnish(started, options)
  } catch (error) {
    await started.stop()
    throw error
  }
}

async function furnish(started: StartedTestHost, options: TestHostOptions): Promise<TestHost> {
  const { plugin, config = {}, settings, installation: grant, timeoutMs = 5_000 } = options
  const { host } = started
  const installation = await host.plugins.inline(plugin, {
    ...(settings === undefined ? {} : { settings }),
    ...(grant === undefined ? {} : { grant }),
  })
  const runners = host.plugins.runners()
  const answering = chooseAgent(runners, options.runner)
  checkSettingNames(runners, config)
  const specOf = (runner: (typeof runners)[number]) => ({
    runner_id: runner.runner_id,
    config: ownConfig(runner, config),
    grants: everythingAsked(options.grants ?? {}),
    // What a chat user would read on failure says less than the error of `reply()`.
    options: { sentence: '', ...options.options },
  })
  const agent = answering === null ? null : await started.addAgent(specOf(answering))
  const processors: Processor[] = []
  for (const runner of runners) {
    // A Runner of both usages that answers messages as an agent must not get each of them twice.
    if (runner.manifest.usages.includes('event') && runner !== answering)
      processors.push(await started.addProcessor(specOf(runner)))
  }
  const bot = await started.addBot({ processors, ...(agent === null ? {} : { agent }) })
  return chatWith({ started, bot, agent, processors, installation_uuid: installation.installation_uuid, timeoutMs })
}

interface Furnished {
  readonly started: StartedTestHost
  readonly bot: ScriptedBot
  readonly agent: Processor | null
  readonly processors: readonly Processor[]
  readonly installation_uuid: string
  readonly timeoutMs: number
}

function chatWith({ started, bot, agent, processors, installation_uuid, timeoutMs }: Furnished): TestHost {
  const { host } = started
  const events: string[] = []
  const read = new Set<ShownMessage>()
  const taken = ({ event_id }: TestEvent) => void events.push(event_id)

  async function settled(): Promise<void> {
    const until = Date.now() + timeoutMs
    // Runs may cause further events: a plugin that fires none ends after one round.
    for (let index = 0; index < events.length; index++) {
      const event_id = events[index]
      if (event_id === undefined) continue
      try {
        await bot.settled(event_id, Math.max(1, until - Date.now()))
      } catch (cause) {
        const said = await whatHappened(host, [event_id])
        throw Object.assign(
          new TestKitError('not_settled', `Something still runs after ${timeoutMs} ms.\n${said}`, { event_id }),
          { cause },
        )
      }
    }
  }

  async function replyMessage(): Promise<ShownMessage> {
    const unread = (message: ShownMessage) => !read.has(message)
    const next = () => bot.messages.find((message) => CLOSED.has(message.state) && unread(message))
    const over = events.length === 0 ? never : settled().then(() => undefined)
    const first = await Promise.race([
      bot.waitFor(unread, timeoutMs).catch(() => undefined),
      over.catch(() => undefined),
    ])
    const message = first ?? next()
    if (message === undefined) {
      const said = await whatHappened(host, events)
      const before = read.size === 0 ? '' : ` (${read.size} were read before)`
      throw new TestKitError('no_reply', `No message came${before}.\n${said}`)
    }
    read.add(message)
    return message
  }

  function debugTarget(id: EventId): Processor {
    const takes = (processor: Processor) => {
      const runner = host.plugins.runner(processor.runner_id)
      return 'manifest' in runner && matchesAnyEvent(runner.manifest.supported_event_patterns, id)
    }
    const found = [...(agent === null ? [] : [agent]), ...processors].find(takes)
    if (found === undefined)
      throw new TestKitError('unknown_event', `No Runner of this plugin takes the event "${id}".`)
    return found
  }

  async function runs(): Promise<TestRun[]> {
    await settled()
    return readRunsOf(host, events)
  }

  const kit: TestHost = {
    ...speakerOf(bot, { person: 'ann', group: null }, taken),
    replyMessage,
    reply: async () => (await replyMessage()).text,
    async replies() {
      await settled()
      return bot.texts()
    },
    messages: () => bot.messages,
    platformCalls: () =>
      bot.calls
        .filter(({ method }) => method === 'api')
        .map(({ args }) => ({ action: String(args.action), params: args.params })),
    async debug(id, event = {}) {
      const { processor_id } = debugTarget(id)
      const { event_id } = await host.events.acceptDebug({
        processor_id,
        event_type: id,
        event,
        bot_uuid: bot.bot_uuid,
      })
      taken({ event_id, duplicate: false })
      return { event_id, duplicate: false }
    },
    runs,
    async run() {
      const last = (await runs()).at(-1)
      if (last !== undefined) return last
      throw new TestKitError('no_run', `No run was started.\n${await whatHappened(host, events)}`)
    },
    async state(scope) {
      const last = (await runs()).at(-1)
      if (last === undefined) throw new TestKitError('no_run', 'No run was started, so there is no state to look at.')
      return stateOf(host, last, scope)
    },
    pluginLog: () => host.plugins.logs(installation_uuid).map(({ text }) => text),
    settled,
    bot,
    host,
    stop: () => started.stop(),
    [Symbol.asyncDispose]: () => started.stop(),
  }
  return kit
}

const CLOSED: ReadonlySet<ShownMessage['state']> = new Set(['whole', 'finished', 'aborted'])
const never = new Promise<undefined>(() => {})

/** The scope as a run of the same event would find it now. */
async function stateOf(host: Host, run: TestRun, scope: StateScope): Promise<JsonObject> {
  const { event_id, agent_id } = run.record
  const envelope = event_id === null ? undefined : await host.events.envelope(event_id)
  if (envelope === undefined || agent_id === null) return {}
  const snapshot = await host.storage.snapshot(
    {
      workspace_uuid: envelope.workspace_uuid,
      processor_id: agent_id,
      bot_uuid: envelope.bot_uuid,
      conversation_key: host.conversations.key(envelope, 'chat'),
      actor: envelope.actor,
      subject: envelope.subject,
      debug: envelope.debug !== null,
    },
    [scope],
  )
  return snapshot[scope]
}
