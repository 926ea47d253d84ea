/** Envelopes as the database keeps them: JSON in which ids beyond 2^53 stay whole numbers. */
import { readJson, writeJson } from '../conversations/stored-json.ts'
import type { EventEnvelope } from './types.ts'

export function writeEnvelope(envelope: EventEnvelope): string {
  return writeJson(envelope)
}

/** The codec edge: only `writeEnvelope` fills this column. */
export function readEnvelope(text: string): EventEnvelope {
  return readJson(text) as unknown as EventEnvelope
}
