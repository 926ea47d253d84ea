/** One reply that is written step by step (wire.md §6.6). */
import type { ReplyStreamOperation } from '@runbound/protocol'
import type { ActionResult, ReplyStream } from '../../context/replies.ts'
import { SdkError } from '../../errors.ts'
import { checkText } from '../calls/arguments.ts'
import type { RunParts } from './parts.ts'
import { asObject } from './trace.ts'

/** Runs the author's callback with an open reply; its return finishes the reply, its throw aborts it. */
export async function openReplyStream<T>(run: RunParts, write: (reply: ReplyStream) => Promise<T> | T): Promise<T> {
  const stream = new WireReplyStream(run)
  let value: { readonly given: T } | undefined
  await run.traced('event_reply', { stream: true }, async () => {
    try {
      value = { given: await write(stream) }
    } catch (error) {
      await stream.abort()
      throw error
    }
    return stream.finish()
  })
  if (value === undefined) throw new SdkError('stream_closed', 'The reply stream ended before its callback did.')
  return value.given
}

class WireReplyStream implements ReplyStream {
  readonly #run: RunParts
  readonly #stream_id = crypto.randomUUID()
  #text = ''
  #result: ActionResult = null
  #open = true
  /** The operation before: each waits for the answer of the last, so that texts arrive in order. */
  #before: Promise<unknown> = Promise.resolve()

  constructor(run: RunParts) {
    this.#run = run
  }

  get result(): ActionResult {
    return this.#result
  }

  async update(text: string): Promise<ActionResult> {
    if (!this.#open) {
      throw new SdkError(
        'stream_closed',
        'This reply has ended; update it inside the callback of replyStream, and await it.',
      )
    }
    checkText('reply.update', text, 'reply_stream_text')
    this.#text = text
    return this.#send('update', text)
  }

  async finish(): Promise<ActionResult> {
    this.#open = false
    // Updates without await are still part of the reply, and their failure is its failure.
    await this.#before
    this.#result = await this.#send('finish', this.#text)
    return this.#result
  }

  /** The failure that led here is what the author hears; one of the abort itself adds nothing. */
  async abort(): Promise<void> {
    this.#open = false
    if (this.#run.life.over) return
    await this.#send('abort', this.#text).catch(() => {})
  }

  #send(operation: ReplyStreamOperation, text: string): Promise<ActionResult> {
    const step = async (): Promise<ActionResult> => {
      const answer = await this.#run.calls.run('reply_stream', { stream_id: this.#stream_id, operation, text })
      return asObject(answer.result as ActionResult)
    }
    const sent = operation === 'abort' ? this.#before.then(step, step) : this.#before.then(step)
    this.#before = sent
    // The caller of update gets the rejection; without this line an unawaited one would count twice.
    sent.catch(() => {})
    return sent
  }
}
