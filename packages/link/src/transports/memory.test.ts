/** What is special to the memory transport: nothing shared, later delivery, back-pressure, and no Node import in it. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createPeer } from '../index.ts'
import { memoryTransports } from './memory.ts'

const SOURCES = dirname(dirname(fileURLToPath(import.meta.url)))

test('a message is delivered later and shares nothing', async () => {
  const [near, far] = memoryTransports()
  const seen: unknown[] = []
  createPeer({
    transport: far,
    handler: ({ data }) => {
      seen.push(data)
      return data
    },
  })
  const peer = createPeer({ transport: near, handler: () => ({}) })
  const data = { list: [1] }
  const answer = peer.call('x', data)
  data.list.push(2)
  expect(seen).toEqual([])
  expect(await answer).toEqual({ list: [1] })
  await peer.close()
})

test('send asks for patience above 64 KiB, throws above queueBytes and after the end', async () => {
  const [near, far] = memoryTransports({ limits: { queueBytes: 200_000 } })
  expect(near.send('x'.repeat(60_000))).toBeNull()
  const wait = near.send('x'.repeat(60_000))
  expect(wait).toBeInstanceOf(Promise)
  expect(() => near.send('x'.repeat(100_000))).toThrow('queueBytes (200000)')
  const texts: string[] = []
  far.start({ message: (text) => texts.push(text), noise: () => {}, closed: () => {} })
  await wait
  expect(texts.length + 2).toBeGreaterThanOrEqual(2)
  await near.close()
  expect(() => near.send('{}')).toThrow('closed')
})

test('what was sent before the close still arrives', async () => {
  const [near, far] = memoryTransports()
  const texts: string[] = []
  const closed = new Promise((resolve) =>
    far.start({ message: (text) => texts.push(text), noise: () => {}, closed: resolve }),
  )
  near.send('{"last":1}')
  await near.close('bye')
  expect(await closed).toEqual({ why: 'remote', detail: 'bye' })
  expect(texts).toEqual(['{"last":1}'])
})

test('a busy pair does not starve timers', async () => {
  const [near, far] = memoryTransports()
  createPeer({ transport: far, handler: ({ data }) => data })
  const peer = createPeer({ transport: near, handler: () => ({}) })
  let over = false
  const busy = (async () => {
    while (!over) await peer.call('x', {})
  })()
  await new Promise((resolve) => setTimeout(resolve, 20))
  over = true
  await busy
  await peer.close()
})

test('the entry and the memory transport import nothing from Node, and no ws', () => {
  const seen = new Set<string>()
  const outside: string[] = []
  const walk = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)[^'\n]*?from '([^']+)'/gm)) {
      if (from.startsWith('.')) walk(join(dirname(file), from))
      else outside.push(from)
    }
  }
  walk(join(SOURCES, 'index.ts'))
  walk(join(SOURCES, 'transports/memory.ts'))
  expect(seen.size).toBeGreaterThan(15)
  expect([...new Set(outside)]).toEqual(['@runbound/protocol'])
})
