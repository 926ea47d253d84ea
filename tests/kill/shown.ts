/** What the people in the chats saw, read from the oracle's log alone. */
import type { OracleEntry } from '@runbound/platform-kit/oracle'
import type { Spoken } from './load.ts'

/** One message in a chat, with the text that stands there at the end. */
export interface Shown {
  readonly bot_uuid: string
  readonly message_id: string
  readonly delivery_key: string
  readonly chat: string
  text: string
  state: string
}

/** The messages of all chats in the order in which they appeared. */
export function shownMessages(log: readonly OracleEntry[]): readonly Shown[] {
  const shown = new Map<string, Shown>()
  for (const { bot_uuid, message } of log) {
    if (message === undefined) continue
    const { message_id, delivery_key, target, text, state } = message
    const key = `${bot_uuid}/${message_id}`
    const known = shown.get(key)
    if (known === undefined) shown.set(key, { bot_uuid, message_id, delivery_key, chat: target.target_id, text, state })
    else Object.assign(known, { text, state })
  }
  return [...shown.values()]
}

/** Event ids by dedupe key, as hosts confirmed them; what was refused for good is in `refused`. */
export function confirmations(log: readonly OracleEntry[]): {
  readonly accepted: ReadonlyMap<string, string>
  readonly refused: ReadonlySet<string>
} {
  const accepted = new Map<string, string>()
  const refused = new Set<string>()
  for (const { what, dedupe_key, answer } of log) {
    if (what !== 'accepted' || dedupe_key == null || answer === undefined) continue
    if (answer.status !== 'refused') accepted.set(dedupe_key, answer.event_id)
    else if (!answer.retry) refused.add(dedupe_key)
  }
  return { accepted, refused }
}

/** Those of the messages that answer this one: they begin with its tag. */
export function answersTo({ tag }: Spoken, shown: readonly Shown[]): readonly Shown[] {
  return shown.filter(({ text }) => text.startsWith(`${tag} `))
}
