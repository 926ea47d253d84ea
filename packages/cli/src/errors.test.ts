/** How errors of every package reach the person: a sentence where there is one, the stack where it is our fault. */
import { ApiError } from '@runbound/api'
import { HostError } from '@runbound/host'
import { StoreError } from '@runbound/store'
import { expect, test } from 'vitest'
import { CliError, explain } from './errors.ts'

test('errors that were written for the person are shown as they are; their code tells usage from failure', () => {
  expect(explain(new CliError('usage', 'Write it so.'))).toEqual({ code: 'usage', message: 'Write it so.', exit: 2 })
  expect(explain(new ApiError('conflict', 'It is there.', 409, 'body.name'))).toMatchObject({
    code: 'conflict',
    message: 'It is there. (at body.name)',
    exit: 1,
  })
  expect(explain(new HostError('port_in_use', 'Taken.'))).toEqual({ code: 'port_in_use', message: 'Taken.', exit: 1 })
  expect(explain(new StoreError('locked', 'In use.'))).toEqual({ code: 'locked', message: 'In use.', exit: 1 })
})

test('any other error is a fault of ours and keeps its stack', () => {
  const { code, message, exit } = explain(new TypeError('x is undefined'))
  expect([code, exit]).toEqual(['fault', 1])
  expect(message).toMatch(/fault of runbound: TypeError: x is undefined\n.*errors\.test\.ts/)
  expect(explain('text')).toMatchObject({ code: 'fault', message: 'text' })
})
