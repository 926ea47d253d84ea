/** Who may come in: Host and Origin are checked on every request, then a session or an API key, also on 127.0.0.1. */
import type { Access } from '@runbound/api'
import type { Identity, Principal } from '../identity/types.ts'

export const SESSION_COOKIE = 'rb_session'

export interface Refusal {
  readonly status: 400 | 401 | 403
  readonly code: string
  readonly message: string
}

export class Doors {
  #identity: Identity
  #hosts = new Set<string>()

  constructor(identity: Identity) {
    this.#identity = identity
  }

  /** What may stand in the Host header, with port: known once the server listens. */
  open(hosts: readonly string[]): void {
    this.#hosts = new Set(hosts.map((host) => host.toLowerCase()))
  }

  /** A page of another site that resolves a name of its own to this machine stops here (DNS rebinding). */
  host(headers: Headers): Refusal | null {
    const host = headers.get('host')?.toLowerCase()
    if (host !== undefined && this.#hosts.has(host)) return null
    return {
      status: 403,
      code: 'host_refused',
      message: `This host is not reached under the name "${host ?? ''}". Use one of: ${[...this.#hosts].join(', ')}; or start it with --allowed-host.`,
    }
  }

  /** A browser names where a request comes from; other origins are refused for anything but reading without cookies. */
  origin(headers: Headers): Refusal | null {
    const origin = headers.get('origin')
    if (origin === null) return null
    const name = URL.canParse(origin) ? new URL(origin).host.toLowerCase() : ''
    if (this.#hosts.has(name)) return null
    return { status: 403, code: 'origin_refused', message: `Requests from pages of ${origin} are refused.` }
  }

  /** The session of the cookie, or the API key of the Authorization header. */
  async principal(headers: Headers): Promise<Principal | null> {
    const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
    if (bearer !== undefined) {
      const key = await this.#identity.apiKey(bearer)
      return key === null ? null : { kind: 'api_key', ...key }
    }
    const token = cookie(headers, SESSION_COOKIE)
    if (token === null) return null
    const account = await this.#identity.session(token)
    return account === null ? null : { kind: 'session', account }
  }

  /** Null when the principal may do what the scope says. */
  allows(principal: Principal | null, scope: Access): Refusal | null {
    if (scope === 'none') return null
    if (principal === null) {
      return {
        status: 401,
        code: 'not_signed_in',
        message:
          'Sign in first: `runbound login` prints a link; scripts send an API key as "Authorization: Bearer ...".',
      }
    }
    if (scope === 'any') return null
    const scopes = scopesOf(principal)
    if (scopes.includes('*') || scopes.includes(scope)) return null
    const message =
      scope === '*'
        ? 'This is for the owner, an admin and the key of the cli: it needs every scope ("*").'
        : `This needs the scope "${scope}".`
    return { status: 403, code: 'scope_missing', message }
  }
}

/** What a caller may do; `*`: everything. */
export function scopesOf(principal: Principal): readonly string[] {
  return principal.kind === 'session' ? (SCOPES_OF[principal.account.role] ?? []) : principal.scopes
}

const SCOPES_OF: { readonly [role: string]: readonly string[] } = {
  owner: ['*'],
  admin: ['*'],
  member: ['read', 'chat'],
}

export function cookie(headers: Headers, name: string): string | null {
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value !== undefined) return value
  }
  return null
}

/** Names under which a host on this address is reached. */
export function hostNames(hostname: string, port: number, more: readonly string[]): string[] {
  const local = hostname === '127.0.0.1' || hostname === '::1' || hostname === 'localhost'
  const names = local ? ['127.0.0.1', 'localhost', '[::1]'] : [hostname, '127.0.0.1', 'localhost']
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : []), ...more]
}
