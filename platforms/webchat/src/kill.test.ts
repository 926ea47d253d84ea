import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordingServices } from '@runbound/platform-kit/scriptable'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWebchat } from './adapter.ts'
import { plainText } from './chains.ts'
import { LIMITS } from './limits.ts'
import type { Message } from './model.ts'
import { FakePage } from './testing/fake-page.ts'

const CHILD = fileURLToPath(new URL('./testing/kill-child.ts', import.meta.url))

/** What the child said before it died, line by line: the oracle, which is not in the process that is killed. */
class Oracle {
  readonly lines: string[][] = []

  of(word: string): string[][] {
    return this.lines.filter(([first]) => first === word).map((line) => line.slice(1))
  }

  keys(word: string): Set<string> {
    return new Set(this.of(word).map(([key]) => key ?? ''))
  }
}

let folder: string
const oracle = new Oracle()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-kill-'))
  oracle.lines.length = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function start(command: string, args: string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    // A line that was cut off by the kill was not said.
    rest = lines.pop() ?? ''
    oracle.lines.push(...lines.map((line) => line.split(' ')))
  })
  return child
}

/** Starts the adapter again on the folder, as the next host does, and answers all that it has. */
async function recover(): Promise<{ messages: Message[]; outcomes: Map<string, string> }> {
  const services = recordingServices('bot-1')
  const adapter = createWebchat({ ...services, folder }, { keepMessagesPerChat: LIMITS.keepMessages })
  await adapter.start()
  const page = await FakePage.open(adapter)
  const messages: Message[] = []
  let before: number | null = null
  for (;;) {
    const from = page.frames.length
    page.send({ type: 'history', id: 'h', chat: 'private:u-1', before, limit: 100 })
    const answer = await page.wait('history', () => true, from)
    messages.unshift(...answer.messages)
    before = answer.messages[0]?.n ?? 0
    if (!answer.more) break
  }
  const outcomes = new Map<string, string>()
  for (const key of oracle.keys('sending')) {
    const outcome = await adapter.outcome?.(key)
    outcomes.set(key, outcome?.status === 'sent' ? `sent ${outcome.message_id}` : (outcome?.status ?? 'none'))
  }
  // The next host hears what the dead one was not told.
  await expect.poll(async () => (await waiting(page)).length, { timeout: 5000 }).toBe(0)
  await adapter.stop()
  for (const { dedupe_key } of services.emitted) oracle.lines.push(['emitted', dedupe_key ?? ''])
  return { messages, outcomes }
}

async function waiting(page: FakePage): Promise<Message[]> {
  const from = page.frames.length
  page.send({ type: 'history', id: 'w', chat: 'private:u-1', before: null, limit: 100 })
  const { messages } = await page.wait('history', () => true, from)
  return messages.filter(({ status }) => status === 'waiting')
}

/** What has to hold after any death; everything that does not, in words. */
function faults({ messages, outcomes }: Awaited<ReturnType<typeof recover>>): string[] {
  const found: string[] = []
  const must = (holds: boolean, words: string) => {
    if (!holds) found.push(words)
  }
  const byText = new Map<string, Message>()
  for (const message of messages) {
    const text = plainText(message.parts)
    must(!byText.has(text), `${text} stands there more than once`)
    byText.set(text, message)
  }
  // Nothing that was confirmed is lost, and its outcome is known.
  for (const [key = '', id = ''] of oracle.of('sent')) {
    must(outcomes.get(key) === `sent ${id}`, `${key} was confirmed as ${id}, its outcome is ${outcomes.get(key)}`)
    must(byText.get(key)?.id === id, `${key} was confirmed and is not in the chat`)
  }
  for (const key of oracle.keys('acked')) must(byText.has(key), `${key} was acknowledged and is lost`)
  // Of what was under way it is known whether it was sent, and that is true.
  for (const [key, outcome] of outcomes) {
    must(outcome !== 'unknown', `the outcome of ${key} is unknown`)
    must(outcome.startsWith('sent') === byText.has(key), `${key} is said to be ${outcome}`)
  }
  // What a person said and the chat shows has reached a host: a dead one or its successor.
  const heard = oracle.keys('emitted')
  for (const { uuid } of messages) must(uuid === null || heard.has(uuid), `${uuid} reached no host`)
  return found
}

test('killed with SIGKILL in the middle of sends, again and again: what was confirmed is there, every outcome is known', async () => {
  for (let round = 0; round < 4; round++) {
    // A small limit makes the log be rewritten all the time, so that kills hit that too.
    const child = start(process.execPath, [CHILD, folder, `r${round}`, round % 2 === 0 ? '20000' : '100000000'])
    const enough = 30 + round * 37
    await expect
      .poll(() => oracle.keys('sent').size, { timeout: 20_000, interval: 3 })
      .toBeGreaterThan(round * 30 + enough)
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(faults(await recover()), `round ${round}`).toEqual([])
  }
  expect(oracle.keys('sent').size).toBeGreaterThan(200)
  expect(oracle.keys('acked').size).toBeGreaterThan(50)
}, 90_000)

test('on a full disk sends fail without a trace, and what was confirmed before stays', async () => {
  // A limit on the size of files stands for the full disk: the write reaches it in the middle of a line.
  const shell = `trap '' XFSZ; ulimit -f 60; exec "$0" "$@"`
  const child = start('/bin/bash', ['-c', shell, process.execPath, CHILD, folder, 'full', '100000000'])
  await expect.poll(() => oracle.keys('failed').size, { timeout: 20_000, interval: 5 }).toBeGreaterThan(20)
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(oracle.keys('sent').size).toBeGreaterThan(20)
  const found = await recover()
  const sent = oracle.keys('sent')
  const traces = [...oracle.keys('failed')].filter((key) => !sent.has(key) && found.outcomes.get(key) !== 'not_sent')
  expect(traces).toEqual([])
  expect(faults(found)).toEqual([])
}, 60_000)
