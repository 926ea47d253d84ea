/** Names for the ids of agents and plugin processors, where people read. */
import type { Client } from '@runbound/api'

/** The name of a processor; its id where it has been removed; `-` for none. */
export interface Names {
  of(processorId: unknown): string
}

/** Asks the host once. */
export async function processorNames(client: Client): Promise<Names> {
  const { items } = await client.listProcessors()
  const names = new Map(items.map(({ processor_id, name }) => [processor_id, name]))
  return {
    of: (id) => (typeof id === 'string' ? (names.get(id) ?? id) : '-'),
  }
}
