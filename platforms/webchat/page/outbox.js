/**
 * Messages that this page has written and that the server has not confirmed. They are kept in the browser's storage, so
 * a reload sends them again, with the same uuid.
 */

/** @import { SendFrame } from '../src/frames.ts' */
/** @import { Part } from '../src/model.ts' */
/** @import { Connection } from './connection.js' */
/**
 * @typedef {object} Unsent
 * @property {SendFrame} frame
 * @property {number} at
 * @property {readonly Part[]} files How the attachments look.
 * @property {{ message: string, retry: boolean } | null} failure Null while it is on its way.
 */

export class Outbox {
  /** @type {Map<string, Unsent>} */
  #unsent = new Map()

  /**
   * @param {Connection} connection
   * @param {string} storageKey
   * @param {() => void} changed
   */
  constructor(connection, storageKey, changed) {
    this.connection = connection
    this.storageKey = storageKey
    this.changed = changed
  }

  /** Sends again what an earlier page could not. */
  resume() {
    for (const unsent of this.#stored()) {
      if (unsent.failure === null) void this.#start(unsent)
      else this.#unsent.set(unsent.frame.uuid, unsent)
    }
    this.changed()
  }

  /**
   * Unsent messages of a chat, oldest first, without those that the server has shown already.
   * @param {string} chat
   * @param {(uuid: string) => boolean} isShown
   */
  of(chat, isShown) {
    return [...this.#unsent.values()].filter(({ frame }) => frame.chat === chat && !isShown(frame.uuid))
  }

  /**
   * @param {SendFrame} frame
   * @param {readonly Part[]} files
   */
  send(frame, files) {
    this.#start({ frame, files, at: Date.now(), failure: null })
  }

  /** @param {string} uuid */
  retry(uuid) {
    const unsent = this.#unsent.get(uuid)
    if (unsent) this.#start({ ...unsent, failure: null })
  }

  /** @param {string} uuid */
  discard(uuid) {
    this.#unsent.delete(uuid)
    this.#save()
  }

  /** @param {Unsent} unsent */
  async #start(unsent) {
    const { uuid } = unsent.frame
    this.#unsent.set(uuid, unsent)
    this.#save()
    const answer = await this.connection.command(unsent.frame)
    // A refusal of the host stands at the message itself, which the server keeps.
    if (answer.type === 'ack' || answer.code === 'refused') this.#unsent.delete(uuid)
    else if (this.#unsent.has(uuid)) {
      this.#unsent.set(uuid, { ...unsent, failure: { message: answer.message, retry: answer.retry } })
    }
    this.#save()
  }

  #save() {
    try {
      localStorage.setItem(this.storageKey, JSON.stringify([...this.#unsent.values()]))
    } catch {
      // Without storage a reload forgets what is unsent; the page itself goes on.
    }
    this.changed()
  }

  /** @returns {Unsent[]} */
  #stored() {
    try {
      const stored = JSON.parse(localStorage.getItem(this.storageKey) ?? '[]')
      return Array.isArray(stored) ? stored.filter((one) => typeof one?.frame?.uuid === 'string') : []
    } catch {
      return []
    }
  }
}
