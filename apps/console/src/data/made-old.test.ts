import { expect, test } from 'vitest'
import { concerns, madeOld } from './made-old.ts'

const namesOf = (change: Parameters<typeof madeOld>[0]) => madeOld(change).map(({ name }) => name)

test("a run makes lists and its own answers old, and nobody else's", () => {
  const old = madeOld({ kind: 'run', run_id: 'r1', conversation_key: 'c1' })
  expect(old.map(({ name }) => name)).toEqual(expect.arrayContaining(['listRuns', 'getRun', 'runTimeline', 'status']))
  const about = old.find(({ name }) => name === 'getRun')?.about ?? null
  expect(concerns({ params: { run_id: 'r1' } }, about)).toBe(true)
  expect(concerns({ params: { run_id: 'r2' } }, about)).toBe(false)
  const chat = old.find(({ name }) => name === 'listMessages')?.about ?? null
  expect(concerns({ params: { conversation_key: 'c2' }, query: {} }, chat)).toBe(false)
  expect(old.find(({ name }) => name === 'listRuns')?.about).toBe(null)
})

test('lines of a plugin make its own logs old and nothing else', () => {
  expect(madeOld({ kind: 'log', data: { installation_uuid: 'i1', line: {} } })).toEqual([
    { name: 'pluginLogs', about: { param: 'installation_uuid', value: 'i1' } },
  ])
  expect(namesOf({ kind: 'ledger', run_id: 'r1' })).not.toContain('listRuns')
})

test('a change that does not say what it is about makes all of its kind old; unknown kinds make nothing old', () => {
  const [one] = madeOld({ kind: 'ledger' }).filter(({ name }) => name === 'runEvents')
  expect(one?.about).toBe(null)
  expect(madeOld({ kind: 'weather' })).toEqual([])
  // Steps are never repeated because something changed.
  for (const kind of ['run', 'event', 'delivery', 'plugin']) expect(namesOf({ kind })).not.toContain('cancelRun')
})
