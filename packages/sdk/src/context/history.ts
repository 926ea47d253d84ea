/** Prompt, history, events and steering: what the run looks up about its own conversation. */
import type {
  AgentEventRecord,
  EventPage,
  HistoryPage,
  HistorySearchResult,
  JsonObject,
  Message,
  MessageChunk,
  PageDirection,
  SteeringMode,
  SteeringPullResult,
} from '@runbound/protocol'

/** Every Runner can ask, while `available_apis.prompt_get` is true. */
export interface CanGetPrompt {
  /**
   * Gives the prompt in effect for this run, as messages. Fails with PermissionDeniedError while the flag is false.
   *
   * @example
   * ```ts
   * import type { CanGetPrompt } from '@runbound/sdk'
   *
   * export const system = async (ctx: CanGetPrompt) => (await ctx.getPrompt()).filter((message) => message.role === 'system')
   * ```
   */
  getPrompt(): Promise<(Message | MessageChunk)[]>
}

/** Options of {@link CanPageHistory.historyPage}. */
export interface HistoryPageOptions {
  /** Default: the run's own; another one never widens what is seen. */
  readonly conversation_id?: string | null
  /** Only entries older than this cursor: the `prev_cursor` of a page. */
  readonly before_cursor?: string | null
  /** Only entries newer than this cursor, with `direction: 'forward'`. */
  readonly after_cursor?: string | null
  /** Default 50; the host gives at most 100. */
  readonly limit?: number
  /** Default `backward`: the newest entries. */
  readonly direction?: PageDirection
  /** True: each entry has references to its attachments. Default false. */
  readonly include_attachments?: boolean
}

/** Pages through the conversation: needs the permission `history: ['page']`. */
export interface CanPageHistory {
  /**
   * Gives a page of the messages of this conversation, those of people and those that were sent. Default: the newest 50
   * without attachments. `has_more` is true exactly while entries remain in the direction asked for.
   * Fails with PermissionDeniedError while `available_apis.history_page` is false; AgentAPIException `details.reason`
   * `invalid_cursor`.
   *
   * @example
   * ```ts
   * import type { CanPageHistory } from '@runbound/sdk'
   *
   * export async function* older(ctx: CanPageHistory) {
   *   let page = await ctx.historyPage({ limit: 20 })
   *   yield* page.items
   *   while (page.has_more && page.prev_cursor !== null) {
   *     page = await ctx.historyPage({ limit: 20, before_cursor: page.prev_cursor })
   *     yield* page.items
   *   }
   * }
   * ```
   */
  historyPage(options?: HistoryPageOptions): Promise<HistoryPage>
}

/** Searches the conversation: needs the permission `history: ['search']`. */
export interface CanSearchHistory {
  /**
   * Finds messages of this conversation whose text holds the words. Default: at most 10, not narrowed by `filters`.
   * Fails with PermissionDeniedError while `available_apis.history_search` is false.
   *
   * @example
   * ```ts
   * import type { CanSearchHistory } from '@runbound/sdk'
   *
   * export const mentions = (ctx: CanSearchHistory) => ctx.historySearch('invoice', { top_k: 3 })
   * ```
   */
  historySearch(
    query: string,
    options?: { readonly filters?: JsonObject | null; readonly top_k?: number },
  ): Promise<HistorySearchResult>
}

/** Reads one event: needs the permission `events: ['get']`. */
export interface CanGetEvents {
  /**
   * Gives the record of an event that this run can see. Fails with PermissionDeniedError while `available_apis.event_get`
   * is false; AgentAPIException `details.reason` `not_found` for any other id.
   *
   * @example
   * ```ts
   * import type { CanGetEvents, RunnerContext } from '@runbound/sdk'
   *
   * export const own = (ctx: RunnerContext & CanGetEvents) => ctx.eventGet(ctx.event.event_id)
   * ```
   */
  eventGet(event_id: string): Promise<AgentEventRecord>
}

/** Pages through the conversation's events: needs the permission `events: ['page']`. */
export interface CanPageEvents {
  /**
   * Gives a page of the events of this conversation, newest first asked for. Default: 50 of all types; `before_cursor`
   * leads to older ones. Fails with PermissionDeniedError while `available_apis.event_page` is false.
   *
   * @example
   * ```ts
   * import type { CanPageEvents } from '@runbound/sdk'
   *
   * export const edits = (ctx: CanPageEvents) => ctx.eventPage({ event_types: ['message.edited'] })
   * ```
   */
  eventPage(options?: {
    readonly conversation_id?: string | null
    readonly event_types?: readonly string[] | null
    readonly before_cursor?: string | null
    readonly limit?: number
  }): Promise<EventPage>
}

/** Takes follow-up input while the run is active: needs the capability `steering`. */
export interface CanSteer {
  /**
   * Takes input of this conversation that arrived since the run started; what is pulled is consumed, and the run may from
   * then on do only what both people may. Default: mode `all`; `one` (or `one-at-a-time`) takes a single one.
   * Fails with PermissionDeniedError while `available_apis.steering_pull` is false.
   *
   * @example
   * ```ts
   * import type { CanSteer } from '@runbound/sdk'
   *
   * export const more = async (ctx: CanSteer) => (await ctx.steeringPull({ mode: 'one' })).items[0]?.input.text
   * ```
   */
  steeringPull(options?: { readonly mode?: SteeringMode; readonly limit?: number | null }): Promise<SteeringPullResult>
}
