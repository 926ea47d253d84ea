/** Writes the end of a run: tx 5, once, with the mailbox row, the trail and the sentence for the chat user. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WireError } from '@runbound/protocol'
import { type Statement, StoreError } from '@runbound/store'
import type { Logger } from '../logger.ts'
import type { Ending } from './ending.ts'
import { deliveryScope } from './facts.ts'
import type { Session } from './session.ts'
import type { RunOutcome } from './types.ts'

/** How long open reply streams may take to close at the platform. */
const STREAMS_MS = 5_000
/** Pauses between tries to write the end while the disk is full: what was done must be written down. */
const RETRY_MS = [100, 500, 2_000, 5_000] as const

/** Events after which a person waits for an answer, and so hears when there will be none. */
const ANSWERED: ReadonlySet<string> = new Set(['message.received', 'interaction.submitted'])

export interface SettleOptions {
  readonly logger: Logger
  /** What the chat user reads when a processor has no sentence of its own. */
  readonly failedSentence: string
}

/** Ends the run in its record. The same promise for everybody who asks; never rejects. */
export function settle(session: Session, ending: Ending, options: SettleOptions): Promise<RunOutcome> {
  session.settled ??= write(session, ending, options)
  return session.settled
}

async function write(session: Session, ending: Ending, options: SettleOptions): Promise<RunOutcome> {
  const { run, needs } = session
  const { logger } = options
  await Promise.race([
    needs.delivery.endRun(run.run_id, ending.why).catch((error: unknown) => {
      logger.warn({ err: error, run_id: run.run_id }, 'the reply streams of a run could not be closed')
    }),
    sleep(STREAMS_MS, undefined, { ref: false }),
  ])
  let withClosing = true
  for (let attempt = 0; ; attempt++) {
    const outcome: RunOutcome = { run_id: run.run_id, ...outcomeOf(ending), effect: run.effect }
    const sentence = sentenceOf(session, outcome, options)
    try {
      const closing = withClosing ? session.request.closing(outcome) : []
      await run.end(ending, [...closing, ...trailOf(session), ...sentence.statements])
      sentence.wake()
      return outcome
    } catch (error) {
      if (WireError.is(error)) {
        // Another host has taken the run over and ends it: its outcome is theirs to tell.
        logger.warn({ run_id: run.run_id }, 'a run was ended by somebody else')
        return { ...outcome, status: 'failed', code: 'lost', reason: 'The run was taken over by another host.' }
      }
      logger.error({ err: error, run_id: run.run_id }, 'the end of a run could not be written')
      if (!StoreError.is(error) || error.code === 'closed') return { ...outcome, code: 'not_recorded' }
      // A statement of another room was refused: the run has to end all the same.
      if (error.code === 'refused') {
        if (!withClosing) return { ...outcome, code: 'not_recorded' }
        withClosing = false
        continue
      }
      await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)], undefined, { ref: false })
    }
  }
}

function outcomeOf({ status, reason, code }: Ending): Pick<RunOutcome, 'status' | 'reason' | 'code'> {
  return { status, reason, code }
}

/** Why there may be no answer although the run ended well. */
function trailOf({ run, request, needs, produced }: Session): readonly Statement[] {
  const { envelope, processor } = request
  const about = {
    workspace_uuid: processor.workspace_uuid,
    event_id: envelope.event_id,
    processor_id: processor.processor_id,
  }
  const statements: Statement[] = []
  const denied = run.firstDenied
  if (denied !== null) {
    const reason = `${denied.method}${denied.target === null ? '' : ` ${denied.target}`}: ${denied.reason}`
    statements.push(needs.trail.because('call_denied', { ...about, details: { run_id: run.run_id, reason } }))
  }
  if (produced && !run.effect) {
    statements.push(needs.trail.because('produced_not_sent', { ...about, details: { run_id: run.run_id } }))
  }
  return statements
}

function sentenceOf(session: Session, outcome: RunOutcome, options: SettleOptions) {
  const { request, facts, needs, run } = session
  const { processor } = request
  const failed = outcome.status === 'failed' || outcome.status === 'timeout'
  // Plugin processors listen beside the one that answers: their failure is the operator's business, unless told otherwise.
  const fallback = processor.kind === 'plugin_processor' ? '' : options.failedSentence
  const text = processor.options.sentence ?? fallback
  const scope = deliveryScope(facts, { run_id: run.run_id, workspace_uuid: processor.workspace_uuid })
  if (!failed || text === '' || scope === null || !ANSWERED.has(facts.event_type)) return NO_SENTENCE
  return needs.delivery.sentence(scope, text, `sentence:${run.run_id}`)
}

const NO_SENTENCE = { statements: [], wake: () => undefined } as const
