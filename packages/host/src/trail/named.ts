/** Names of processors in the sentences of trails: entries are stored with ids, which outlive a change of the name. */
import { query, type Slots, type Store } from '@runbound/store'

interface Speaking {
  readonly processor_id?: string | null
  readonly details?: Readonly<Record<string, unknown>>
}

const namesOf = query((db, p: Slots<{ ids: readonly string[] }>) =>
  db.selectFrom('processors').select(['processor_id', 'name']).where('processor_id', 'in', p.list('ids')),
)

/** The entries with the name of each processor that still exists, in quotes, in the place of its id. */
export async function withNames<E extends Speaking & { readonly message: string }>(
  store: Store,
  entries: readonly E[],
): Promise<E[]> {
  const ids = [...new Set(entries.flatMap(idsOf))]
  if (ids.length === 0) return [...entries]
  const rows = await store.slow(namesOf({ ids }))
  const names = new Map(rows.map(({ processor_id, name }) => [processor_id, name]))
  return entries.map((entry) => ({ ...entry, message: named(entry.message, idsOf(entry), names) }))
}

/** One sentence that speaks of these processors; the id of one that is gone stays. */
export function named(sentence: string, ids: readonly string[], names: ReadonlyMap<string, string>): string {
  const known = [...new Set(ids)].filter((id) => names.has(id))
  if (known.length === 0) return sentence
  // In one go, longest first: a name that looks like another's id is not replaced again.
  const words = known.sort((a, b) => b.length - a.length).map(escaped)
  // As a word of its own: `guide` is not replaced within `plugin:runbound/guide/guide`.
  const word = new RegExp(`(?<![\\p{L}\\p{N}_/:."-])(?:${words.join('|')})(?![\\p{L}\\p{N}_/"-])`, 'gu')
  return sentence.replaceAll(word, (id) => `"${names.get(id)}"`)
}

function idsOf({ processor_id, details }: Speaking): string[] {
  const many = details?.processors
  const all: unknown[] = [processor_id, details?.processor_id, ...(Array.isArray(many) ? many : [])]
  return all.filter((id) => typeof id === 'string')
}

const escaped = (id: string): string => id.replaceAll(/[.*+?^${}()|[\]\\/-]/g, (sign) => `\\x${hex(sign)}`)
const hex = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(2, '0')
