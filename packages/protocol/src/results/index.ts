/** All result kinds by `type`. A type that is not here is kept as a record and has no effect. */
import { INTERACTION_REQUESTED, type ResultType } from '../names.ts'
import {
  ActionRequestedPayloadSchema,
  MessageCompletedPayloadSchema,
  MessageDeltaPayloadSchema,
  ProcessorLogPayloadSchema,
  RunCompletedPayloadSchema,
  RunFailedPayloadSchema,
  StateUpdatedPayloadSchema,
  ToolCallCompletedPayloadSchema,
  ToolCallStartedPayloadSchema,
} from '../schemas/results.ts'
import { type AnyResultRecord, resultKind } from './record.ts'

/** Messages are delivered only where `delivery.automatic_reply` is true; elsewhere they are ledger entries. */
export const RESULTS = {
  'message.delta': resultKind({
    type: 'message.delta',
    summary: 'A piece of an answer.',
    payload: MessageDeltaPayloadSchema,
    terminal: false,
    effect: 'none',
    limits: ['result'],
    authorize: () => null,
  }),
  'message.completed': resultKind({
    type: 'message.completed',
    summary: 'A whole message, with files that this run has exported.',
    payload: MessageCompletedPayloadSchema,
    terminal: false,
    effect: 'none',
    limits: ['result', 'file_ids'],
    // Files exist only by the box, so naming one needs it; each id is checked by the handler.
    authorize: ({ grant, payload }) => (payload.file_ids.length === 0 ? null : grant.flag('box')),
  }),
  'tool.call.started': resultKind({
    type: 'tool.call.started',
    summary: 'The plugin says that it calls a tool: a claim, kept as one.',
    payload: ToolCallStartedPayloadSchema,
    terminal: false,
    effect: 'none',
    limits: ['result'],
    authorize: () => null,
  }),
  'tool.call.completed': resultKind({
    type: 'tool.call.completed',
    summary: 'The plugin says what a tool gave: a claim, kept as one.',
    payload: ToolCallCompletedPayloadSchema,
    terminal: false,
    effect: 'none',
    limits: ['result'],
    authorize: () => null,
  }),
  'state.updated': resultKind({
    type: 'state.updated',
    summary: 'Stores a state value, as state_set does.',
    payload: StateUpdatedPayloadSchema,
    terminal: false,
    effect: 'host',
    limits: ['result', 'state_key', 'state_value'],
    authorize: ({ grant, payload }) => grant.flag('state') ?? grant.stateScope(payload.scope),
  }),
  'action.requested': resultKind({
    type: 'action.requested',
    summary: 'Asks for an action; the host carries out interaction.requested and keeps the others as records.',
    payload: ActionRequestedPayloadSchema,
    terminal: false,
    effect: 'outside',
    limits: ['result', 'interaction'],
    authorize: ({ grant, payload }) => (payload.action === INTERACTION_REQUESTED ? grant.interaction() : null),
  }),
  'run.completed': resultKind({
    type: 'run.completed',
    summary: 'The run is done.',
    payload: RunCompletedPayloadSchema,
    terminal: true,
    effect: 'none',
    limits: ['result'],
    authorize: () => null,
  }),
  'run.failed': resultKind({
    type: 'run.failed',
    summary: 'The run has failed.',
    payload: RunFailedPayloadSchema,
    terminal: true,
    effect: 'none',
    limits: ['result'],
    authorize: () => null,
  }),
  'processor.log': resultKind({
    type: 'processor.log',
    summary: 'A line for the log of the run, never a message.',
    payload: ProcessorLogPayloadSchema,
    terminal: false,
    effect: 'none',
    limits: ['result', 'log_text'],
    authorize: () => null,
  }),
} as const satisfies { readonly [T in ResultType]: AnyResultRecord & { readonly type: T } }

/** The record of a result's `type`, or undefined for a type of the author's own. */
export function resultRecord(type: string): AnyResultRecord | undefined {
  return isResultType(type) ? RESULTS[type] : undefined
}

/** True for a documented result type. */
export function isResultType(type: string): type is ResultType {
  return Object.hasOwn(RESULTS, type)
}
