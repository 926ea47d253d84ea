/**
 * Carries out the commands of pages, each once: a repeated uuid gets the answer of the first. Decide, write, then hand
 * the event to the host; only after all three the page hears `ack`.
 */
import type { AdapterServices } from '@runbound/platform-kit'
import type { Emitter } from './emitter.ts'
import type { EventBuilder } from './events.ts'
import { decodeDataUrl, FileError, type FileStore } from './files.ts'
import { planFire } from './fire.ts'
import {
  type CommandFrame,
  type FrameAttachment,
  FrameError,
  type NewConversationFrame,
  type SendFrame,
  type ServerFrame,
} from './frames.ts'
import { planGroup, planPerson } from './groups.ts'
import { JournalError } from './journal.ts'
import type { Limits } from './limits.ts'
import { planDelete, planEdit, planReact, planSend } from './messages.ts'
import type { CommandResult, LogRecord, StoredFile } from './model.ts'
import { done, notice, type Plan, replyTo, requireChat, type Scene } from './plan.ts'
import type { Store } from './store.ts'

type Ack = Extract<ServerFrame, { type: 'ack' }>

export interface CommandParts {
  readonly store: Store
  readonly files: FileStore
  readonly emitter: Emitter
  readonly build: EventBuilder
  readonly limits: Limits
  readonly services: AdapterServices
}

export class Commands {
  readonly #parts: CommandParts
  /** Commands that are being decided and written, by uuid. */
  readonly #running = new Map<string, Promise<CommandResult>>()

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /**
   * Decides and writes; resolves when it is on disk. Rejects with FrameError. Await it before the next of that page.
   * `credential`: the account or API key that the page came with; the event records it beside the person of the frame.
   */
  accept(frame: CommandFrame, credential: string): Promise<CommandResult> {
    const known = this.#parts.store.world.command(frame.uuid)
    const running = this.#running.get(frame.uuid)
    // A running one comes first: memory knows the command before the disk does.
    if (running !== undefined) return running
    if (known !== undefined) return Promise.resolve(known)
    const work = this.#carryOut(frame, credential).finally(() => this.#running.delete(frame.uuid))
    this.#running.set(frame.uuid, work)
    return work
  }

  /** Hands the command's event to the host. Rejects with FrameError `refused` or `unavailable`. */
  async finish(uuid: string, result: CommandResult): Promise<Ack> {
    const { message_id, created_id, event_key } = result
    const ack = { type: 'ack', uuid, message_id, created_id } as const
    if (event_key === null) return { ...ack, event_id: null }
    const emitted = await this.#parts.emitter.emit(event_key)
    if (emitted.status === 'accepted') return { ...ack, event_id: emitted.event_id }
    if (emitted.status === 'failed') throw new FrameError('unavailable', emitted.message, { retry: true })
    throw new FrameError('refused', emitted.message, { retry: emitted.retry, reason: emitted.reason })
  }

  async #carryOut(frame: CommandFrame, credential: string): Promise<CommandResult> {
    try {
      const files = frame.type === 'send' ? await this.#attachments(frame) : []
      if (frame.type === 'new_conversation') await this.#newConversation(frame)
      // From here to the commit nothing waits, so the plan is still true when it is written.
      const plan = this.#plan(frame, files)
      await this.#parts.store.commit(plan.records.map((record) => sentBy(record, credential)))
      return plan.result
    } catch (error) {
      throw asFrameError(error)
    }
  }

  #plan(frame: CommandFrame, files: readonly StoredFile[]): Plan {
    const scene = this.#scene()
    switch (frame.type) {
      case 'send':
        return planSend(scene, frame, files)
      case 'edit':
        return planEdit(scene, frame)
      case 'delete':
        return planDelete(scene, frame)
      case 'react':
        return planReact(scene, frame)
      case 'new_conversation':
        return done(frame.uuid, [notice(scene, frame.chat, 'A new conversation begins')], null, null)
      case 'create_person':
        return planPerson(scene, frame)
      case 'create_group':
        return planGroup(scene, frame)
      case 'fire':
        return planFire(scene, frame)
    }
  }

  #scene(): Scene {
    const { store, build, limits, services } = this.#parts
    return { world: store.world, build, limits, now: services.now() }
  }

  async #newConversation(frame: NewConversationFrame): Promise<void> {
    requireChat(this.#scene().world, frame.chat, frame.user_id)
    const { services } = this.#parts
    if (services.resetConversation === undefined) {
      throw new FrameError('not_allowed', 'This host can not start a new conversation.')
    }
    await services.resetConversation(replyTo(frame.chat, null))
  }

  async #attachments(frame: SendFrame): Promise<StoredFile[]> {
    const files: StoredFile[] = []
    for (const attachment of frame.attachments) files.push(await this.#attachment(attachment))
    return files
  }

  async #attachment(attachment: FrameAttachment): Promise<StoredFile> {
    const { store, files, limits } = this.#parts
    if ('file_id' in attachment) {
      const file = store.world.files.get(attachment.file_id)
      if (file === undefined)
        throw new FrameError('not_found', 'An attached file is not here any more. Attach it again.')
      return file
    }
    // Four characters of base64 are three bytes: too long a text is refused before it is decoded.
    const tooLong = attachment.data_url.length > limits.maxInlineBytes * 1.4 + 256
    const bytes = tooLong ? null : decodeDataUrl(attachment.data_url)
    if (tooLong || (bytes !== null && bytes.length > limits.maxInlineBytes)) {
      throw new FrameError('too_large', `A file inside a frame may have ${limits.maxInlineBytes} bytes. Upload it.`)
    }
    if (bytes === null) throw new FrameError('invalid_frame', '"data_url" has to be data:<mime>;base64,<data>.')
    return await files.put(bytes, attachment.name)
  }
}

function asFrameError(error: unknown): unknown {
  if (error instanceof FileError)
    return new FrameError(error.code === 'full' ? 'limit_reached' : 'too_large', error.message)
  if (error instanceof JournalError) {
    return new FrameError('unavailable', 'This could not be saved, so it was not sent. Try again.', { retry: true })
  }
  return error
}

/** Who a frame says it is from is only a name; who really sent it goes with the event. */
function sentBy(record: LogRecord, credential: string): LogRecord {
  if (record.t !== 'event') return record
  const { incoming } = record.event
  const extra = { ...incoming.extra, sent_by: credential }
  return { ...record, event: { ...record.event, incoming: { ...incoming, extra } } }
}
