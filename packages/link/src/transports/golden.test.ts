/** Recordings of real Python plugins, read as our link would: exactly the recorded messages, nothing else. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rawEnd } from '../fixtures/raw-end.ts'
import { splitGlued } from '../glue.ts'
import { parse } from '../index.ts'
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

test('envelopes.jsonl: our peer answers each recorded ping, good or bad, as the plugin did', () => {
  const all = entries('envelopes.jsonl')
  const end = rawEnd({ kind: 'stdio' })
  const pings = all.filter(({ dir, raw }) => dir === 'host>plugin' && raw.includes('"__ping"'))
  for (const { raw } of pings) end.give(raw.trim())
  const asked = new Set<unknown>(pings.map(({ parsed }) => key(parsed, 'seq_id') ?? -1))
  const recorded = all.filter(({ dir, parsed }) => dir === 'plugin>host' && asked.has(key(parsed, 'seq_id')))
  const outcome = (answer: unknown): unknown[] => [key(answer, 'seq_id'), key(answer, 'code')]
  expect(recorded.length).toBe(9)
  expect(end.sent.map(outcome)).toEqual(recorded.map(({ parsed }) => outcome(parsed)))
})

function key(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
