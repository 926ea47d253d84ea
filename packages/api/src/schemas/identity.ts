/** Who uses the host: signing in, sessions, API keys. */
import { z } from 'zod'
import { SCOPES } from '../endpoint.ts'
import { NameSchema } from './basics.ts'

/** Longest password; longer ones are refused before any hashing. */
export const PASSWORD_MAX = 256
export const PASSWORD_MIN = 10

export const AccountSchema = z.object({
  account_id: z.string(),
  name: z.string(),
  role: z.enum(['owner', 'admin', 'member']),
})
export const SignInSchema = z.strictObject({
  /** Default: the owner. */
  name: NameSchema.default('owner'),
  password: z.string().min(1).max(PASSWORD_MAX),
})
export const SignedInSchema = z.object({ account: AccountSchema, expires_at: z.number() })
export const MeSchema = z.object({
  signed_in_by: z.enum(['session', 'api_key']),
  /** Null for an API key. */
  account: AccountSchema.extend({ has_password: z.boolean() }).nullable(),
  key: z.object({ key_id: z.string(), name: z.string() }).nullable(),
  /** `*`: everything. */
  scopes: z.array(z.string()),
  instance_uuid: z.string(),
  workspace_uuid: z.string(),
  version: z.string(),
})
export const PasswordSchema = z.strictObject({
  /** Needed when one is set; not for a caller whose API key may do everything. */
  current: z.string().max(PASSWORD_MAX).optional(),
  password: z.string().min(PASSWORD_MIN, `must have ${PASSWORD_MIN} characters or more`).max(PASSWORD_MAX),
})
export const SessionSchema = z.object({
  session_id: z.string(),
  /** How it was opened. */
  by: z.enum(['link', 'password']),
  /** What the browser said of itself; display only. */
  browser: z.string().nullable(),
  created_at: z.number(),
  seen_at: z.number(),
  expires_at: z.number(),
  current: z.boolean(),
})
export const ApiKeySchema = z.object({
  key_id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: z.number(),
  expires_at: z.number().nullable(),
  last_used_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})
export const ApiKeyInputSchema = z.strictObject({
  name: NameSchema,
  /** None that the caller lacks. */
  scopes: z.array(z.enum(SCOPES)).min(1),
  /** Epoch milliseconds; null: it does not expire. */
  expires_at: z.number().int().nullable().default(null),
})
/** `key` is shown this once; the host keeps only its hash. */
export const NewApiKeySchema = ApiKeySchema.extend({ key: z.string() })
