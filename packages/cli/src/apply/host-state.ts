/** What the host has now, by name, as far as a set-up file can change it. */
import type { Client } from '@runbound/api'

type Status = Awaited<ReturnType<Client['status']>>
type Routing = Awaited<ReturnType<Client['getRoutes']>>
/** A bot as the host shows it. */
export type KnownBot = Status['bots'][number]
/** An agent or plugin processor as the host shows it. */
export type KnownProcessor = Awaited<ReturnType<Client['listProcessors']>>['items'][number]
/** A route as the host shows it. */
export type KnownRoute = Routing['routes'][number]
/** A plugin processor of a bot as the host shows it. */
export type KnownSubscription = Routing['plugin_processors'][number]

/** Everything that a set-up file can speak of. */
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
