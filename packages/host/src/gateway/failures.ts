/** Turns whatever a handler throws into the error that its caller may read: a reason, never a path or a stack. */
import { AdapterError, type AdapterErrorKind } from '@runbound/platform-kit'
import { type Reason, WireError } from '@runbound/protocol'
import { StoreError } from '@runbound/store'
import { HostError } from '../errors.ts'
import type { Logger } from '../logger.ts'

const ADAPTER_REASONS: Record<AdapterErrorKind, Reason> = {
  rate_limited: 'platform_failed',
  too_long: 'delivery_failed',
  refused: 'platform_failed',
  unavailable: 'platform_failed',
  unknown_outcome: 'delivery_unknown',
  not_supported: 'not_supported',
  invalid: 'invalid_params',
  stream_lost: 'delivery_failed',
}

/** Where the failure happened, for the log. */
export interface FailurePlace {
  readonly method: string
  readonly plugin_id: string
  readonly run_id: string | null
}

/**
 * The error for the wire. WireErrors pass. A full disk is `storage_full`, a platform's no is `platform_failed`,
 * `not_supported` or `delivery_*`. Everything else is a fault of ours: `internal`, with its cause in the log only.
 */
export function wireFailure(error: unknown, place: FailurePlace, logger: Logger): WireError {
  if (WireError.is(error)) return error
  if (AdapterError.is(error)) {
    const details = { kind: error.kind, ...(error.retryAfterMs === null ? {} : { retry_after_ms: error.retryAfterMs }) }
    return new WireError(ADAPTER_REASONS[error.kind], error.message, { details, cause: error })
  }
  if (StoreError.is(error) && error.code === 'full') {
    return new WireError('storage_full', 'The host has no room to write. Ask its operator, then try again.', {
      cause: error,
    })
  }
  if (StoreError.is(error) && error.code === 'closed') {
    return new WireError('shutting_down', 'The host is stopping.', { cause: error })
  }
  if (HostError.is(error) && (error.code === 'not_found' || error.code === 'conflict')) {
    return new WireError(error.code, error.message, { cause: error })
  }
  logger.error({ ...place, err: error }, 'a call of a plugin failed inside the host')
  return new WireError('internal', `The host failed while it answered ${place.method}. Its log has the cause.`, {
    cause: error,
  })
}
