/**
 * A process that is made to be killed: runs the web chat in a folder, sends and receives without pause, and says on its
 * output what was confirmed to whom. The lines are written at once, so they outlive the process.
 */
import { writeSync } from 'node:fs'
import type { AdapterServices } from '@runbound/platform-kit'
import { createWebchat } from '../adapter.ts'
import { never, outgoing } from './chat.ts'
import { FakePage } from './fake-page.ts'

const [folder = '', prefix = '', compactBytes = '0'] = process.argv.slice(2)
const say = (...words: (string | null)[]) => writeSync(1, `${words.join(' ')}\n`)

const services: AdapterServices = {
  bot_uuid: 'bot-1',
  bot_name: 'Echo',
  folder,
  signal: never,
  now: Date.now,
  log: () => {},
  notes: { get: async () => null, set: async () => {} },
  emit: async ({ dedupe_key }) => {
    say('emitted', dedupe_key)
    return { status: 'accepted', event_id: `event-${dedupe_key}` }
  },
}
const adapter = createWebchat(services, { compactBytes: Number(compactBytes), keepMessagesPerChat: 20_000 })
await adapter.start()
const page = await FakePage.open(adapter)

async function sendAll(lane: number): Promise<void> {
  for (let at = 0; ; at++) {
    const key = `${prefix}-out-${lane}-${at}`
    say('sending', key)
    try {
      const { message_id } = await adapter.send(outgoing(key, { delivery_key: key }), never)
      say('sent', key, message_id)
    } catch (error) {
      say('failed', key, error instanceof Error ? error.name : 'unknown')
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (at > 400) return
    }
  }
}

async function receiveAll(lane: number): Promise<void> {
  for (let at = 0; ; at++) {
    const key = `${prefix}-in-${lane}-${at}`
    say('saying', key)
    const answer = await page.say('u-1', 'private:u-1', key, key)
    say(answer.type === 'ack' ? 'acked' : 'refused', key)
    page.frames.length = 0
    if (answer.type === 'error' && at > 400) return
  }
}

await Promise.all([sendAll(0), sendAll(1), sendAll(2), receiveAll(0), receiveAll(1)])
