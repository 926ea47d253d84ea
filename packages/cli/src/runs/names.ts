/** Names for the ids of agents and plugin processors, where people read. */
import type { Client } from '@runbound/api'

/** The name of a processor; its id where it has been removed; `-` for none. */
export interface Names {
  of(processorId: unknown): string
  /** A sentence of the host, with names in the place of the ids of these processors. */
  in(sentence: string, processorIds: readonly unknown[]): string
}

/** Asks the host once. */
export async function processorNames(client: Client): Promise<Names> {
  const { items } = await client.listProcessors()
  const names = new Map(items.map(({ processor_id, name }) => [processor_id, name]))
  return {
    of: (id) => (typeof id === 'string' ? (names.get(id) ?? id) : '-'),
    in(sentence, ids) {
      let named = sentence
      for (const [id, name] of names) if (ids.includes(id)) named = named.replaceAll(wordOf(id), () => `"${name}"`)
      return named
    },
  }
}

/** The id as a word of its own: one called `guide` is not replaced within `plugin:runbound/guide/guide`. */
function wordOf(id: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_/:."-])${id.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}_/"-])`,
    'gu',
  )
}
