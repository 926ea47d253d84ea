/** What handlers are given: the rooms' public entries. */
import type { EndpointOutput, Endpoints } from '@runbound/api'
import type { Store } from '@runbound/store'
import type { Clock } from '../../clock.ts'
import type { Conversations } from '../../conversations/types.ts'
import type { Delivery } from '../../delivery/types.ts'
import type { Events } from '../../events/types.ts'
import type { Identity } from '../../identity/types.ts'
import type { Platforms } from '../../platforms/types.ts'
import type { Installation, Plugins } from '../../plugins/types.ts'
import type { Runs } from '../../runs/types.ts'
import type { Trail } from '../../trail/types.ts'

export interface HandlerRooms {
  readonly version: string
  readonly startedAt: number
  readonly platformNames: readonly string[]
  readonly store: Store
  readonly clock: Clock
  readonly identity: Identity
  readonly platforms: Platforms
  readonly plugins: Plugins
  readonly events: Events
  readonly conversations: Conversations
  readonly runs: Runs
  readonly delivery: Delivery
  readonly trail: Trail
  /** What a plugin asks for, and what of it is allowed (gateway/). */
  readonly permissionsOf: (
    installation: Installation,
  ) => readonly EndpointOutput<Endpoints['pluginPermissions']>['items'][number][]
  /** Where people reach this host, once it listens. */
  readonly url: () => string
}

export const OK = { ok: true } as const
