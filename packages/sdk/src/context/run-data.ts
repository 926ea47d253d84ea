/** The data of a run: what `ctx` holds when it starts. Fields keep the names of the wire. */
import type {
  ActorContext,
  AdapterContext,
  AgentEventContext,
  AgentInput,
  AgentResources,
  AgentRunState,
  AgentRuntimeContext,
  AgentTrigger,
  ContextAccess,
  ConversationContext,
  DeliveryContext,
  EventId,
  JsonObject,
  PlatformEventOf,
  SubjectContext,
} from '@runbound/protocol'

/** The input of a run, with its text in one piece. */
export interface RunInput extends AgentInput {
  /**
   * Gives the text of the input: `text` if it is not null (an empty text counts), else the text parts of `contents`
   * joined with one space. Never fails.
   *
   * @example
   * ```ts
   * import type { RunnerContext } from '@runbound/sdk'
   *
   * export const words = (ctx: RunnerContext) => ctx.input.toText().split(/\s+/)
   * ```
   */
  toText(): string
}

/**
 * What a run is told when it starts. Valid only while the run lasts. Prefer the stable properties; `event.data` and
 * `adapter.extra` carry what has none.
 */
export interface RunData<Config = JsonObject, E extends EventId = EventId> {
  /** Id of this run, a different one for each run. */
  readonly run_id: string
  /** What started the run: type, source and time. A debug run has another `source` than a platform event. */
  readonly trigger: AgentTrigger
  /** The event's envelope: id, type, source, time (epoch seconds) and raw data. */
  readonly event: AgentEventContext
  /**
   * The platform's event in the shape of its type. Throws SdkError `no_platform_event` where `event.data` is none
   * (an `interaction.submitted` event, or a debug run without one).
   */
  readonly platform_event: PlatformEventOf<E>
  /** Conversation, thread, bot and workspace ids; null for an event that belongs to no conversation. */
  readonly conversation: ConversationContext | null
  /** Who caused the event; null when nobody did. */
  readonly actor: ActorContext | null
  /** The message, group or other object that the event is about; null when there is none. */
  readonly subject: SubjectContext | null
  /** Text, structured contents and attachments of the current message; `input.interaction` after a form was answered. */
  readonly input: RunInput
  /** Where answers go, and whether the platform can stream, edit and react. */
  readonly delivery: DeliveryContext
  /** Models, tools, knowledge bases, skills and storage that this run was granted, and nothing else. */
  readonly resources: AgentResources
  /** The conversation's cursors, the inline policy and `available_apis`: the flag of each API says whether a call succeeds. */
  readonly context: ContextAccess
  /** What each state scope held when the run started. A `stateSet` does not change it. */
  readonly state: AgentRunState
  /** Host version, trace id and deadline (`deadline_at`, epoch seconds). */
  readonly runtime: AgentRuntimeContext
  /** Settings of the agent or plugin processor that runs; the plugin's own are `ctx.host.getPluginConfig()`. */
  readonly config: Config
  /** Additional data of the entry adapter, in `adapter.extra`; null when there is none. */
  readonly adapter: AdapterContext | null
  /** Public variables of the request. */
  readonly variables: JsonObject
  /** What else the host supplies; empty when there is nothing. */
  readonly metadata: JsonObject
  /**
   * Aborts when the run is cancelled, its deadline passes, or it ends; `signal.reason` is an AgentAPIException whose
   * `details.reason` is `cancelled`, `deadline` or `run_ended`. Hand it to `fetch` and the like.
   *
   * @example
   * ```ts
   * import type { RunnerContext } from '@runbound/sdk'
   *
   * export const weather = (ctx: RunnerContext) => fetch('https://example.org/weather', { signal: ctx.signal })
   * ```
   */
  readonly signal: AbortSignal
}
