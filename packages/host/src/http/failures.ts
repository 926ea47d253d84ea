/** Every failure of a route as the one error shape: code, sentence, place. Nothing internal goes out. */
import { WireError } from '@runbound/protocol'
import { StoreError } from '@runbound/store'
import { HostError } from '../errors.ts'
import type { Logger } from '../logger.ts'

const STATUS_OF_HOST: { readonly [code: string]: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503 } = {
  invalid_config: 422,
  invalid_manifest: 422,
  not_found: 404,
  conflict: 409,
  not_approved: 409,
  plugin_failed: 422,
  sign_in_refused: 401,
  too_many_attempts: 429,
  busy: 503,
  programming: 500,
}
const STATUS_OF_WIRE: { readonly [reason: string]: 400 | 403 | 404 | 409 | 422 | 503 } = {
  not_found: 404,
  run_unknown: 404,
  invalid_params: 422,
  invalid_cursor: 422,
  too_large: 422,
  conflict: 409,
  permission_denied: 403,
  storage_full: 503,
  shutting_down: 503,
  not_available: 503,
}

export function failure(status: number, code: string, message: string, at: string | null = null): Response {
  return Response.json({ error: { code, message, at } }, { status })
}

export function failureOf(error: unknown, logger: Logger): Response {
  if (HostError.is(error)) {
    const answer = failure(STATUS_OF_HOST[error.code] ?? 500, error.code, error.message, error.at)
    if (error.retryAfterSeconds !== null) answer.headers.set('retry-after', String(error.retryAfterSeconds))
    return answer
  }
  if (WireError.is(error)) return failure(STATUS_OF_WIRE[error.reason] ?? 400, error.reason, error.message)
  if (StoreError.is(error) && error.code === 'full')
    return failure(503, 'storage_full', 'The disk of the host is full; nothing was changed. Make room and try again.')
  logger.error({ err: error }, 'A route failed')
  return failure(500, 'internal', 'A fault of the host; its log has the cause.')
}
