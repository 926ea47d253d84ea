/** Errors are recognised by brand: a plugin may carry its own copy of this package. */
import { expect, test } from 'vitest'
import { AgentAPIException, PermissionDeniedError, SdkError } from './errors.ts'

const copy: typeof import('./errors.ts') = await import(`./errors.ts?${'copy'}`)
const data = { code: 'host.action_error', message: 'no', retryable: false, details: { reason: 'not_found' } }

test('across copies of the package, and never for each other', () => {
  expect(copy.AgentAPIException).not.toBe(AgentAPIException)
  const theirs = [
    new copy.AgentAPIException(data),
    new copy.PermissionDeniedError('no'),
    new copy.SdkError('no_bot', 'no'),
  ]
  const recognised = theirs.map((error) =>
    [AgentAPIException, PermissionDeniedError, SdkError].map((kind) => kind.isInstance(error)),
  )
  expect(recognised).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ])
  for (const value of [null, undefined, 'no', new Error('no'), Object.create(theirs[0] ?? null)])
    expect(AgentAPIException.isInstance(value)).toBe(false)
})

test('[errors.agent-api-exception.fields] error and the same as properties', () => {
  const error = new AgentAPIException(data)
  expect(error.error).toEqual(data)
  expect([error.code, error.message, error.retryable, error.details]).toEqual(Object.values(data))
})

test('of() gives the code and retryable of the reason', () => {
  expect(AgentAPIException.of('run_ended', 'over', { action: 'x' }).error).toEqual({
    code: 'host.action_error',
    message: 'over',
    retryable: false,
    details: { reason: 'run_ended', action: 'x' },
  })
})
