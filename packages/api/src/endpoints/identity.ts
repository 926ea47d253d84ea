/** Signing in and out, the caller's own account, sessions, API keys. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as s from '../schemas.ts'

export const IDENTITY_ENDPOINTS = {
  signIn: endpoint({ method: 'post', path: '/api/v1/session', summary: 'Signs in by password; the session comes as a cookie', scope: 'none', body: s.SignInSchema, response: s.SignedInSchema }),
  signOut: endpoint({ method: 'delete', path: '/api/v1/session', summary: 'Ends the session of this browser', scope: 'any', response: s.OkSchema }),
  me: endpoint({ method: 'get', path: '/api/v1/me', summary: 'Who the caller is and what they may do', scope: 'any', response: s.MeSchema }),
  setPassword: endpoint({ method: 'put', path: '/api/v1/me/password', summary: 'Sets or changes the password; every other session ends', scope: 'any', body: s.PasswordSchema, response: s.OkSchema }),
  loginLink: endpoint({ method: 'post', path: '/api/v1/login-link', summary: 'A link that signs the owner in once', scope: '*', response: z.object({ url: z.string(), expires_at: z.number() }) }),
  listSessions: endpoint({ method: 'get', path: '/api/v1/sessions', summary: 'Sessions of the caller\'s account', scope: 'any', response: z.object({ items: z.array(s.SessionSchema) }) }),
  endSession: endpoint({ method: 'delete', path: '/api/v1/sessions/{session_id}', summary: 'Ends one session of the caller\'s account', scope: 'any', params: s.params('session_id'), response: s.OkSchema }),
  listKeys: endpoint({ method: 'get', path: '/api/v1/keys', summary: 'API keys, newest first; never the keys themselves', scope: 'configure', response: z.object({ items: z.array(s.ApiKeySchema) }) }),
  createKey: endpoint({ method: 'post', path: '/api/v1/keys', summary: 'Makes an API key; it is shown once', scope: 'configure', body: s.ApiKeyInputSchema, response: s.NewApiKeySchema }),
  revokeKey: endpoint({ method: 'delete', path: '/api/v1/keys/{key_id}', summary: 'Revokes an API key at once', scope: 'configure', params: s.params('key_id'), response: s.OkSchema }),
} // biome-ignore format: a table
