/** identity/ owns settings, accounts, login_links, sessions, api_keys and the key that seals secrets. */
export interface Account {
  readonly account_id: string
  readonly name: string
  readonly role: 'owner' | 'admin' | 'member'
}

/** Who makes an HTTP request. */
export type Principal =
  | { readonly kind: 'session'; readonly account: Account }
  | { readonly kind: 'api_key'; readonly key_id: string; readonly scopes: readonly string[] }

export interface Identity {
  readonly instance_uuid: string
  readonly workspace_uuid: string
  readonly placement_generation: number
  /** First start: makes the owner and an API key for the cli (file mode 0600 in the data folder). */
  prepare(): Promise<{ readonly firstStart: boolean; readonly cliKey: string }>
  /** A link that signs in once. Expires after 15 minutes. */
  loginLink(accountId?: string): Promise<{ readonly token: string; readonly expires_at: number }>
  /** Uses a link up and opens a session that lives for `lives_ms`; null: the link was used before, or has expired. */
  redeem(token: string): Promise<{
    readonly session: string
    readonly account: Account
    readonly expires_at: number
    readonly lives_ms: number
  } | null>
  session(token: string): Promise<Account | null>
  signOut(token: string): Promise<void>
  apiKey(key: string): Promise<{ readonly key_id: string; readonly scopes: readonly string[] } | null>
  /** Seals a secret with AES-256-GCM for the database; `context` binds it to its place. */
  seal(plain: string, context: string): string
  open(sealed: string, context: string): string
}
