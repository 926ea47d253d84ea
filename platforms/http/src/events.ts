/** From a verified message to the event that the host gets, and what makes a second delivery of it recognisable. */
import { createHash, randomUUID } from 'node:crypto'
import {
  type AdapterServices,
  chatFields,
  eventBase,
  type IncomingEvent,
  replyTarget,
  user,
  userGroup,
} from '@runbound/platform-kit'
import type { InboundMessage, Verified } from './inbound.ts'
import { SeenSignatures } from './seen-signatures.ts'

export const PLATFORM_NAME = 'http'

export interface InboundEvent {
  readonly message: InboundMessage
  /** Told to the caller as `accepted_message_id`; the same for a redelivery. */
  readonly message_id: string
  readonly incoming: IncomingEvent
}

export class EventMaker {
  readonly #services: AdapterServices
  readonly #seen = new SeenSignatures()

  constructor(services: AdapterServices) {
    this.#services = services
  }

  make(proof: Verified, message: InboundMessage): InboundEvent {
    const dedupe_key = this.#dedupeKey(proof, message)
    const message_id =
      dedupe_key === null ? `msg-${randomUUID()}` : `msg-${digest(`${this.#services.bot_uuid}\n${dedupe_key}`)}`
    const time = proof.timestamp ?? this.#services.now() / 1000
    const group = message.session_type === 'group' ? userGroup(message.session_id) : null
    const chat = chatFields(message.session_id, group)
    return {
      message,
      message_id,
      incoming: {
        dedupe_key,
        reply_target: replyTarget(chat, message_id),
        event: {
          ...eventBase(this.#services, PLATFORM_NAME, time),
          type: 'message.received',
          message_id,
          message_chain: [{ type: 'Source', id: message_id, timestamp: Math.floor(time) }, ...message.chain],
          sender: user(message.sender.id, { nickname: message.sender.name }),
          ...chat,
          sender_member: null,
          bot_role: null,
        },
      },
    }
  }

  /**
   * The caller's idempotency key within its session, else the signature, which covers body and time, else none. A
   * captured request sent again later under another idempotency key (which nobody signed) keeps its first key.
   */
  #dedupeKey(proof: Verified, message: InboundMessage): string | null {
    const own = proof.idempotencyKey === null ? null : `key:${message.session_id}:${proof.idempotencyKey}`
    if (proof.signature === null) return own
    return this.#seen.keyOf(proof.signature, own ?? `sig:${proof.signature}`, this.#services.now())
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
