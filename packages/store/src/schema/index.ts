/** Every table of the schema, as Kysely sees it. Each belongs to one room: only that room's statements write it. */
import { type ConversationsTables, conversationsTables } from './conversations.ts'
import { type DeliveryTables, deliveryTables } from './delivery.ts'
import { type EventsTables, eventsTables } from './events.ts'
import { type IdentityTables, identityTables } from './identity.ts'
import { type PlatformsTables, platformsTables } from './platforms.ts'
import { type PluginsTables, pluginsTables } from './plugins.ts'
import { type ProcessorsTables, processorsTables } from './processors.ts'
import { type RunsTables, runsTables } from './runs.ts'
import { type StorageTables, storageTables } from './storage.ts'

export interface Tables
  extends IdentityTables,
    PlatformsTables,
    PluginsTables,
    ProcessorsTables,
    EventsTables,
    ConversationsTables,
    RunsTables,
    StorageTables,
    DeliveryTables {}

/** The declared columns of every ordinary table: what `schema.test.ts` compares with the migrated database. */
export const declaredTables = {
  ...identityTables,
  ...platformsTables,
  ...pluginsTables,
  ...processorsTables,
  ...eventsTables,
  ...conversationsTables,
  ...runsTables,
  ...storageTables,
  ...deliveryTables,
} as const
