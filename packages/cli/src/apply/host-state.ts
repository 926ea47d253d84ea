/** What the host has now, by name, as far as a set-up file can change it. */
import type { Client } from '@runbound/api'

type Status = Awaited<ReturnType<Client['status']>>
type Routing = Awaited<ReturnType<Client['getRoutes']>>
export type KnownBot = Status['bots'][number]
export type KnownProcessor = Awaited<ReturnType<Client['listProcessors']>>['items'][number]
export type KnownRoute = Routing['routes'][number]
export type KnownSubscription = Routing['plugin_processors'][number]

export interface HostState {
  readonly bots: readonly KnownBot[]
  readonly processors: readonly KnownProcessor[]
  /** By bot uuid. */
  readonly routing: ReadonlyMap<string, Routing>
}

/** Reads it. */
export async function readState(client: Client): Promise<HostState> {
  const { bots } = await client.status()
  const { items } = await client.listProcessors()
  const routing = new Map<string, Routing>()
  for (const { bot_uuid } of bots) routing.set(bot_uuid, await client.getRoutes({ params: { bot_uuid } }))
  return { bots, processors: items, routing }
}
