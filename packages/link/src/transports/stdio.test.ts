/** What the stdio transport promises about writing: order, one write for a tick, patience, and the ends of streams. */
import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { type CloseReason, createPeer, LinkError, type LinkLimits, type Transport } from '../index.ts'
import { stdioTransport } from './stdio.ts'

interface Ends {
  readonly transport: Transport
  readonly input: PassThrough
  /** Each write as the stream saw it. */
  readonly writes: string[]
  readonly messages: string[]
  readonly closed: Promise<CloseReason>
  /** Lets the writes through that were held back. */
  release(): void
}

function ends(options: { hold?: boolean; limits?: Partial<LinkLimits> } = {}): Ends {
  const writes: string[] = []
  const held: (() => void)[] = []
  let holding = options.hold === true
  const output = new Writable({
    write(bytes: Buffer, _encoding, done) {
      writes.push(bytes.toString('utf8'))
      if (holding) held.push(done)
      else done()
    },
  })
  const input = new PassThrough()
  const transport = stdioTransport({ input, output, limits: options.limits })
  const messages: string[] = []
  const closed = new Promise<CloseReason>((resolve) => {
    transport.start({ message: (text) => messages.push(text), noise: () => {}, closed: resolve })
  })
  const release = (): void => {
    holding = false
    for (const done of held) done()
  }
  return { transport, input, writes, messages, closed, release }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('the first messages of a tick are written at once, the rest in one write, in order', async () => {
  const { transport, writes } = ends()
  for (let n = 0; n < 100; n++) transport.send(`{"n":${n}}`)
  expect(writes.length).toBe(2)
  await tick()
  expect(writes.length).toBe(3)
  expect(writes.join('')).toBe(Array.from({ length: 100 }, (_, n) => `{"n":${n}}\n`).join(''))
})

test('a conversation in turns is written at once, each message', async () => {
  const { transport, input, writes, messages } = ends()
  for (let n = 0; n < 5; n++) {
    input.write(`{"seq_id":${n}}\n`)
    await tick()
    transport.send(`{"n":${n}}`)
    expect(writes.length).toBe(n + 1)
  }
  expect(messages.length).toBe(5)
})

test('nothing comes between the lines of a large message', async () => {
  const { transport, writes } = ends()
  const large = JSON.stringify({ text: 'é'.repeat(40_000) })
  for (const text of ['{"a":1}', large, '{"b":1}', large, '{"c":1}']) transport.send(text)
  await tick()
  const kinds = writes
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => /^\{"type": "(\w+)"/.exec(line)?.[1] ?? line)
  const run = ['chunk_start', ...Array(5).fill('chunk_data'), 'chunk_end']
  expect(kinds).toEqual(['{"a":1}', ...run, '{"b":1}', ...run, '{"c":1}'])
})

test('exactly 16,384 bytes stay one line', async () => {
  const { transport, writes } = ends()
  const text = `{"t":"${'x'.repeat(16_384 - 8)}"}`
  expect(text.length).toBe(16_384)
  transport.send(text)
  transport.send(`${text} `)
  await tick()
  expect(writes[0]).toBe(`${text}\n`)
  expect(writes[1]?.startsWith('{"type": "chunk_start", "total_size": 16385}\n')).toBe(true)
})

test('send asks for patience while the other side does not read, and is done with it once it reads', async () => {
  const { transport, release } = ends({ hold: true })
  expect(transport.send('{"small":1}')).toBeNull()
  const wait = transport.send(JSON.stringify({ text: 'x'.repeat(200_000) }))
  expect(wait).toBeInstanceOf(Promise)
  let over = false
  void wait?.then(() => {
    over = true
  })
  await tick()
  expect(over).toBe(false)
  release()
  await wait
  expect(transport.send('{"small":1}')).toBeNull()
})

test('a side that never reads costs at most queueBytes, and then its connection', async () => {
  const input = new PassThrough()
  const output = new Writable({ write: () => {} })
  const transport = stdioTransport({ input, output, limits: { queueBytes: 1_000_000 } })
  const peer = createPeer({ transport, handler: () => ({ text: 'x'.repeat(100_000) }) })
  for (let n = 0; n < 20; n++) input.write(`{"seq_id": ${n}, "action": "x", "data": {}}\n`)
  expect(await peer.closed).toEqual({ why: 'protocol', detail: expect.stringContaining('queueBytes (1000000)') })
})

test('the last words of a child that exits are read, though its input is gone first', async () => {
  const input = new PassThrough()
  const output = new Writable({ write: (_bytes, _encoding, done) => done() })
  const transport = stdioTransport({ input, output })
  const messages: string[] = []
  const closed = new Promise((resolve) => {
    transport.start({ message: (text) => messages.push(text), noise: () => {}, closed: resolve })
  })
  output.destroy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(() => transport.send('{}')).toThrow('closed')
  input.end('{"seq_id": 1}\n{"seq_id": 2}')
  expect(await closed).toEqual({ why: 'remote', detail: 'the other side closed its output' })
  expect(messages).toEqual(['{"seq_id": 1}', '{"seq_id": 2}'])
})

test('an output that a grandchild holds open keeps nobody waiting', async () => {
  const output = new Writable({ write: (_bytes, _encoding, done) => done() })
  const peer = createPeer({ transport: stdioTransport({ input: new PassThrough(), output }), handler: () => ({}) })
  const call = peer.call('x', {})
  output.destroy()
  await expect(call).rejects.toMatchObject({ code: 'closed' })
  expect(await peer.closed).toEqual({ why: 'remote', detail: 'the other side closed its input' })
})

test('close waits until the last bytes are written, but not for ever', async () => {
  const { transport, writes } = ends()
  for (let n = 0; n < 10; n++) transport.send(`{"n":${n}}`)
  await transport.close()
  expect(writes.join('').trimEnd().split('\n').length).toBe(10)
  const deaf = ends({ hold: true })
  deaf.transport.send('{}')
  const begin = performance.now()
  await deaf.transport.close()
  expect(performance.now() - begin).toBeLessThan(3000)
})

test('messages above the limit are refused before anything is written', () => {
  const { transport, writes } = ends({ limits: { messageBytes: 1000 } })
  expect(() => transport.send('x'.repeat(6001))).toThrow(LinkError)
  expect(writes).toEqual([])
})

test('after close nothing is sent; what was gathered before is', async () => {
  const { transport, writes, closed } = ends()
  for (let n = 0; n < 10; n++) transport.send(`{"n":${n}}`)
  await transport.close('enough')
  await transport.close('again')
  expect(await closed).toEqual({ why: 'local', detail: 'enough' })
  expect(() => transport.send('{}')).toThrow('closed')
  await tick()
  expect(writes.join('').trimEnd().split('\n').length).toBe(10)
})

test('the end of input, a failing input, and a broken pipe each end the connection with the reason', async () => {
  const first = ends()
  first.input.write('{"seq_id": 1, "last": true}')
  first.input.end()
  expect(await first.closed).toMatchObject({ why: 'remote' })
  expect(first.messages).toEqual(['{"seq_id": 1, "last": true}'])
  const second = ends()
  second.input.destroy(new Error('torn'))
  expect(await second.closed).toEqual({ why: 'error', detail: 'reading failed: torn' })
  const output = new Writable({ write: (_bytes, _encoding, done) => done(new Error('EPIPE')) })
  const transport = stdioTransport({ input: new PassThrough(), output })
  const peer = createPeer({ transport, handler: () => ({}) })
  const call = peer.call('x', {})
  await expect(call).rejects.toMatchObject({ code: 'closed' })
  expect(await peer.closed).toEqual({ why: 'remote', detail: 'writing failed: EPIPE' })
})

test('a broken rule of chunk lines ends the connection with why "protocol"', async () => {
  const { input, closed } = ends()
  input.write('{"type": "chunk_start", "total_size": 5}\n{"type": "chunk_end"}\n')
  expect(await closed).toEqual({ why: 'protocol', detail: 'Chunks hold 0 of the announced 5 bytes.' })
})
