/** Conditions of forms. */
import { expect, test } from 'vitest'
import { conditionMatches, isItemVisible } from './config.ts'

test.each([
  ['eq', 'a', { f: 'a' }, true],
  ['eq', '1', { f: 1 }, false],
  ['neq', 'a', { f: 'b' }, true],
  ['neq', 'a', {}, true],
  ['in', ['a', 'b'], { f: 'b' }, true],
  ['in', ['a', 'b'], { f: 'c' }, false],
  ['in', 'ab', { f: 'a' }, undefined],
  ['gt', 1, { f: 2 }, undefined],
])('%s %j on %j: %s', (operator, value, values, matches) => {
  expect(conditionMatches({ field: 'f', operator, value }, values)).toBe(matches)
  expect(isItemVisible({ show_if: { field: 'f', operator, value } }, values)).toBe(matches !== false)
})

test('an item without a condition is visible', () => expect(isItemVisible({}, {})).toBe(true))
