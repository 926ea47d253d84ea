/** A very small round of the kill test; `npm run kill` is the real one. */
import { expect, test } from 'vitest'
import { runRound } from './round.ts'
import { randomOf } from './seed.ts'

test('[D38] a host killed between a send and its confirmation: nothing is lost, doubled or reordered', {
  timeout: 240_000,
}, async () => {
  const verdict = await runRound({
    random: randomOf(20),
    kills: [{ point: 'send.after', nth: 5 }],
    plugin: 'inline',
    conversations: 20,
    messages: 2,
    spreadMs: 1_000,
    keep: false,
    say: () => {},
  })
  expect(verdict.faults).toEqual([])
  expect(verdict).toMatchObject({ accepted: 40, lost: 0, doubled: 0, reordered: 0 })
  expect(verdict.answered_once + verdict.interrupted + verdict.unknown).toBe(40)
  // The kill met at least the run whose answer was on its way.
  expect(verdict.interrupted).toBeGreaterThan(0)
})
