/** Requests of the other side: checks, the handler, answers, cancel, acknowledgements, the limit on work at once. */
import type { Json, JsonObject } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import { answerText, endText, errorText, frameText, requestDefect } from './envelope.ts'
import { isObject, LinkError } from './errors.ts'
import type { ReceivedFiles } from './files/received.ts'
import { OutgoingStream } from './outgoing-stream.ts'
import type { IncomingRequest, LinkFault, LinkLimits, RequestHandler, Transport } from './types.ts'

/** What the answering half needs from its peer. */
export interface RequestsOptions {
  readonly transport: Transport
  readonly handler: RequestHandler
  readonly limits: LinkLimits
  readonly files: ReceivedFiles
  readonly fault: (fault: LinkFault) => void
  /** Answers pile up unread: the connection is of no use any more. */
  readonly onStuck: (error: LinkError) => void
}

/** The answering half of a peer. */
export class Requests {
  readonly #options: RequestsOptions
  readonly #served = new Map<number, Served>()
  /** Handlers at work, cancelled ones included: a handler that ignores its signal keeps its place. */
  #working = 0
  #gone = false

  constructor(options: RequestsOptions) {
    this.#options = options
  }

  receive(envelope: JsonObject, bytes: number): void {
    const seqId = envelope.seq_id
    const defect = requestDefect(envelope)
    if (typeof seqId !== 'number' || !Number.isSafeInteger(seqId) || defect !== null) {
      const why = defect ?? 'seq_id must be an integer'
      this.#options.fault({ kind: 'invalid_request', detail: `A request is invalid: ${why}.` })
      this.refuse(seqId ?? -1, new WireError('invalid_params', `Invalid request: ${why}.`))
      return
    }
    const { action, data } = envelope
    if (typeof action !== 'string' || !isObject(data)) return
    if (action.startsWith('__') && this.#control(seqId, action, data)) return
    if (this.#served.has(seqId)) {
      this.refuse(seqId, new WireError('conflict', `seq_id ${seqId} is in use by a request that is still in work.`))
      return
    }
    const { requests } = this.#options.limits
    if (this.#working >= requests) {
      this.refuse(seqId, new WireError('busy', `Limit requests (${requests}) exceeded: too many requests in work.`))
      return
    }
    this.#serve(new Served(action, data, seqId, bytes), envelope.stream_flow_control === 1)
  }

  /** Answers with an error. */
  refuse(seqId: Json, error: unknown): void {
    this.#send(seqId, () => errorText(seqId, error))
  }

  /** The connection is gone: every handler's signal aborts. */
  closeAll(error: LinkError): void {
    this.#gone = true
    for (const served of this.#served.values()) served.abort(error)
    this.#served.clear()
  }

  #control(seqId: number, action: string, data: JsonObject): boolean {
    const run = this.#controls[action]
    if (run === undefined) return false
    try {
      const answer = run(data)
      if (answer instanceof Promise)
        answer.then(
          (value) => this.#answer(seqId, value),
          (error) => this.refuse(seqId, error),
        )
      else this.#answer(seqId, answer)
    } catch (error) {
      this.refuse(seqId, error)
    }
    return true
  }

  readonly #controls: Readonly<Record<string, (data: JsonObject) => JsonObject | Promise<JsonObject>>> = Object.assign(
    Object.create(null),
    {
      __ping: () => ({ alive: true }),
      __cancel_action: (data: JsonObject) => ({ cancelled: this.#cancel(integer(data, 'seq_id', '__cancel_action')) }),
      __stream_ack: (data: JsonObject) => {
        const index = integer(data, 'index', '__stream_ack')
        const served = this.#served.get(integer(data, 'seq_id', '__stream_ack'))
        return { accepted: served?.stream?.acknowledge(index) ?? false }
      },
      __file_chunk: (data: JsonObject) => {
        const done = this.#options.files.receive(data)
        return done === null ? {} : done.then(() => ({}))
      },
    },
  )

  #cancel(seqId: number): boolean {
    const served = this.#served.get(seqId)
    if (served === undefined) return false
    this.#served.delete(seqId)
    served.abort(new WireError('cancelled', 'The other side cancelled this request.'))
    return true
  }

  #serve(served: Served, flow: boolean): void {
    this.#served.set(served.seqId, served)
    this.#working++
    let result: ReturnType<RequestHandler>
    try {
      result = this.#options.handler(served)
    } catch (error) {
      this.#end(served, () => errorText(served.seqId, error))
      return
    }
    if (isPromise(result)) {
      result.then(
        (data) => this.#finish(served, data, flow),
        (error) => this.#end(served, () => errorText(served.seqId, error)),
      )
    } else if (isStream(result)) this.#stream(served, result, flow)
    else this.#finish(served, result, flow)
  }

  #finish(served: Served, data: JsonObject, flow: boolean): void {
    const { seqId, action } = served
    if (!isObject(data)) {
      const error = new WireError('internal', `The handler of ${action} gave no object as its answer.`)
      this.#end(served, () => errorText(seqId, error))
    } else if (flow) {
      // Asked as a stream, answered once: without an end the asker would wait for ever.
      if (this.#served.get(seqId) === served) this.#send(seqId, () => frameText(seqId, 1, data))
      this.#end(served, () => endText(seqId))
    } else this.#end(served, () => answerText(seqId, data))
  }

  #stream(served: Served, items: AsyncIterable<JsonObject>, flow: boolean): void {
    const { seqId } = served
    const send = (text: string): Promise<void> | null =>
      this.#served.get(seqId) === served ? this.#send(seqId, () => text) : null
    let stream: OutgoingStream
    try {
      stream = new OutgoingStream(items, seqId, flow, this.#options.limits.frameBytes, send)
    } catch (error) {
      this.#end(served, () => errorText(seqId, error))
      return
    }
    served.stream = stream
    void stream.run().then(() => this.#leave(served))
  }

  /** Answers, unless it was cancelled: a cancelled request gets no answer (wire.md §1.9). */
  #end(served: Served, text: () => string): void {
    if (this.#served.get(served.seqId) === served) this.#send(served.seqId, text)
    this.#leave(served)
  }

  #leave(served: Served): void {
    if (this.#served.get(served.seqId) === served) this.#served.delete(served.seqId)
    this.#working--
  }

  #answer(seqId: number, data: JsonObject): void {
    this.#send(seqId, () => answerText(seqId, data))
  }

  #send(seqId: Json, text: () => string): Promise<void> | null {
    if (this.#gone) return null
    try {
      return this.#options.transport.send(text())
    } catch (error) {
      return this.#unsent(seqId, error)
    }
  }

  /** An answer that cannot be written or is too large becomes an error answer, so that the asker need not wait. */
  #unsent(seqId: Json, error: unknown): Promise<void> | null {
    if (LinkError.is(error) && error.code === 'closed') return null
    if (LinkError.is(error) && error.limit === 'queueBytes') {
      this.#options.onStuck(error)
      return null
    }
    const why = error instanceof Error ? error.message : 'it has no JSON form'
    const wire = LinkError.is(error) && error.code === 'too_large' ? 'too_large' : 'internal'
    const refusal = errorText(seqId, new WireError(wire, `The answer cannot be sent: ${why}`))
    try {
      return this.#options.transport.send(refusal)
    } catch (second) {
      if (LinkError.is(second) && second.limit === 'queueBytes') this.#options.onStuck(second)
      else if (!LinkError.is(second)) throw second
      return null
    }
  }
}

/** A request in work; its AbortController exists only once somebody asks for the signal. */
class Served implements IncomingRequest {
  readonly action: string
  readonly data: JsonObject
  readonly seqId: number
  readonly bytes: number
  stream: OutgoingStream | undefined
  #controller: AbortController | undefined
  #aborted: { readonly reason: unknown } | undefined

  constructor(action: string, data: JsonObject, seqId: number, bytes: number) {
    this.action = action
    this.data = data
    this.seqId = seqId
    this.bytes = bytes
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason)
    }
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.#aborted = { reason }
    this.stream?.stop()
    this.#controller?.abort(reason)
  }
}

function isPromise(value: ReturnType<RequestHandler>): value is Promise<JsonObject> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function isStream(value: JsonObject | AsyncIterable<JsonObject>): value is AsyncIterable<JsonObject> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function integer(data: JsonObject, key: string, action: string): number {
  const value = data[key]
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new WireError('invalid_params', `${action}: ${key} must be an integer.`)
}
