/** Tables of the room `identity/`: accounts, their sessions, API keys, settings of the instance. */
import { filled, integer, oneOf, orNull, type TableOf, text } from './column.ts'

export const identityTables = {
  settings: { name: text, value: text },
  accounts: {
    account_id: text,
    name: text,
    role: oneOf('owner', 'admin', 'member'),
    password_hash: orNull(text),
    created_at: integer,
    disabled_at: orNull(integer),
  },
  login_links: {
    token_hash: text,
    account_id: text,
    created_at: integer,
    expires_at: integer,
    used_at: orNull(integer),
  },
  sessions: {
    token_hash: text,
    account_id: text,
    created_at: integer,
    expires_at: integer,
    seen_at: integer,
    opened_by: filled(oneOf('link', 'password')),
    browser: orNull(text),
  },
  api_keys: {
    key_id: text,
    key_hash: text,
    name: text,
    scopes: text,
    created_at: integer,
    expires_at: orNull(integer),
    revoked_at: orNull(integer),
    last_used_at: orNull(integer),
  },
} as const

export type SettingsTable = TableOf<typeof identityTables.settings>
export type AccountsTable = TableOf<typeof identityTables.accounts>
export type LoginLinksTable = TableOf<typeof identityTables.login_links>
export type SessionsTable = TableOf<typeof identityTables.sessions>
export type ApiKeysTable = TableOf<typeof identityTables.api_keys>

export interface IdentityTables {
  settings: SettingsTable
  accounts: AccountsTable
  login_links: LoginLinksTable
  sessions: SessionsTable
  api_keys: ApiKeysTable
}
