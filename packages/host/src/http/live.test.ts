/** Who reads along: how many at once, and that a change is written out once for all of them. */
import { expect, test } from 'vitest'
import type { Principal } from '../identity/types.ts'
import { localSignals, type ViewChange } from '../signals.ts'
import { LastingConnections } from './lasting.ts'
import { LiveReaders, liveResponse } from './live.ts'

const key = (key_id: string): Principal => ({ kind: 'api_key', key_id, name: key_id, scopes: ['read'] })
const admitted = async () => true
const lasting = new LastingConnections({ onEnded: () => () => undefined })

test('a caller has a limit of readers and the host has one; a reader that goes makes room', async () => {
  const stop = new AbortController()
  const readers = new LiveReaders(localSignals())
  const open = (name: string) => liveResponse(readers, key(name), {}, stop.signal, lasting, admitted)
  const own = Array.from({ length: 32 }, () => open('one'))
  expect(own.map(({ status }) => status)).toEqual(own.map(() => 200))
  const refused = open('one')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ error: { code: 'too_many_readers' } })
  await own[0]?.body?.cancel()
  expect(open('one').status).toBe(200)
  for (let index = 0; index < 224; index++) expect(open(`other-${index}`).status).toBe(200)
  expect(open('late').status, 'the host is full').toBe(429)
  stop.abort()
  expect(open('late').status).toBe(200)
})

test('a change is written out once for all readers, and not where nobody wants it', async () => {
  const stop = new AbortController()
  const signals = localSignals()
  const readers = new LiveReaders(signals)
  const answers = Array.from({ length: 3 }, () =>
    liveResponse(readers, key('one'), { kinds: new Set(['run']) }, stop.signal, lasting, admitted),
  )
  let read = 0
  const change = (kind: ViewChange['kind']): ViewChange => ({
    kind,
    workspace_uuid: 'w-1',
    data: {
      toJSON() {
        read += 1
        return { name: 'told' }
      },
    },
  })
  signals.view(change('log'))
  expect(read).toBe(0)
  signals.view(change('run'))
  expect(read).toBe(1)
  stop.abort()
  for (const answer of answers) {
    const text = await answer.text()
    expect(text).toContain('"kind":"run"')
    expect(text).not.toContain('w-1')
  }
})
