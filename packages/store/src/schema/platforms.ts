/** Tables of the room `platforms/`: bots and the notes that their adapters keep. */
import { filled, flag, integer, type TableOf, text } from './column.ts'

export const platformsTables = {
  bots: {
    bot_uuid: text,
    workspace_uuid: text,
    name: text,
    platform: text,
    settings: text,
    admins: filled(text),
    enabled: filled(flag),
    created_at: integer,
    updated_at: integer,
  },
  bot_notes: { bot_uuid: text, name: text, value: text },
} as const

export type BotsTable = TableOf<typeof platformsTables.bots>
export type BotNotesTable = TableOf<typeof platformsTables.bot_notes>

export interface PlatformsTables {
  bots: BotsTable
  bot_notes: BotNotesTable
}
