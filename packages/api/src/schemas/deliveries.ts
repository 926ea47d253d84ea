/** The outbox: what was said, and whether the platform took it. */
import { z } from 'zod'

export const DeliverySchema = z.object({
  delivery_id: z.string(),
  part: z.int(),
  parts: z.int(),
  state: z.string(),
  bot_uuid: z.string(),
  run_id: z.string().nullable(),
  conversation_id: z.string().nullable(),
  text: z.string(),
  reason: z.string().nullable(),
  error: z.string().nullable(),
  attempts: z.int(),
  created_at: z.number(),
  sent_at: z.number().nullable(),
})
