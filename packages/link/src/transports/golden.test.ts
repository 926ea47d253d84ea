/** Recordings of real Python plugins, read as our link would: exactly the recorded messages, nothing else. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { splitGlued } from '../glue.ts'
import { createPeer, type LinkFault, parse, type Transport, type TransportEvents } from '../index.ts'
import { resolveLimits } from '../limits.ts'
import { LineReader } from './lines.ts'

interface Entry {
  readonly dir: 'plugin>host' | 'host>plugin'
  readonly raw: string
  readonly parsed: unknown
  readonly message?: unknown
  readonly glued?: boolean
}

const FOLDER = new URL('../../fixtures/', import.meta.url)
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))

function entries(name: string): Entry[] {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').trimEnd().split('\n').slice(1)
  return lines.map((line) => JSON.parse(line))
}

/** Recordings spell a number that JSON does not know as an object. */
function named(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return { $nonfinite: String(value).toLowerCase() }
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(named)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, named(item)]))
}

function isChunkLine(parsed: unknown): boolean {
  return JSON.stringify(parsed ?? null).startsWith('{"type":"chunk_')
}

/** What a reader must find: whole messages, chunked ones joined. */
function expected(all: readonly Entry[]): unknown[] {
  return all.flatMap((entry) => {
    if (entry.message !== undefined) return [entry.message]
    return entry.parsed === null || isChunkLine(entry.parsed) ? [] : [entry.parsed]
  })
}

test('there are recordings', () => expect(NAMES.length).toBeGreaterThanOrEqual(5))

test.each(NAMES)('%s: both directions, whole and torn', (name) => {
  // The recording that breaks a rule on purpose ends there; only what came before is readable.
  const all = entries(name)
  for (const dir of ['plugin>host', 'host>plugin'] as const) {
    const side = all.filter((entry) => entry.dir === dir)
    const bytes = Buffer.from(side.map(({ raw }) => `${raw}\n`).join(''))
    for (const step of [bytes.length, 1, 7, 4096]) {
      const found: unknown[] = []
      const lines = new LineReader(
        {
          message: (text) => {
            // A print that is an object by itself belongs to the peer, which sorts it out.
            const glued = splitGlued(text)
            try {
              found.push(named(parse(text)))
            } catch {
              if (glued !== null) found.push(named(parse(glued.frame)))
            }
          },
          noise: () => {},
        },
        resolveLimits(),
      )
      const read = (): void => {
        for (let at = 0; at < bytes.length; at += step) lines.push(bytes.subarray(at, at + step))
      }
      if (name === 'chunk-errors.jsonl' && dir === 'host>plugin') expect(read).toThrow('offset 5 where 0')
      else read()
      expect(found).toEqual(expected(side))
    }
  }
})

test.each(NAMES)('%s: our peer answers the recorded host without a fault and as the plugin did', (name) => {
  const all = entries(name)
  const sent: string[] = []
  const faults: LinkFault[] = []
  let events: TransportEvents | undefined
  const transport: Transport = {
    kind: 'stdio',
    start: (given) => {
      events = given
    },
    send: (text) => {
      sent.push(text)
      return null
    },
    close: async () => {},
  }
  createPeer({ transport, handler: () => ({}), onFault: (met) => faults.push(met) })
  const pings = all.filter(
    ({ dir, parsed }) => dir === 'host>plugin' && JSON.stringify(parsed ?? 0).includes('"__ping"'),
  )
  for (const { raw } of pings) events?.message(raw.trim(), raw.length)
  const answers = sent.map((text) => JSON.parse(text)).map(({ seq_id, code }) => ({ seq_id, code }))
  const asked = new Set(pings.map((_, index) => index))
  const recorded = all
    .filter(({ dir, parsed }) => dir === 'plugin>host' && isAnswerToPing(parsed, pings))
    .map(({ parsed }) => ({ seq_id: Reflect.get(Object(parsed), 'seq_id'), code: Reflect.get(Object(parsed), 'code') }))
  expect(answers.length).toBe(asked.size)
  expect(answers).toEqual(recorded)
  expect(faults.every(({ kind }) => kind === 'invalid_request')).toBe(true)
})

function isAnswerToPing(parsed: unknown, pings: readonly Entry[]): boolean {
  if (typeof parsed !== 'object' || parsed === null || !('code' in parsed)) return false
  const seqId = Reflect.get(parsed, 'seq_id')
  return pings.some((ping) => (Reflect.get(Object(ping.parsed), 'seq_id') ?? -1) === seqId)
}
