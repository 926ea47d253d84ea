import { expect, test } from 'vitest'
import { LANGUAGES } from './languages.ts'
import { runStatusWord } from './run-status.ts'

test.each(LANGUAGES)('every state of a run has a word in %s', (language) => {
  const states = ['created', 'queued', 'claimed', 'running', 'completed', 'failed', 'cancelled', 'timeout']
  for (const state of states) expect(runStatusWord(state, language), state).not.toBe(state)
})

test('a state that is not known is said as it came', () => {
  expect(runStatusWord('dreaming', 'en')).toBe('dreaming')
  expect(runStatusWord('constructor', 'en')).toBe('constructor')
})
