/** A connection to the oracle, as an adapter or as a test uses it. */
import { connect } from 'node:net'
import type { Accepted, AdapterCapabilities, IncomingEvent } from './adapter.ts'
import { AdapterError } from './errors.ts'
import { JsonLines } from './json-lines.ts'
import { errorOf, type FromClient, type FromOracle, type OracleCall, type OracleCalls } from './oracle-messages.ts'

interface Pending {
  resolve(out: unknown): void
  reject(error: unknown): void
}

export interface OracleClientOptions {
  readonly port: number
  /** The bot that this connection serves; null for a test. */
  readonly bot: { readonly bot_uuid: string; readonly capabilities: AdapterCapabilities } | null
  /** Takes events for the bot. */
  readonly onEvent?: (incoming: IncomingEvent) => Promise<Accepted>
}

export class OracleClient {
  readonly #pending = new Map<number, Pending>()
  readonly #lines: JsonLines<FromOracle, FromClient>
  readonly #onEvent: OracleClientOptions['onEvent']
  #count = 0

  private constructor(
    lines: (onMessage: (message: FromOracle) => void) => JsonLines<FromOracle, FromClient>,
    onEvent: OracleClientOptions['onEvent'],
  ) {
    this.#onEvent = onEvent
    this.#lines = lines((message) => void this.#take(message))
    this.#lines.onClose(() => {
      for (const { reject } of this.#pending.values())
        reject(new AdapterError('unknown_outcome', 'The platform went away.'))
      this.#pending.clear()
    })
  }

  /** Connects to 127.0.0.1. Rejects with `unavailable`. */
  static open(options: OracleClientOptions): Promise<OracleClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(options.port, '127.0.0.1')
      const failed = (error: Error) =>
        reject(new AdapterError('unavailable', `The oracle is not there: ${error.message}.`))
      socket.once('error', failed)
      socket.once('connect', () => {
        socket.off('error', failed)
        const client = new OracleClient((onMessage) => new JsonLines(socket, onMessage), options.onEvent)
        client.#lines.send({ hello: options.bot })
        resolve(client)
      })
    })
  }

  /** Calls the oracle. Rejects as the call fails there, and with `unknown_outcome` when it goes away or the signal aborts. */
  call<C extends OracleCall>(
    call: C,
    input: OracleCalls[C]['in'],
    signal?: AbortSignal,
  ): Promise<OracleCalls[C]['out']> {
    if (signal?.aborted === true)
      return Promise.reject(new AdapterError('unavailable', 'The call was aborted before anything was sent.'))
    if (this.#lines.closed) return Promise.reject(new AdapterError('unavailable', 'The platform is not connected.'))
    const id = ++this.#count
    const aborted = () => this.#lines.send({ cancel: id })
    signal?.addEventListener('abort', aborted, { once: true })
    return new Promise<OracleCalls[C]['out']>((resolve, reject) => {
      this.#pending.set(id, { resolve: (out) => resolve(out as OracleCalls[C]['out']), reject })
      this.#lines.send({ id, call, in: input })
    }).finally(() => signal?.removeEventListener('abort', aborted))
  }

  close(): void {
    this.#lines.close()
  }

  async #take(message: FromOracle): Promise<void> {
    if ('event' in message) {
      const answer = await Promise.resolve(this.#onEvent?.(message.incoming) ?? null).catch(() => null)
      this.#lines.send({ receipt: message.event, answer })
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if ('failure' in message) pending?.reject(errorOf(message.failure))
    else pending?.resolve(message.out)
  }
}
