/** Sending and platform calls (wire.md §5.3 Messages and platform, §6.6). */
import * as z from 'zod'
import { installationApiOf } from '../langbot-api.ts'
import { LIMITS } from '../limits.ts'
import { form, method } from '../method.ts'
import { LAUNCHER_TYPES, REPLY_STREAM_OPERATIONS } from '../names.ts'
import { MessageChainSchema } from '../schemas/messages.ts'
import { optionalName, runShape } from '../schemas/parameters.ts'
import { JsonObjectSchema, JsonSchema, optional, textUpTo, withDefault } from '../schemas/primitives.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.3'

export const sendMessage = method({
  name: 'send_message',
  from: 'plugin',
  summary: 'Sends a message to any person or group of a bot. Inside a run, call_platform_api takes its place.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        bot_uuid: z.string().min(1),
        target_type: z.enum(LAUNCHER_TYPES),
        target_id: z.string().min(1),
        message_chain: MessageChainSchema,
      }),
      result: z.object({ result: JsonSchema.optional() }),
      effect: 'outside',
      waits: waits.send_message.installation,
      authorize: ({ installation }) => installation.api('send_message'),
    }),
  },
})

/**
 * `context_tool: event_reply` aims at the event's own target and needs no bot. `params.message` is a chain where the action
 * takes one. The effect is that of the action: reading ones have none.
 */
export const callPlatformApi = method({
  name: 'call_platform_api',
  from: 'plugin',
  summary: 'Calls an API of the platform through a bot.',
  source,
  forms: {
    run: form('run', {
      params: z.object({
        ...runShape,
        bot_uuid: optionalName,
        action: z.string().min(1),
        params: withDefault(JsonObjectSchema, {}),
        context_tool: optionalName,
        file_ids: optional(z.array(z.string().min(1)).min(1).max(LIMITS.file_ids.value)),
      }),
      result: z.object({ result: JsonObjectSchema.nullable() }),
      effect: 'by-tool',
      waits: waits.call_platform_api.run,
      authorize: ({ grant, params }) => grant.platform(params),
    }),
    installation: form('installation', {
      params: z.object({
        bot_uuid: z.string().min(1),
        action: z.string().min(1),
        params: withDefault(JsonObjectSchema, {}),
      }),
      result: z.object({ result: JsonSchema }),
      effect: 'by-tool',
      waits: waits.call_platform_api.installation,
      authorize: ({ installation, params }) => installation.api(installationApiOf(params.action)),
    }),
  },
})

/** `text` is the whole text so far, never a piece. The result is the host's own and always names the stream. */
export const replyStream = method({
  name: 'reply_stream',
  from: 'plugin',
  summary: 'Updates, finishes or aborts one streamed reply of a run.',
  source: 'wire.md §6.6',
  forms: {
    run: form('run', {
      params: z.object({
        ...runShape,
        stream_id: z.string().min(1).max(64),
        operation: z.enum(REPLY_STREAM_OPERATIONS),
        text: withDefault(textUpTo(LIMITS.reply_stream_text.value), ''),
      }),
      result: z.object({
        result: z.looseObject({
          stream_id: z.string(),
          status: z.enum(['open', 'completed', 'cancelled']),
          delivery: z.enum(['streaming', 'buffered', 'simulated']),
          mock: z.boolean(),
          text: z.string().optional(),
        }),
      }),
      effect: 'outside',
      waits: waits.reply_stream.run,
      authorize: ({ grant }) => grant.flag('reply_stream') ?? grant.tool('event_reply', 'call'),
    }),
  },
})
