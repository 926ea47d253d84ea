/** The order in which a run is ended from outside its stream. */
import { WireError } from '@runbound/protocol'
import { expect, test } from 'vitest'
import { processor, result, smallHost } from './fixtures.ts'

test('a finalized run is closed for every call before its streams are, and does not wait for its own call', async () => {
  const seen: string[] = []
  const closing = await smallHost({
    needs: {
      delivery: {
        sentence: () => ({ statements: [], wake: () => undefined }),
        reply: () => Promise.reject(new Error('nothing is said here')),
        endRun: async (run_id) => {
          const late = closing.call('state_get', { run_id, scope: 'runner', key: 'k' })
          await late.then(
            () => seen.push('it was let in'),
            (error: unknown) => seen.push(WireError.is(error) ? error.reason : String(error)),
          )
        },
      },
    },
  })
  const started = performance.now()
  const outcome = await closing.run(
    async function* (ctx, plugin) {
      seen.push(String((await plugin.call('run_finalize', { reason: 'enough' })).status))
      yield result(ctx, 'run.completed')
    },
    { processor: processor({ grants: { run_admin: true } }) },
  )
  expect(seen).toEqual(['run_ended', 'completed'])
  expect(outcome).toMatchObject({ status: 'completed', reason: 'enough' })
  // Two seconds are given to calls that hang; the call that ends the run is none.
  expect(performance.now() - started).toBeLessThan(1_500)
  await closing.close()
})
