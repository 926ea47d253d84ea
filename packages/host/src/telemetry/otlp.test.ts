/** The way to a collector: a bound on what waits, and one line now and then when nobody takes it. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Logger } from '../logger.ts'
import { Counter } from './metric-values.ts'
import { Otlp, QUEUE_MAX, tracesUrl } from './otlp.ts'
import type { SpanData } from './spans.ts'
import { freshSpanId, traceOfEvent } from './trace-ids.ts'

let status = 200
let url = ''
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(status).end('{}'))
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://user:pl4nted@127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function span(): SpanData {
  const { traceId } = traceOfEvent('e')
  const ids = { traceId, spanId: freshSpanId(), parentId: null }
  return { ...ids, name: 'one', kind: 0, start: 1, end: 2, attributes: {}, error: null }
}

function started(endpoint: string) {
  const lines: string[] = []
  let now = 1_000_000
  const note = (details: object, message: string): void => void lines.push(`${message} ${JSON.stringify(details)}`)
  const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger }
  const count = new Counter()
  const clock = { now: () => now }
  const otlp = new Otlp({ endpoint, delayMs: 1, clock, logger, count, version: 'v0', instanceUuid: 'i' })
  return {
    otlp,
    lines,
    later: (ms: number) => {
      now += ms
    },
    counted: () => Object.fromEntries([...count.samples()].map(([labels, value]) => [labels[0], value])),
  }
}

test('who is away is named once a minute, with how much was lost, and again when they are back; never with a password', async () => {
  const { otlp, lines, later, counted } = started(url)
  async function sent(outcome: 'exported' | 'failed', total: number): Promise<void> {
    otlp.add(span())
    await vi.waitFor(() => expect(counted()[outcome]).toBe(total), 10_000)
  }
  status = 400
  for (let index = 1; index <= 3; index++) await sent('failed', index)
  expect(lines).toHaveLength(1)
  later(61_000)
  await sent('failed', 4)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('"lost":4')
  status = 200
  await sent('exported', 1)
  expect(lines).toHaveLength(3)
  expect(lines[2]).toMatch(/takes traces again .*"lost":4/)
  expect(lines.join('')).not.toContain('pl4nted')
  await otlp.stop()
})

test('more than a collector can take is dropped and counted, and nothing grows', async () => {
  const { otlp, counted } = started('http://127.0.0.1:9')
  for (let index = 0; index < QUEUE_MAX + 500; index++) otlp.add(span())
  expect(counted()).toEqual({ dropped: 500 })
  const began = performance.now()
  await otlp.stop()
  expect(performance.now() - began).toBeLessThan(4_000)
  otlp.add(span())
  expect(counted().dropped).toBe(500)
})

test('the path of traces is added to a base URL, and kept where it stands', () => {
  expect(tracesUrl('http://c:4318')).toBe('http://c:4318/v1/traces')
  expect(tracesUrl('https://c/otlp/')).toBe('https://c/otlp/v1/traces')
  expect(tracesUrl('http://c:4318/v1/traces')).toBe('http://c:4318/v1/traces')
})
