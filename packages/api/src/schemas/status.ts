/** What runs, and facts of the database. */
import { z } from 'zod'
import { BotSchema } from './bots.ts'
import { PluginStatusSchema, RunnerSchema } from './plugins.ts'

export const StatusSchema = z.object({
  version: z.string(),
  instance_uuid: z.string(),
  workspace_uuid: z.string(),
  started_at: z.number(),
  runs_active: z.int(),
  plugins: z.array(PluginStatusSchema),
  bots: z.array(BotSchema),
  runners: z.array(RunnerSchema),
  platforms: z.array(z.string()),
  /** What lets unapproved code in: keys for debug connections that are alive, and development sessions. */
  debug: z.object({ keys: z.int(), dev_sessions: z.int() }),
})
export const FactsSchema = z.object({
  engine: z.string(),
  file: z.string(),
  schemaVersion: z.int(),
  integrity: z.string(),
  bytes: z.number(),
  rows: z.record(z.string(), z.number()),
})
