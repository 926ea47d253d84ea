/** identity/ owns settings, accounts, login_links, sessions, api_keys and the key that seals secrets. */
export interface Account {
  readonly account_id: string
  readonly name: string
  readonly role: 'owner' | 'admin' | 'member'
}

/** An API key that a request came with. */
export interface FoundKey {
  readonly key_id: string
  readonly name: string
  readonly scopes: readonly string[]
}

/** Who makes an HTTP request. */
export type Principal =
  | { readonly kind: 'session'; readonly account: Account }
  | ({ readonly kind: 'api_key' } & FoundKey)

/** A session that has just begun; `session` is the browser's secret. */
export interface OpenedSession {
  readonly session: string
  readonly account: Account
  readonly expires_at: number
  /** How long it lives, by whichever clock. */
  readonly lives_ms: number
}

/** A session as its owner sees it; times in milliseconds. */
export interface SessionInfo {
  readonly session_id: string
  readonly by: 'link' | 'password'
  readonly browser: string | null
  readonly created_at: number
  readonly seen_at: number
  readonly expires_at: number
  readonly current: boolean
}

export interface Sessions {
  /** HostError `sign_in_refused`, `too_many_attempts` and `busy` (both with `retryAfterSeconds`). */
  signIn(given: {
    readonly name: string
    readonly password: string
    readonly address: string
    readonly browser: string | null
  }): Promise<OpenedSession>
  /**
   * Ends every session of the account but `keep`. `trusted`: the caller may do everything anyway, so the current password is
   * not asked for. HostError as `signIn`, and `invalid_config` at `current`.
   */
  setPassword(given: {
    readonly account: Account
    readonly current: string | undefined
    readonly password: string
    readonly keep: string | null
    readonly address: string
    readonly trusted: boolean
  }): Promise<void>
  hasPassword(account: Account): Promise<boolean>
  list(account: Account, currentToken: string | null): Promise<readonly SessionInfo[]>
  /** HostError `not_found`. */
  end(account: Account, sessionId: string): Promise<void>
  /** Null: not signed in, or the session has ended. */
  find(token: string): Promise<Account | null>
  signOut(token: string): Promise<void>
}

/** An API key in a list; times in milliseconds. */
export interface ApiKey extends FoundKey {
  readonly created_at: number
  readonly expires_at: number | null
  readonly last_used_at: number | null
  readonly revoked_at: number | null
}

export interface Keys {
  /** The newest first, revoked ones too. */
  list(): Promise<readonly ApiKey[]>
  /** `own`: scopes of the caller; a key gets none beyond. The key itself is in the answer only. */
  create(
    given: { readonly name: string; readonly scopes: readonly string[]; readonly expires_at: number | null },
    own: readonly string[],
  ): Promise<ApiKey & { readonly key: string }>
  /**
   * Counts at once. `own`: scopes of the caller, who ends no key that may do more. HostError `not_found`; WireError
   * `permission_denied`.
   */
  revoke(keyId: string, own: readonly string[]): Promise<void>
  find(key: string): Promise<FoundKey | null>
}

export interface Identity {
  readonly instance_uuid: string
  readonly workspace_uuid: string
  readonly placement_generation: number
  readonly sessions: Sessions
  readonly keys: Keys
  /** First start: makes the owner and an API key for the cli (file mode 0600 in the data folder). */
  prepare(): Promise<{ readonly firstStart: boolean; readonly cliKey: string }>
  /** The account of the first start; undefined before it. */
  owner(): Promise<Account | undefined>
  /** A link that signs in once. Expires after 15 minutes. */
  loginLink(accountId?: string): Promise<{ readonly token: string; readonly expires_at: number }>
  /** Uses a link up and opens a session; null: the link was used before, or has expired. */
  redeem(token: string, browser?: string | null): Promise<OpenedSession | null>
  session(token: string): Promise<Account | null>
  signOut(token: string): Promise<void>
  apiKey(key: string): Promise<FoundKey | null>
  /** Called when a session or key has been ended by somebody (not by its time); gives what ends the listening. */
  onEnded(listener: () => void): () => void
  /** Seals a secret with AES-256-GCM for the database; `context` binds it to its place. */
  seal(plain: string, context: string): string
  open(sealed: string, context: string): string
}
