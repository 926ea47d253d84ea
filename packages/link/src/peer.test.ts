/** What a peer promises, on every transport: the same body over memory, WebSocket and a real child process. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAIRS, type Pair, stdioPair } from './fixtures/pairs.ts'
import { LinkError, type Peer, RemoteError } from './index.ts'

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const item of items) all.push(item)
  return all
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error) => error,
  )
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 5000
  while (!(await holds())) {
    if (performance.now() > deadline) expect.fail('did not happen within 5 s')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe.each(['memory', 'websocket', 'stdio'] as const)('%s', (kind) => {
  let shared: Pair
  let peer: Peer

  beforeAll(async () => {
    shared = await PAIRS[kind]()
    peer = shared.peer
  })

  afterAll(() => shared.end())

  test('answers calls, one after the other and many at once, whatever the order of the answers', async () => {
    expect(await peer.call('echo', { a: [1, null, 'é'], b: { c: true } })).toEqual({
      a: [1, null, 'é'],
      b: { c: true },
    })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => peer.call(n % 3 === 0 ? 'echo_later' : 'echo', { n })),
    )
    expect(answers.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n))
    expect(peer.pending).toBe(0)
  })

  test('carries numbers and texts that plain JSON loses', async () => {
    const data = {
      big: 2n ** 70n,
      nan: Number.NaN,
      low: Number.NEGATIVE_INFINITY,
      half: '\ud83d',
      wide: '你好😀\u2028',
    }
    expect(await peer.call('echo', data)).toEqual(data)
  })

  test('carries keys of the prototype as plain data', async () => {
    const data = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}')
    const answer = await peer.call('echo', data)
    expect(JSON.stringify(answer)).toBe(JSON.stringify(data))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('carries 3 MiB of wide text both ways, and small calls beside it', async () => {
    const text = '漢"\\é😀'.repeat(220_000)
    const [large, small] = await Promise.all([peer.call('echo', { text }), peer.call('echo', { small: 1 })])
    expect(large.text === text).toBe(true)
    expect(small).toEqual({ small: 1 })
  })

  test('[D7] a message above the limit fails alone; the next call on the same connection succeeds', async () => {
    const error = await failure(peer.call('echo', { text: 'x'.repeat(17 << 20) }))
    expect(error).toBeInstanceOf(LinkError)
    expect(error).toMatchObject({ code: 'too_large', limit: 'messageBytes' })
    const answer = await failure(peer.call('large_answer', { length: 17 << 20 }))
    expect(answer).toMatchObject({ reason: 'too_large', message: expect.stringContaining('messageBytes') })
    expect(await peer.call('echo', { ok: 1 })).toEqual({ ok: 1 })
  })

  test('gives the structured error of a handler, and class and text of any other', async () => {
    const refused = await failure(peer.call('refuse', {}))
    expect(refused).toBeInstanceOf(RemoteError)
    expect(refused).toMatchObject({
      message: 'There is no such thing.',
      code: 'host.action_error',
      reason: 'not_found',
      data: { error: { retryable: false, details: { reason: 'not_found', id: 'x' } } },
    })
    expect(await failure(peer.call('crash', {}))).toMatchObject({ message: 'TypeError: that went wrong', data: {} })
    expect(await failure(peer.call('nothing', {}))).toMatchObject({ reason: 'unknown_method' })
    const long = await failure(peer.call('long_error', {}))
    expect(long).toMatchObject({ message: `Error: ${'e'.repeat(4089)} [cut]` })
    expect(await failure(peer.call('circular_answer', {}))).toMatchObject({ reason: 'internal' })
  })

  test('both sides may ask, also while they are asked', async () => {
    expect(await peer.call('ask_back', { action: 'anything' })).toEqual({
      answer: { asked: true, data: { action: 'anything' } },
    })
  })

  test('answers a ping itself', async () => {
    expect(await peer.call('__ping', {})).toEqual({ alive: true })
  })

  test('streams in order to the end, and a stream of one plain answer', async () => {
    const before = shared.faults.length
    expect(await collect(peer.stream('count', { to: 100 }))).toEqual(
      Array.from({ length: 100 }, (_, i) => ({ n: i + 1 })),
    )
    expect(await collect(peer.stream('count', { to: 0 }))).toEqual([])
    expect(await collect(peer.stream('one_item', {}))).toEqual([{ only: true }])
    expect(shared.faults.slice(before)).toEqual([])
  })

  test('a producer stops at 8 frames ahead of a consumer that does nothing', async () => {
    await peer.call('reset', {})
    const items = peer.stream('count', { to: 1000 })[Symbol.asyncIterator]()
    for (let n = 1; n <= 4; n++) expect(await items.next()).toEqual({ done: false, value: { n } })
    await new Promise((resolve) => setTimeout(resolve, 50))
    // Frame 4 is not processed until the next one is asked for. The ninth waits in the producer's hand.
    expect((await peer.call('seen', {})).produced).toBe(9)
    await items.next()
    await until(async () => (await peer.call('seen', {})).produced === 13)
    await items.return?.()
    await until(async () => (await peer.call('seen', {})).cleaned === 1)
  })

  test('leaving a stream early cancels it at the other side', async () => {
    await peer.call('reset', {})
    for await (const { n } of peer.stream('count', { to: 1_000_000 })) if (n === 20) break
    await until(async () => (await peer.call('seen', {})).cleaned === 1)
    expect(Number((await peer.call('seen', {})).produced)).toBeLessThan(40)
    expect(peer.pending).toBeLessThan(2)
  })

  test('an error in a stream comes after its frames', async () => {
    const met: unknown[] = []
    const reading = (async () => {
      for await (const item of peer.stream('count_then_fail', { to: 3 })) met.push(item)
    })()
    expect(await failure(reading)).toMatchObject({ message: 'The stream broke.', reason: 'platform_failed' })
    expect(met).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  test('a frame above the limit ends the stream with an error that names the limit', async () => {
    const reading = collect(peer.stream('count', { to: 3, text: 'x'.repeat(1 << 20) }))
    expect(await failure(reading)).toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('frameBytes'),
    })
  })

  test('aborting a call rejects at once with the reason and aborts the handler', async () => {
    await peer.call('reset', {})
    const controller = new AbortController()
    const call = failure(peer.call('hang', {}, { signal: controller.signal }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const reason = new Error('changed my mind')
    controller.abort(reason)
    expect(await call).toBe(reason)
    await until(async () => JSON.stringify((await peer.call('seen', {})).aborted) === '["hang"]')
    expect(await failure(peer.call('echo', {}, { signal: controller.signal }))).toBe(reason)
  })

  test('a deadline of 50 ms ends a call within about 20 ms more, and tells the handler', async () => {
    await peer.call('reset', {})
    await peer.call('__ping', {})
    const begin = performance.now()
    const error = await failure(peer.call('hang', {}, { timeoutMs: 50 }))
    const took = performance.now() - begin
    expect(error).toMatchObject({ code: 'timeout', message: 'hang was not answered within 50 ms.' })
    expect(took).toBeGreaterThan(48)
    expect(took).toBeLessThan(200)
    await until(async () => JSON.stringify((await peer.call('seen', {})).aborted) === '["hang"]')
  })

  test('[D5] when the other side dies, 3 calls and 1 stream fail within 100 ms', async () => {
    const { peer, kill, end } = await PAIRS[kind]()
    const items = peer.stream('hang', {}, { timeoutMs: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
    const waiting = [items.next(), ...[1, 2, 3].map(() => peer.call('hang', {}))].map(failure)
    await peer.call('__ping', {})
    const begin = performance.now()
    kill()
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'closed' })
    expect(performance.now() - begin).toBeLessThan(kind === 'stdio' ? 500 : 100)
    expect(await peer.closed).toMatchObject({ why: 'remote' })
    expect(await failure(peer.call('echo', {}))).toMatchObject({ code: 'closed' })
    await end()
  })

  test('closing twice is the same as once, and ends what waits', async () => {
    const { peer, end } = await PAIRS[kind]()
    const call = failure(peer.call('hang', {}))
    await Promise.all([peer.close('done'), peer.close('again')])
    expect(await call).toMatchObject({ code: 'closed', message: 'The connection is gone: done.' })
    expect(await peer.closed).toEqual({ why: 'local', detail: 'done' })
    await end()
  })

  test('files go both ways and can be taken once', async () => {
    const key = await peer.sendFile(new Uint8Array(100_000).fill(3), { extension: 'pdf' })
    expect(key).toMatch(/^ft1_[0-9a-f]{64}\.pdf$/)
    expect(await peer.call('take_file', { key })).toEqual({ length: 100_000, sum: 300_000 % 65_536 })
    expect(await peer.call('take_file', { key })).toEqual({ length: -1, sum: -1 })
    const empty = await peer.sendFile(new Uint8Array(0))
    expect(await peer.call('take_file', { key: empty })).toEqual({ length: 0, sum: 0 })
    const given = String((await peer.call('give_file', { length: 40_000 })).key)
    const taken = await peer.takeFile(given)
    expect(taken).toEqual(new Uint8Array(40_000).fill(7))
    expect(await peer.takeFile(given)).toBeUndefined()
  })
})

test('[D13] prints of a child, with and without line end, disturb nothing and reach the log', async () => {
  const pair = await stdioPair('noisy')
  for (let n = 0; n < 20; n++) expect(await pair.peer.call('echo', { n })).toEqual({ n })
  expect((await collect(pair.peer.stream('count', { to: 30 }))).length).toBe(30)
  expect(pair.noise.slice(0, 2)).toEqual(['Running plugin in current directory', '{not json}'])
  expect(pair.noise).toContain('{"level": "info"}')
  expect(pair.noise).toContain('{"x":')
  expect(pair.noise).toContain('no line end')
  expect(pair.faults).toEqual([])
  await pair.end()
})
