/** The `sequence` of callbacks: rises within an answer, from 1 for messages that this process accepted. */

/** Answers whose count is remembered. */
const MAX_ANSWERS = 4_096

/**
 * Counts per answer. For a message that another process accepted (before a restart) nobody knows how far the count was:
 * it goes on from the clock's seconds, which is higher, so that a receiver that orders by `sequence` loses nothing.
 */
export class Sequences {
  readonly #next = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** A message was accepted: its answer starts at 1. */
  open(session_id: string, message_id: string): void {
    this.#set(key(session_id, message_id), 1)
  }

  next(session_id: string, reply_to: string | null): number {
    const answer = key(session_id, reply_to)
    const number = this.#next.get(answer) ?? Math.floor(this.#now() / 1000)
    this.#set(answer, number + 1)
    return number
  }

  #set(answer: string, next: number): void {
    this.#next.delete(answer)
    this.#next.set(answer, next)
    if (this.#next.size <= MAX_ANSWERS) return
    for (const oldest of this.#next.keys()) {
      this.#next.delete(oldest)
      return
    }
  }
}

function key(session_id: string, reply_to: string | null): string {
  return `${session_id}\n${reply_to ?? ''}`
}
