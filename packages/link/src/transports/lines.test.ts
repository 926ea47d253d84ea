/** Framing of stdio: every way to cut the bytes, prints around frames, chunk lines, and hostile lines. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LinkError, type LinkLimits, resolveLimits } from '../index.ts'
import { chunkLines, PIECE_BYTES } from './chunks.ts'
import { LineReader } from './lines.ts'

interface Read {
  readonly messages: string[]
  readonly noise: string[]
  readonly faults: string[]
}

function reader(limits?: Partial<LinkLimits>): { read: Read; push: (text: string | Buffer) => void; end: () => void } {
  const read: Read = { messages: [], noise: [], faults: [] }
  const lines = new LineReader(
    {
      message: (text, bytes) => {
        expect(bytes).toBe(Buffer.byteLength(text))
        read.messages.push(text)
      },
      noise: (text) => read.noise.push(text),
      fault: ({ kind }) => read.faults.push(kind),
    },
    resolveLimits(limits),
  )
  return { read, push: (text) => lines.push(Buffer.from(text)), end: () => lines.end() }
}

function broken(run: () => void): LinkError {
  try {
    run()
  } catch (error) {
    if (LinkError.is(error)) return error
    throw error
  }
  return expect.fail('nothing was refused')
}

const FRAME = '{"seq_id": 1, "code": 0, "message": "success", "data": {"t": "你好 😀"}}'

test('[D117] one byte at a time: characters that span two reads arrive intact', () => {
  const { read, push } = reader()
  for (const byte of Buffer.from(`{"t":"你好"}\n${FRAME}\r\n\n  \n${FRAME}\n`)) push(Buffer.from([byte]))
  expect(read).toEqual({ messages: ['{"t":"你好"}', FRAME, FRAME], noise: [], faults: [] })
})

test('every split point of prints, frames, chunk lines and a glued print gives the same', () => {
  const large = `{"seq_id":2,"code":0,"text":"${'é😀"'.replaceAll('"', '\\"').repeat(2500)}"}`
  const bytes = Buffer.from(`banner é\n${FRAME}\nno end${FRAME}\n${chunkLines(large, Buffer.byteLength(large))}last\n`)
  const expected = { messages: [FRAME, FRAME, large], noise: ['banner é', 'no end', 'last'], faults: [] }
  for (let at = 0; at <= bytes.length; at += at < 300 || at > bytes.length - 300 ? 1 : 37) {
    const { read, push } = reader()
    push(bytes.subarray(0, at))
    push(bytes.subarray(at))
    expect(read).toEqual(expected)
  }
})

test('any messages, cut anywhere, come out as they went in', () => {
  const message = fc.oneof(
    fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', maxLength: 200 })),
    fc.integer({ min: 0, max: 12_000 }).map((n) => ({ long: '"é😀\\'.repeat(n) })),
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 50_000 })), (values, cuts) => {
      const texts = values.map((value) => JSON.stringify({ seq_id: 1, ...value }))
      const framed = texts.map((text) => {
        const size = Buffer.byteLength(text)
        return size > PIECE_BYTES ? chunkLines(text, size) : `${text}\n`
      })
      const bytes = Buffer.from(framed.join(''))
      const { read, push } = reader()
      let at = 0
      for (const cut of cuts) {
        push(bytes.subarray(at, at + cut))
        at += cut
      }
      push(bytes.subarray(at))
      expect(read).toEqual({ messages: texts, noise: [], faults: [] })
    }),
    { numRuns: 100 },
  )
})

describe('chunk lines', () => {
  test('pieces have at most 16,384 bytes, end between characters, and no line exceeds 65,536 bytes', () => {
    for (const unit of ['x', 'é', '漢', '😀', '"', '\\', '\u0001']) {
      const text = JSON.stringify({ t: unit.repeat(30_000) })
      const lines = chunkLines(text, Buffer.byteLength(text)).trimEnd().split('\n')
      const pieces = lines.slice(1, -1).map((line) => JSON.parse(line))
      expect(pieces.map(({ data }) => data).join('')).toBe(text)
      let offset = 0
      for (const { data, offset: given } of pieces) {
        expect(given).toBe(offset)
        expect(data.isWellFormed()).toBe(true)
        offset += Buffer.byteLength(data)
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(PIECE_BYTES)
      }
      expect(JSON.parse(lines[0] ?? '')).toEqual({ type: 'chunk_start', total_size: offset })
      for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThan(65_536)
    }
  })

  test('outside a run they are noise; inside a run everything else is', () => {
    const { read, push } = reader()
    push('{"type": "chunk_data", "data": "x", "offset": 0}\n{"type": "chunk_end"}\n')
    push(
      '{"type": "chunk_start", "total_size": 12}\n{"seq_id": 9}\nprint\n{"type":"chunk_data","data":"{\\"seq_id\\":1}","offset":0}\n',
    )
    push('{"type": "chunk_end"}\n{"type": "other", "seq_id": 3}\n')
    expect(read.messages).toEqual(['{"seq_id":1}', '{"type": "other", "seq_id": 3}'])
    expect(read.noise.length).toBe(4)
  })

  test('a print glued in front of a chunk line is cut off', () => {
    const { read, push } = reader()
    push('hm {"type": "chunk_start", "total_size": 12}\n')
    push(
      '{"looks": "like JSON"}{"type": "chunk_data", "data": "{\\"seq_id\\":1}", "offset": 0}\n{"type": "chunk_end"}\n',
    )
    expect(read).toEqual({ messages: ['{"seq_id":1}'], noise: ['hm ', '{"looks": "like JSON"}'], faults: [] })
  })

  test.each([
    ['no size', '{"type": "chunk_start"}\n', 'total_size'],
    ['a negative size', '{"type": "chunk_start", "total_size": -1}\n', 'total_size'],
    ['a size above the limit', '{"type": "chunk_start", "total_size": 16777217}\n', 'messageBytes'],
    [
      'a wrong offset',
      '{"type": "chunk_start", "total_size": 9}\n{"type": "chunk_data", "data": "a", "offset": 5}\n',
      'offset',
    ],
    ['no text', '{"type": "chunk_start", "total_size": 9}\n{"type": "chunk_data", "offset": 0}\n', 'no text'],
    [
      'too much',
      '{"type": "chunk_start", "total_size": 1}\n{"type": "chunk_data", "data": "ab", "offset": 0}\n',
      'more than',
    ],
    ['too little', '{"type": "chunk_start", "total_size": 1}\n{"type": "chunk_end"}\n', '0 of the announced 1'],
  ])('%s is refused', (_, lines, names) => {
    const { push } = reader()
    expect(broken(() => push(lines)).message).toContain(names)
  })

  test('a flood of lines in a run is refused at the limit, prints counted', () => {
    const run = (lines: number): LinkError | undefined => {
      const { push, read } = reader()
      push('{"type": "chunk_start", "total_size": 2}\n{"type": "chunk_data", "data": "{}", "offset": 0}\n')
      try {
        push(`${'x\n'.repeat(lines - 1)}{"type": "chunk_end"}\n`)
      } catch (error) {
        if (LinkError.is(error)) return error
      }
      expect(read.messages).toEqual(['{}'])
      return undefined
    }
    expect(run(4096)).toBeUndefined()
    expect(run(4097)).toMatchObject({ limit: 'chunkLines', message: expect.stringContaining('4096') })
  })
})

describe('prints', () => {
  test('a frame behind a print without line end is found, in every spelling', () => {
    const { read, push } = reader()
    const frames = [
      '{"seq_id": 1, "code": NaN}',
      '{"seq_id":2,"code":0}',
      '{"stream_index": 1, "seq_id": 3}',
      '{"stream_index":4}',
    ]
    for (const frame of frames) push(`half {"seq_id" of it${frame}\n`)
    expect(read.messages).toEqual(frames)
    expect(new Set(read.noise)).toEqual(new Set(['half {"seq_id" of it']))
  })

  test('a frame of unusual order is not searched for frames inside it', () => {
    const { read, push } = reader()
    const odd = '{"action": "__cancel_action", "data": {"seq_id": 3}, "seq_id": 5}'
    push(`${odd}\n`)
    expect(read).toEqual({ messages: [odd], noise: [], faults: [] })
  })

  test('a print that is not UTF-8, carriage returns, blank lines', () => {
    const { read, push } = reader()
    push(Buffer.from([0xff, 0xfe, 0x20, 0x6e, 0x0a]))
    push('\r\n\n \t \n10%\r20%\r\n')
    expect(read.noise).toEqual(['\ufffd\ufffd n', '10%\r20%'])
  })

  test('a print without line end is dropped at the limit, cut in the log, and what follows is read', () => {
    const { read, push } = reader({ lineBytes: 1000, noiseBytes: 10 })
    for (let i = 0; i < 100; i++) push('y'.repeat(100))
    push(`end\n${FRAME}\n`)
    expect(read).toEqual({ messages: [FRAME], noise: ['y'.repeat(10)], faults: ['line_dropped'] })
  })

  test('a long print is cut for the log, never within a character', () => {
    const { read, push } = reader({ noiseBytes: 5 })
    push(`1234${'😀'.repeat(10)}\n`)
    expect(read.noise).toEqual(['1234'])
  })

  test('the last line needs no end', () => {
    const { read, push, end } = reader()
    push(FRAME)
    end()
    expect(read.messages).toEqual([FRAME])
  })
})

test('a frame without end is refused at the limit', () => {
  const { push } = reader({ lineBytes: 1000 })
  push(`{"seq_id": 1, "data": "`)
  const error = broken(() => {
    for (let i = 0; i < 100; i++) push('y'.repeat(100))
  })
  expect(error).toMatchObject({ code: 'too_large', limit: 'lineBytes', message: expect.stringContaining('1000') })
})

test('a trickle of single bytes costs memory and time as one block does', () => {
  const { read, push } = reader()
  const byte = Buffer.from('z')
  const begin = performance.now()
  for (let i = 0; i < 1_000_000; i++) push(byte)
  push('\n')
  expect(performance.now() - begin).toBeLessThan(5000)
  expect(read.noise).toEqual(['z'.repeat(8192)])
})
