/** One connected page: reads its frames in order, answers each, and keeps it within the limits. */
import type { AdapterServices, AdapterSocket } from '@runbound/platform-kit'
import type { Commands } from './commands.ts'
import {
  type ClientFrame,
  type CommandFrame,
  type FireEvent,
  FRAME_VERSION,
  FrameError,
  type ServerFrame,
} from './frames.ts'
import type { Hub } from './hub.ts'
import type { Limits } from './limits.ts'
import { BOT_ID } from './model.ts'
import { parseFrame } from './parse-frame.ts'
import { requireChat } from './plan.ts'
import type { Store } from './store.ts'

/** What the panel can make happen, in its order. */
export const FIRE_EVENTS: readonly FireEvent[] = [
  'group.member_joined',
  'group.member_left',
  'group.member_banned',
  'group.info_updated',
  'friend.request_received',
  'friend.added',
  'friend.removed',
  'bot.invited_to_group',
  'bot.removed_from_group',
  'bot.muted',
  'bot.unmuted',
  'feedback.received',
  'platform.specific',
]

export interface SessionParts {
  readonly store: Store
  readonly hub: Hub
  readonly commands: Commands
  readonly limits: Limits
  readonly services: AdapterServices
}

export class Session {
  readonly #parts: SessionParts
  readonly #socket: AdapterSocket
  #greeted = false
  #turn: Promise<unknown> = Promise.resolve()
  #tokens: number
  #refilledAt: number

  constructor(parts: SessionParts, socket: AdapterSocket) {
    this.#parts = parts
    this.#socket = socket
    this.#tokens = parts.limits.frameBurst
    this.#refilledAt = parts.services.now()
    socket.onMessage((text) => this.#receive(text))
  }

  #receive(text: string): void {
    let uuid: string | null = null
    try {
      this.#spend()
      const frame = parseFrame(text, this.#parts.limits)
      uuid = 'uuid' in frame ? frame.uuid : null
      if (frame.type === 'hello') this.#hello(frame.v)
      else if (!this.#greeted) throw new FrameError('invalid_frame', 'Say hello first.')
      else if ('uuid' in frame) this.#command(frame)
      else this.#answer(frame)
    } catch (error) {
      this.#fail(uuid ?? uuidIn(text), error)
    }
  }

  /** Commands of one page are decided in their order; the host may take its time with each event. */
  #command(frame: CommandFrame): void {
    const { commands } = this.#parts
    const decided = this.#turn.then(() => commands.accept(frame, this.#socket.account_id))
    this.#turn = decided.catch(() => {})
    decided
      .then((result) => commands.finish(frame.uuid, result))
      .then((ack) => this.#send(ack))
      .catch((error: unknown) => this.#fail(frame.uuid, error))
  }

  #answer(frame: Exclude<ClientFrame, CommandFrame | { type: 'hello' }>): void {
    const { store, hub } = this.#parts
    if (frame.type === 'ping') this.#send({ type: 'pong' })
    else if (frame.type === 'typing') {
      requireChat(store.world, frame.chat, frame.user_id)
      hub.broadcast({ type: 'typing', chat: frame.chat, user_id: frame.user_id })
    } else {
      const { id, chat } = frame
      this.#send({ type: 'history', id, chat, ...store.world.page(chat, frame.before, frame.limit) })
    }
  }

  #hello(version: number): void {
    if (version !== FRAME_VERSION) {
      throw new FrameError('version', `This server speaks version ${FRAME_VERSION} of the web chat. Reload the page.`)
    }
    const { store, hub, limits, services } = this.#parts
    const { world } = store
    if (!this.#greeted) hub.add(this.#socket)
    this.#greeted = true
    this.#send({
      type: 'welcome',
      v: FRAME_VERSION,
      bot: { id: BOT_ID, uuid: services.bot_uuid, name: services.bot_name },
      limits,
      can_reset: services.resetConversation !== undefined,
      events: FIRE_EVENTS,
      people: [...world.people.values()],
      groups: [...world.groups.values()],
      requests: [...world.requests.values()],
      newest: world.chats().flatMap((chat) => world.messages(chat).at(-1) ?? []),
    })
  }

  /** A bucket of tokens: bursts are fine, floods are not. */
  #spend(): void {
    const { limits, services } = this.#parts
    const now = services.now()
    const gained = ((now - this.#refilledAt) / 1000) * limits.framesPerSecond
    this.#tokens = Math.min(limits.frameBurst, this.#tokens + gained)
    this.#refilledAt = now
    if (this.#tokens < 1) {
      throw new FrameError('too_fast', `More than ${limits.framesPerSecond} frames a second. Wait a second.`, {
        retry: true,
      })
    }
    this.#tokens -= 1
  }

  #fail(uuid: string | null, error: unknown): void {
    if (error instanceof FrameError) {
      const { code, message, retry, reason } = error
      this.#send({ type: 'error', uuid, code, message, retry, ...(reason === null ? {} : { reason }) })
      return
    }
    // What went wrong inside is for the operator's log, not for the page.
    this.#parts.services.log('error', `A frame failed: ${error instanceof Error ? error.message : String(error)}`)
    const message = 'Something went wrong in the web chat. The log of the bot has the cause.'
    this.#send({ type: 'error', uuid, code: 'unavailable', message, retry: true })
  }

  #send(frame: ServerFrame): void {
    this.#socket.send(JSON.stringify(frame))
  }
}

/** The uuid of a frame that could not be read otherwise, so that its sender learns which one it was. */
function uuidIn(text: string): string | null {
  return /"uuid"\s*:\s*"([\w-]{8,64})"/.exec(text.slice(0, 4096))?.[1] ?? null
}
