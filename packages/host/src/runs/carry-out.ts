/** Carries out what a Runner yields: into the ledger, into state, and, where the processor speaks by itself, to the chat. */
import { type Message, WireError } from '@runbound/protocol'
import { StoreError } from '@runbound/store'
import { type AcceptedResult, type KeptResult, type RejectedResult, rejectedBy } from '../gateway/results.ts'
import { chainOfMessage } from './automatic-reply.ts'
import { completedEnding, type Ending, failedEnding } from './ending.ts'
import { deliveryScope } from './facts.ts'
import type { Session } from './session.ts'

/** Carries out one result. Answers how the run ends when this was its end. */
export async function carryOut(session: Session, result: AcceptedResult | KeptResult): Promise<Ending | null> {
  const { run } = session
  const { data, usage } = result
  if (result.kind === 'kept') {
    run.append({ type: result.type, data, usage, source: 'runner' })
    return null
  }
  const entry = { type: result.type, data, usage, source: 'runner' } as const
  switch (result.type) {
    case 'run.completed':
      if (result.payload.message !== null) await say(session, result.payload.message)
      return completedEnding(data, result.payload, usage)
    case 'run.failed':
      return failedEnding(data, result.payload, usage, session.timedOut(result.payload.code))
    case 'message.completed':
      run.append(entry)
      await say(session, result.payload.message)
      return null
    case 'state.updated': {
      const rejected = await updateState(session, result)
      if (rejected !== null) reject(session, rejected)
      return null
    }
    case 'processor.log': {
      const { text, level } = result.payload
      run.append(entry)
      session.log(level, text)
      return null
    }
    case 'tool.call.started':
    case 'tool.call.completed':
      // What the plugin says about itself; what the host saw it do stands in the trace.
      run.append({ ...entry, metadata: { claim: true } })
      return null
    case 'message.delta':
    case 'action.requested':
      run.append(entry)
      return null
  }
}

/** A refused result stands in the ledger as what it is, with the reason. */
export function reject(
  { run }: Session,
  { type, reason, message }: Pick<RejectedResult, 'type' | 'reason' | 'message'>,
): void {
  run.append({ type: 'result.rejected', data: { type, reason, message }, source: 'host' })
}

async function updateState(
  session: Session,
  result: Extract<AcceptedResult, { type: 'state.updated' }>,
): Promise<RejectedResult | null> {
  const { run, needs, stateObject } = session
  const { type, data, payload, usage } = result
  try {
    const statement = needs.storage.stateUpdate(stateObject, payload)
    await run.write([statement], { type, data, usage, source: 'runner' }, true)
    return null
  } catch (error) {
    if (WireError.is(error) && error.reason !== 'run_ended') return rejectedBy(type, error)
    if (StoreError.is(error) && error.code === 'refused') {
      return {
        kind: 'rejected',
        type,
        reason: 'limit_reached',
        message: `The scope ${payload.scope} holds no more keys.`,
      }
    }
    if (StoreError.is(error) && error.code === 'full') {
      return { kind: 'rejected', type, reason: 'storage_full', message: 'The host has no room to write.' }
    }
    throw error
  }
}

/** Sends a returned message where the processor speaks by itself; elsewhere it was produced and not sent. */
async function say(session: Session, message: Message): Promise<void> {
  const { run, needs, facts, request } = session
  const chain = chainOfMessage(message)
  if (chain.length === 0) return
  if (request.processor.options.automatic_reply !== true) {
    session.produced = true
    return
  }
  const scope = deliveryScope(facts, { run_id: run.run_id, workspace_uuid: request.processor.workspace_uuid })
  if (scope === null) {
    reject(session, {
      type: 'message.completed',
      reason: 'no_reply_target',
      message: 'The event has nowhere to answer to.',
    })
    return
  }
  // Not waited for: the answer is safe in the outbox, and the Runner goes on.
  await needs.delivery.reply({
    scope,
    chain,
    quote_origin: false,
    waitMs: 0,
    signal: run.calls.signal,
    commit: (statements) => run.commit(statements, { effect: true }),
  })
}
