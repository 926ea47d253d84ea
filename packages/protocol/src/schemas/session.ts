/** Sessions, pipeline conversations, command contexts and their answers (entities.md §4.1, §4.3). */
import * as z from 'zod'
import { LauncherTypeSchema } from './entities.ts'
import { MessageSchema, PromptSchema } from './model-messages.ts'
import { IntegerSchema, orNull, PlatformIdSchema, scopeShape } from './primitives.ts'

// The Python reader raises on null and on text here, so nothing but a JSON number passes.
const epochSeconds = z.number().default(() => Date.now() / 1000)

export const ConversationSchema = z.object({
  prompt: PromptSchema,
  messages: z.array(MessageSchema),
  create_time: epochSeconds,
  update_time: epochSeconds,
  pipeline_uuid: z.string(),
  bot_uuid: z.string(),
  uuid: orNull(z.string()),
})

export const SessionSchema = z.object({
  ...scopeShape,
  launcher_type: LauncherTypeSchema,
  launcher_id: PlatformIdSchema,
  sender_id: PlatformIdSchema.nullable().default(0),
  bot_uuid: orNull(z.string()),
  use_prompt_name: z.string().nullable().default('default'),
  using_conversation: orNull(ConversationSchema),
  conversations: z.array(ConversationSchema).nullable().default([]),
  create_time: epochSeconds,
  update_time: epochSeconds,
})

/** What a command is handed. `params` holds the root command too; `privilege` is 1 for users, 2 for administrators. */
export const ExecuteContextSchema = z.object({
  ...scopeShape,
  query_id: IntegerSchema,
  query_uuid: orNull(z.string()),
  session: SessionSchema,
  command_text: z.string(),
  full_command_text: z.string(),
  command: z.string(),
  crt_command: z.string(),
  params: z.array(z.string()),
  crt_params: z.array(z.string()),
  privilege: IntegerSchema,
})

/** One value of a command. `error` wins over the rest; all null sends nothing. */
export const CommandReturnSchema = z.object({
  text: orNull(z.string()),
  image_base64: orNull(z.string()),
  image_url: orNull(z.string()),
  file_url: orNull(z.string()),
  file_name: orNull(z.string()),
  error: orNull(z.string()),
})
