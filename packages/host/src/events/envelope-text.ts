/** Envelopes as the database keeps them: JSON in which ids beyond 2^53 stay whole numbers. */
import { parse, stringify } from '@runbound/link'
import type { EventEnvelope } from './types.ts'

export function writeEnvelope(envelope: EventEnvelope): string {
  return stringify(envelope, { nonFinite: 'null' })
}

/** The codec edge: only `writeEnvelope` fills this column. */
export function readEnvelope(text: string): EventEnvelope {
  return parse(text) as unknown as EventEnvelope
}
