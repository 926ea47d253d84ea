/** A native stream whose host died: finished with the last text, proved, or marked unknown. */
import type { AdapterInstance, OutgoingStream } from '@runbound/platform-kit'
import type { Statement } from '@runbound/store'
import { bounded, failureOf } from './call-adapter.ts'
import { sentBefore } from './earlier.ts'
import {
  type LeftPart,
  leaveUnknown,
  note,
  outcomeOf,
  plainText,
  said,
  saidInPart,
  sentenceKey,
  tellUnknown,
} from './left-parts.ts'
import { adapterOf, chainOf, outgoing, pause, type Room } from './room.ts'
import * as sql from './statements.ts'

/** What stands, or is to stand, in the message. */
interface Text {
  readonly text: string
  /** The sentence is part of it, and is not said by itself. */
  readonly withSentence: boolean
}

/**
 * Where the message can still be written, it gets the sentence at its end; else the sentence goes out by itself. A message
 * whose final text was on its way gets that text and nothing else. What is written is intended first: a second crash finds it.
 */
export async function finishStream(room: Room, row: LeftPart): Promise<void> {
  if (row.reason === sql.NOT_OPENED) return discard(room, row)
  const adapter = await adapterOf(room, row)
  if (adapter === undefined) return
  let { message_id } = row
  if (message_id === null) {
    const outcome = await outcomeOf(adapter, row)
    if (outcome.status === 'not_sent') return discard(room, row)
    if (outcome.status === 'sent') message_id = outcome.message_id
  }
  const noted: Text = { text: plainText(chainOf(row)), withSentence: row.reason === sql.CLOSING_WITH_SENTENCE }
  const stream = await resumed(adapter, row, message_id)
  if (stream !== null) {
    const final = row.reason === null ? await intended(room, row, noted.text) : noted
    if (await finished(room, stream, final.text)) return sent(room, row, message_id, final, 'finished_after_restart')
  }
  // Closed before: by us with the text that was on its way, or by the platform with what it showed.
  const outcome = await outcomeOf(adapter, row)
  if (outcome.status === 'not_sent') return discard(room, row)
  if (outcome.status === 'sent') return sent(room, row, outcome.message_id, noted, 'proved_after_restart')
  await unknown(room, row, noted)
}

/** The text with the sentence, noted before it is written. */
async function intended(room: Room, row: LeftPart, shown: string): Promise<Text> {
  const sentence = await room.needs.sentenceOf(row.processor_id)
  const withSentence = sentence !== ''
  const text = withSentence ? `${shown}\n\n${sentence}` : shown
  const reason = withSentence ? sql.CLOSING_WITH_SENTENCE : sql.CLOSING
  await room.store.commit([
    sql.markClosing({ part_id: row.part_id, chain: JSON.stringify(plain(text)), reason, now: room.clock.now() }),
  ])
  return { text, withSentence }
}

function resumed(adapter: AdapterInstance, row: LeftPart, message_id: string | null): Promise<OutgoingStream | null> {
  return bounded(() => adapter.resumeStream?.({ message: outgoing(row), message_id }) ?? Promise.resolve(null)).catch(
    () => null,
  )
}

/** False: it can't be written any more. What the platform asks to wait for is waited for. */
async function finished(room: Room, stream: OutgoingStream, text: string): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      await bounded(() => stream.finish(text))
      return true
    } catch (error) {
      const failure = failureOf(error, attempt)
      if (failure.kind !== 'retry' || !(await pause(room, failure.afterMs))) return false
    }
  }
}

async function sent(
  room: Room,
  row: LeftPart,
  message_id: string | null,
  { text, withSentence }: Text,
  reason: string,
): Promise<void> {
  const now = room.clock.now()
  // Of a text that went over several messages, the closed ones are part of what was said.
  const earlier = await sentBefore(room, row)
  const whole = [...earlier.chains.map(plainText), text].join('')
  await room.store.commit([
    sql.markSent({ part_id: row.part_id, message_id, chain: JSON.stringify(plain(text)), reason, now }),
    ...(withSentence ? sentenceSaid(room, row) : []),
    ...said(room, row, plain(whole), earlier.message_id ?? message_id),
  ])
}

async function unknown(room: Room, row: LeftPart, { withSentence }: Text): Promise<void> {
  const why = {
    error: 'the host stopped while this was being streamed',
    note: 'The host stopped in the middle of a streamed answer.',
  }
  // With the sentence on its way in the message, saying it again would most likely say it twice.
  const told = withSentence ? { statements: sentenceSaid(room, row), wake: () => undefined } : tellUnknown(room, row)
  await leaveUnknown(room, row, why, await told)
}

/** The sentence that waits in the outbox stands in the message: once is enough. */
function sentenceSaid(room: Room, { run_id }: LeftPart): readonly Statement[] {
  return run_id === null ? [] : [discarded(room, sentenceKey(run_id), 'said_in_stream')]
}

/** Nothing of it was sent, and its whole text is not known: the chat user reads the sentence instead. */
async function discard(room: Room, row: LeftPart): Promise<void> {
  const told = await tellUnknown(room, row)
  await room.store.commit([
    discarded(room, row.part_id, 'host_restarted'),
    ...(await saidInPart(room, row)),
    ...note(room, row, 'delivery_failed', 'The host stopped before this message of a streamed answer was opened.'),
    ...told.statements,
  ])
  told.wake()
}

function discarded(room: Room, part_id: string, reason: string): Statement {
  return sql.markEnded({ part_id, state: 'discarded', reason, error: null, now: room.clock.now() })
}

const plain = (text: string) => [{ type: 'Plain' as const, text }]
