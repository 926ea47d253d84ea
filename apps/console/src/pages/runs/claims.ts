/** What a plugin says of an answer that the host sent belongs to that answer: told once, with the claim in its detail. */
import { isObject } from '../../forms/json.ts'
import type { Entry } from './entries.ts'

export interface Folded {
  /** Without the claims that belong to an answer. */
  readonly entries: readonly Entry[]
  /** By the id of the entry of the answer: what the plugin says of it. */
  readonly claims: ReadonlyMap<string, readonly Entry[]>
  /** By the id of a claim: the id of the entry that it belongs to. */
  readonly ownerOf: ReadonlyMap<string, string>
}

/** What a plugin said under one call id. */
interface Said {
  started?: Entry
  completed?: Entry
}

/**
 * Folds claims into answers by the id of the delivery, the only one that both sides know: the call ids of a plugin are its
 * own. Claims of other tools stay entries, and so does one that says otherwise than the host: there the two disagree.
 */
export function folded(entries: readonly Entry[]): Folded {
  const claims = new Map<string, readonly Entry[]>()
  const ownerOf = new Map<string, string>()
  const answers = new Map<string, Entry>()
  // Of an answer in parts the first stands for it.
  for (const entry of entries)
    if (entry.delivery_id !== null && !answers.has(entry.delivery_id)) answers.set(entry.delivery_id, entry)
  for (const { started, completed } of saidIn(entries)) {
    if (started === undefined || completed === undefined) continue
    const answer = answerOf(completed, answers)
    if (answer === undefined || claims.has(answer.id)) continue
    const own = [started, completed]
    claims.set(answer.id, own)
    for (const { id } of own) ownerOf.set(id, answer.id)
  }
  return { entries: claims.size === 0 ? entries : entries.filter(({ id }) => !ownerOf.has(id)), claims, ownerOf }
}

/** The part of a claim that people look for: parameters of a start, result or error of an end. */
export function claimedValue({ output }: Entry): Entry['output'] {
  return isObject(output) ? (output.parameters ?? output.error ?? output.result ?? null) : output
}

function saidIn(entries: readonly Entry[]): Iterable<Said> {
  const all = new Map<string, Said>()
  for (const entry of entries) {
    if (!entry.claimed || !isObject(entry.output) || typeof entry.output.tool_call_id !== 'string') continue
    const said = all.get(entry.output.tool_call_id) ?? {}
    if (entry.type === 'tool.call.started') said.started = entry
    else said.completed = entry
    all.set(entry.output.tool_call_id, said)
  }
  return all.values()
}

function answerOf({ output }: Entry, answers: ReadonlyMap<string, Entry>): Entry | undefined {
  if (!isObject(output) || !isObject(output.result) || (output.error ?? null) !== null) return undefined
  const { delivery_id, status } = output.result
  const answer = typeof delivery_id === 'string' ? answers.get(delivery_id) : undefined
  return status === 'sent' && answer?.outcome !== 'ok' ? undefined : answer
}
