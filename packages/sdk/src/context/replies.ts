/** Answering the event and writing to the run's log. */
import type { JsonObject, LogLevel, MessageChainInput } from '@runbound/protocol'

/** What an action answers; its content is the host's, such as `message_id` or `status`. */
export type ActionResult = JsonObject | null

/** A reply that is still being written. */
export interface ReplyStream {
  /**
   * Shows the complete text so far: it replaces what was shown before. Resolves with the result of the action, once
   * the update before it was answered. At most 200,000 characters.
   * Fails with SdkError `stream_closed` after the callback has ended and `too_large` above the limit; with
   * AgentAPIException as any call.
   */
  update(text: string): Promise<ActionResult>
  /** Null while the reply is open; the result of finishing it afterwards. */
  readonly result: ActionResult
}

/** Replies: needs the capability `tool_calling` and the permission `tools: ['call']`. */
export interface CanReply {
  /**
   * Replies to the event with a text or a message chain; resolves with the result of the action once the platform has
   * taken it (or with `{status: 'queued', ...}` when it takes long). Default: quotes nothing; `quote_origin: true`
   * quotes the event's message. A text means the same as `callTool('event_reply', { text })`.
   *
   * Fails with PermissionDeniedError, and nothing is sent to the chat, where `event_reply` is not granted (an event without a
   * reply target never grants it); with AgentAPIException `details.reason` `delivery_failed` or `delivery_unknown` when
   * the platform refused it or nobody knows. Don't send again only because `retryable` is true.
   *
   * @example
   * ```ts
   * import { at, type CanReply, chain, text } from '@runbound/sdk'
   *
   * export async function greet(ctx: CanReply, user: string) {
   *   await ctx.reply('Hello')
   *   await ctx.reply(chain(at(user), text(' welcome!')), { quote_origin: true })
   * }
   * ```
   */
  reply(message: string | MessageChainInput, options?: { readonly quote_origin?: boolean }): Promise<ActionResult>

  /**
   * Writes one reply step by step. The callback's return finishes the reply with the last text, a throw aborts it;
   * resolves with what the callback returned. Where the platform cannot stream, one message is sent at the end; text
   * that was not shown yet is dropped on failure. At most 16 streams a run.
   *
   * Fails as {@link reply} does; also with PermissionDeniedError while `available_apis.reply_stream` is false.
   *
   * @example
   * ```ts
   * import type { CanReply } from '@runbound/sdk'
   *
   * export const count = (ctx: CanReply) =>
   *   ctx.replyStream(async (reply) => {
   *     await reply.update('one')
   *     await reply.update('one two')
   *   })
   * ```
   */
  replyStream<T>(write: (reply: ReplyStream) => Promise<T> | T): Promise<T>

  /**
   * Replies with files that `exportBoxFiles` gave: 1 to 100 ids of this run, each usable once. Resolves with the result
   * of the action. Fails as {@link reply} does, and with SdkError `invalid_argument` or `too_large` for the list.
   *
   * @example
   * ```ts
   * import type { CanReply, CanUseBox } from '@runbound/sdk'
   *
   * export async function sendReport(ctx: CanReply & CanUseBox) {
   *   const files = await ctx.exportBoxFiles()
   *   await ctx.replyFiles(files.map((file) => file.id))
   * }
   * ```
   */
  replyFiles(file_ids: readonly string[]): Promise<ActionResult>
}

/** Every Runner can do this. */
export interface CanLog {
  /**
   * Writes to the log of this run; never to the chat. Default level `info`; at most 65,536 characters.
   * Fails with SdkError `invalid_argument` for another level, `too_large` above the limit.
   *
   * @example
   * ```ts
   * import type { CanLog } from '@runbound/sdk'
   *
   * export const note = (ctx: CanLog) => ctx.log('the cache was empty', 'warning')
   * ```
   */
  log(text: string, level?: LogLevel): Promise<void>

  /**
   * Gives the UUID of the bot through which the event came. Nothing is sent.
   * Fails with SdkError `no_bot` when no bot is associated with the run.
   *
   * @example
   * ```ts
   * import type { CanLog } from '@runbound/sdk'
   *
   * export const bot = (ctx: CanLog) => ctx.getBotUuid()
   * ```
   */
  getBotUuid(): Promise<string>
}
