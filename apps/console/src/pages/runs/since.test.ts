import { expect, test } from 'vitest'
import { sinceText } from './since.ts'

test.each([
  [0, '+0 ms'],
  [999.4, '+999 ms'],
  [1_204, '+1.20 s'],
  [59_999, '+59.99 s'],
  [60_000, '+1:00'],
  [750_000, '+12:30'],
  [3_750_000, '+1:02:30'],
  [273_600_000, '+3 d 04 h'],
])('%d ms into the run is %s', (ms, said) => expect(sinceText(ms)).toBe(said))
