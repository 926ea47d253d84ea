/** The live channel: what changes, as it changes. Nothing in it is truth: it says what to read again. */
import { z } from 'zod'

export const LIVE_KINDS = ['event', 'run', 'ledger', 'delivery', 'plugin', 'log'] as const

export const LiveQuerySchema = z.object({
  /** Kinds with commas between them; absent: all. */
  kinds: z.string().optional(),
  run_id: z.string().optional(),
  conversation_key: z.string().optional(),
  installation_uuid: z.string().optional(),
})

/**
 * One change. `data` by kind: `event` {event_id, event_type}; `run` {run_id, status, ...} at its start and its end; `ledger`
 * list of entries; `delivery` {delivery_id, status?, stream_id?}; `plugin` a PluginStatus; `log` {installation_uuid, line}.
 */
export const LiveChangeSchema = z.object({
  kind: z.enum(LIVE_KINDS),
  run_id: z.string().nullable().optional(),
  conversation_key: z.string().nullable().optional(),
  data: z.unknown().optional(),
})
