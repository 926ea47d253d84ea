/** A Runner that says its end and goes on: the run is over for it, and nobody waits for it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { result, type SmallHost, smallHost } from './fixtures.ts'

let host: SmallHost
beforeEach(async () => {
  host = await smallHost()
})
afterEach(() => host.close())

test('[D129] after run.completed every call of the run is refused, also while the host still listens', async () => {
  const said: string[] = []
  const refused = Promise.withResolvers<void>()
  const outcome = await host.run(async function* (ctx, plugin) {
    const set = (key: string) =>
      plugin.call('state_set', { scope: 'runner', key, value: 1 }).then(
        () => said.push(`${key} set`),
        (error) => said.push(`${key} ${error.details?.reason ?? error.reason ?? error.message}`),
      )
    await set('before')
    yield result(ctx, 'run.completed', { finish_reason: 'stop' })
    await set('after')
    refused.resolve()
    await new Promise(() => undefined)
  })
  await refused.promise
  expect(outcome).toMatchObject({ status: 'completed', reason: 'stop' })
  expect(said).toEqual(['before set', expect.stringMatching(/^after .*run_ended/)])
  expect(await host.store.all({ sql: 'select * from state', params: [] })).toHaveLength(1)
})

test('a Runner that never returns after its end holds the run up for about a second, not until its deadline', async () => {
  const began = performance.now()
  const outcome = await host.run(async function* (ctx) {
    yield result(ctx, 'run.completed')
    await new Promise(() => undefined)
  })
  expect(outcome.status).toBe('completed')
  expect(performance.now() - began).toBeLessThan(10_000)
  expect((await host.ledger(outcome.run_id)).map(({ type }) => type)).toEqual(['run.started', 'run.completed'])
})
