import { expect, test } from 'vitest'
import { runNode, runProgram, verdict } from '../../tools/src/validate/step.ts'
import { STEPS } from '../../tools/src/validate/steps.ts'

test('each step has its own name and says what it proves', () => {
  expect(new Set(STEPS.map(({ name }) => name)).size).toBe(STEPS.length)
  expect(STEPS.filter(({ proves }) => proves === '')).toEqual([])
})

test('a program that fails gives its output; one that succeeds is silent', async () => {
  expect(await runNode(['-e', 'console.log("fine")'])).toEqual({ outcome: 'passed', lines: [] })
  const failed = await runNode(['-e', 'console.log("because"); process.exit(3)'])
  expect(failed.outcome).toBe('failed')
  expect(failed.lines[0]).toBe('because')
  expect(failed.lines.at(-1)).toContain('exit code 3')
})

test('a program that is not there, or that does not end, fails with the reason', async () => {
  expect((await runProgram('no-such-program', [])).lines.at(-1)).toContain('could not be started')
  expect((await runNode(['-e', 'setInterval(() => {}, 1000)'], 300)).lines.at(-1)).toContain('SIGKILL')
})

test('a failure makes a verdict fail, a note does not', () => {
  expect(verdict([], ['note'])).toEqual({ outcome: 'passed', lines: ['note'] })
  expect(verdict(['fault'])).toEqual({ outcome: 'failed', lines: ['fault'] })
})
