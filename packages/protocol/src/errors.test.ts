/** Reasons and codes are pinned: plugins and operators act on them. */
import { expect, test } from 'vitest'
import { ERROR_CODES, REASONS, WireError } from './errors.ts'
import { AgentAPIErrorSchema } from './schemas.ts'

/** Reason to code, with `!` where a repeat may help. Renaming one breaks plugins; adding is fine. */
const PINNED: Readonly<Record<string, string>> = {
  unknown_method: 'host.action_error',
  unknown_form: 'host.action_error',
  invalid_params: 'host.action_error',
  invalid_result: 'host.action_error',
  too_large: 'host.action_error',
  not_registered: 'host.action_error',
  run_unknown: 'host.action_error',
  run_ended: 'host.action_error',
  query_unknown: 'host.action_error',
  permission_denied: 'host.action_error',
  target_denied: 'host.action_error',
  actor_denied: 'host.action_error',
  not_found: 'host.action_error',
  no_reply_target: 'host.action_error',
  not_supported: 'host.action_error',
  not_available: 'host.action_error',
  stream_closed: 'host.action_error',
  limit_reached: 'host.action_error',
  conflict: 'host.action_error',
  invalid_cursor: 'host.action_error',
  delivery_failed: 'host.action_error',
  delivery_unknown: 'host.action_error',
  platform_failed: 'host.action_error',
  tool_failed: 'host.action_error',
  busy: 'host.action_error!',
  storage_full: 'host.action_error!',
  shutting_down: 'runtime_error!',
  link_closed: 'runtime_error!',
  deadline: 'deadline_exceeded!',
  cancelled: 'host.action_error',
  key_expired: 'host.action_error',
  internal: 'host.action_error',
}

test('every reason keeps its name, code and whether a repeat may help', () => {
  const table = Object.fromEntries(
    Object.entries(REASONS).map(([reason, { code, retryable }]) => [reason, `${code}${retryable ? '!' : ''}`]),
  )
  expect(table).toMatchObject(PINNED)
  for (const { code } of Object.values(REASONS)) expect(ERROR_CODES).toContain(code)
})

test('an error travels in the documented shape and is known again from another copy', () => {
  const error = new WireError('busy', 'Too many calls. Wait for one to end.', { details: { limit: 128 } })
  expect(AgentAPIErrorSchema.parse(error.toData())).toEqual({
    code: 'host.action_error',
    message: 'Too many calls. Wait for one to end.',
    retryable: true,
    details: { reason: 'busy', limit: 128 },
  })
  expect(error.reason).toBe('busy')
  expect(WireError.is(error)).toBe(true)
  expect(WireError.is({ [Symbol.for('runbound.wire-error')]: true })).toBe(true)
  expect(WireError.is(new Error('busy'))).toBe(false)
  expect(WireError.is(null)).toBe(false)
})
