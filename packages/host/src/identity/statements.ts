/** The statements and queries of identity's tables; no other file of the host writes them. */
import { query, type Slots, statement } from '@runbound/store'

export const settingValue = query((db, p: Slots<{ name: string }>) =>
  db.selectFrom('settings').select('value').where('name', '=', p('name')),
)
/** Keeps the first value: two starts at once must not make two instances. */
export const keepSetting = statement((db, p: Slots<{ name: string; value: string }>) =>
  db
    .insertInto('settings')
    .values({ name: p('name'), value: p('value') })
    .onConflict((c) => c.doNothing()),
)

export const insertAccount = statement(
  (db, p: Slots<{ account_id: string; name: string; role: 'owner' | 'admin' | 'member'; created_at: number }>) =>
    db.insertInto('accounts').values({
      account_id: p('account_id'),
      name: p('name'),
      role: p('role'),
      password_hash: null,
      created_at: p('created_at'),
      disabled_at: null,
    }),
  { expect: 1 },
)
export const ownerAccount = query((db) =>
  db.selectFrom('accounts').select(['account_id', 'name', 'role']).where('role', '=', 'owner').limit(1),
)

export const insertLink = statement(
  (db, p: Slots<{ token_hash: string; account_id: string; created_at: number; expires_at: number }>) =>
    db.insertInto('login_links').values({
      token_hash: p('token_hash'),
      account_id: p('account_id'),
      created_at: p('created_at'),
      expires_at: p('expires_at'),
      used_at: null,
    }),
  { expect: 1 },
)
/** One use: the second redeem of a link changes no row and is refused. */
export const useLink = statement(
  (db, p: Slots<{ token_hash: string; now: number }>) =>
    db
      .updateTable('login_links')
      .set({ used_at: p('now') })
      .where('token_hash', '=', p('token_hash'))
      .where('used_at', 'is', null)
      .where('expires_at', '>', p('now')),
  { expect: 1 },
)
export const linkAccount = query((db, p: Slots<{ token_hash: string }>) =>
  db
    .selectFrom('login_links')
    .innerJoin('accounts', 'accounts.account_id', 'login_links.account_id')
    .select(['accounts.account_id', 'accounts.name', 'accounts.role'])
    .where('token_hash', '=', p('token_hash'))
    .where('accounts.disabled_at', 'is', null),
)

export const insertSession = statement(
  (
    db,
    p: Slots<{
      token_hash: string
      account_id: string
      now: number
      expires_at: number
      opened_by: 'link' | 'password'
      browser: string | null
    }>,
  ) =>
    db.insertInto('sessions').values({
      token_hash: p('token_hash'),
      account_id: p('account_id'),
      created_at: p('now'),
      expires_at: p('expires_at'),
      seen_at: p('now'),
      opened_by: p('opened_by'),
      browser: p('browser'),
    }),
  { expect: 1 },
)
export const sessionAccount = query((db, p: Slots<{ token_hash: string; now: number }>) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.account_id', 'sessions.account_id')
    .select(['accounts.account_id', 'accounts.name', 'accounts.role', 'sessions.seen_at'])
    .where('sessions.token_hash', '=', p('token_hash'))
    .where('sessions.expires_at', '>', p('now'))
    .where('accounts.disabled_at', 'is', null),
)
export const deleteSession = statement((db, p: Slots<{ token_hash: string }>) =>
  db.deleteFrom('sessions').where('token_hash', '=', p('token_hash')),
)
export const deleteExpired = (now: number) => [expiredSessions({ now }), expiredLinks({ now })]
const expiredSessions = statement((db, p: Slots<{ now: number }>) =>
  db.deleteFrom('sessions').where('expires_at', '<=', p('now')),
)
const expiredLinks = statement((db, p: Slots<{ now: number }>) =>
  db.deleteFrom('login_links').where('expires_at', '<=', p('now')),
)

export const insertKey = statement(
  (
    db,
    p: Slots<{
      key_id: string
      key_hash: string
      name: string
      scopes: string
      created_at: number
      expires_at: number | null
    }>,
  ) =>
    db.insertInto('api_keys').values({
      key_id: p('key_id'),
      key_hash: p('key_hash'),
      name: p('name'),
      scopes: p('scopes'),
      created_at: p('created_at'),
      expires_at: p('expires_at'),
      revoked_at: null,
      last_used_at: null,
    }),
  { expect: 1 },
)
export const revokeKeysNamed = statement((db, p: Slots<{ name: string; now: number }>) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: p('now') })
    .where('name', '=', p('name'))
    .where('revoked_at', 'is', null),
)
export const keyByHash = query((db, p: Slots<{ key_hash: string; now: number }>) =>
  db
    .selectFrom('api_keys')
    .select(['key_id', 'name', 'scopes', 'last_used_at'])
    .where('key_hash', '=', p('key_hash'))
    .where('revoked_at', 'is', null)
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', p('now'))])),
)

export const allKeys = query((db) =>
  db
    .selectFrom('api_keys')
    .select(['key_id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'])
    .orderBy('created_at', 'desc')
    .orderBy('key_id'),
)
export const revokeKey = statement((db, p: Slots<{ key_id: string; now: number }>) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: p('now') })
    .where('key_id', '=', p('key_id'))
    .where('revoked_at', 'is', null),
)
export const touchKey = statement((db, p: Slots<{ key_id: string; now: number }>) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: p('now') })
    .where('key_id', '=', p('key_id')),
)

export const accountByName = query((db, p: Slots<{ name: string }>) =>
  db
    .selectFrom('accounts')
    .select(['account_id', 'name', 'role', 'password_hash'])
    .where('name', '=', p('name'))
    .where('disabled_at', 'is', null),
)
export const setPasswordHash = statement(
  (db, p: Slots<{ account_id: string; password_hash: string }>) =>
    db
      .updateTable('accounts')
      .set({ password_hash: p('password_hash') })
      .where('account_id', '=', p('account_id')),
  { expect: 1 },
)
/** Only while `checked` is what stands there: whoever was let in by it must be let in by what still counts. */
export const changePasswordHash = statement(
  (db, p: Slots<{ account_id: string; checked: string; password_hash: string }>) =>
    db
      .updateTable('accounts')
      .set({ password_hash: p('password_hash') })
      .where('account_id', '=', p('account_id'))
      .where('password_hash', '=', p('checked')),
  { expect: 1 },
)
export const sessionsOf = query((db, p: Slots<{ account_id: string; now: number }>) =>
  db
    .selectFrom('sessions')
    .select(['token_hash', 'opened_by', 'browser', 'created_at', 'seen_at', 'expires_at'])
    .where('account_id', '=', p('account_id'))
    .where('expires_at', '>', p('now'))
    .orderBy('seen_at', 'desc'),
)
export const deleteOtherSessions = statement((db, p: Slots<{ account_id: string; keep: string }>) =>
  db.deleteFrom('sessions').where('account_id', '=', p('account_id')).where('token_hash', '<>', p('keep')),
)
export const touchSession = statement((db, p: Slots<{ token_hash: string; now: number }>) =>
  db
    .updateTable('sessions')
    .set({ seen_at: p('now') })
    .where('token_hash', '=', p('token_hash')),
)
