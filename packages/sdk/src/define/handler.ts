/** What a Runner's function may give back, and what becomes of it. */
import type { MessageChainInput, RunnerResult } from '@runbound/protocol'

/** A whole message: a text or a chain. */
export type Content = string | MessageChainInput

/** Nothing, or one message. */
export type HandlerValue = undefined | Content

/**
 * What `run` and handlers may return; anything else does not compile.
 *
 * | Given back | Becomes |
 * |---|---|
 * | nothing | the run completes |
 * | a text or a message chain | one `message.completed`, then the run completes |
 * | a promise of these | the same |
 * | an async iterable (`async function*`) | each text or chain one `message.completed`, each RunnerResult as it is |
 *
 * A `message.completed` is sent to the chat only where `ctx.delivery.automatic_reply` is true (pipelines). Agents and
 * plugin processors speak through `ctx.reply`, `ctx.replyStream` and `ctx.replyFiles`; what they give back is recorded
 * as produced, not sent.
 *
 * @example
 * ```ts
 * import { defineRunner, result } from '@runbound/sdk'
 *
 * export const value = defineRunner({ name: 'value', usages: ['agent'], run: () => 'hi' })
 * export const promise = defineRunner({ name: 'promise', usages: ['agent'], run: async () => 'hi' })
 * export const stream = defineRunner({
 *   name: 'stream',
 *   usages: ['agent'],
 *   async *run(ctx) {
 *     yield result.messageDelta(ctx.run_id, 'h')
 *     yield 'hi'
 *   },
 * })
 * ```
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement gives void
export type HandlerReturn = void | HandlerValue | Promise<void | HandlerValue> | AsyncIterable<RunnerResult | Content>
