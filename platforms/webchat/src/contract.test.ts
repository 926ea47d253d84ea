import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AdapterInstance, PlatformDefinition } from '@runbound/platform-kit'
import { type AdapterContract, adapterContract } from '@runbound/platform-kit/contract'
import { plainText } from './chains.ts'
import { webchat } from './index.ts'
import { FakePage } from './testing/fake-page.ts'

/** The little world is its own platform: the suite looks at it through a page. */
async function make(): ReturnType<AdapterContract['make']> {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-contract-'))
  const chat = 'private:u-1' as const
  const messageIds = new Map<string, string>()
  let running: AdapterInstance | null = null
  const definition: PlatformDefinition = {
    ...webchat,
    create: (settings, services) => {
      // The host takes each event and its answer gets lost, so that a page which repeats a frame redelivers the event.
      const emit: typeof services.emit = async (event) => {
        await services.emit(event)
        throw new Error('the answer of the host got lost')
      }
      return webchat.create(settings, { ...services, emit, folder })
    },
  }
  const page = async () => {
    if (running === null) throw new Error('The adapter is not connected.')
    return FakePage.open(running)
  }
  return {
    definition,
    settings: {},
    badSettings: [],
    target: { target_type: 'person', target_id: 'u-1' },
    connect: (adapter) => {
      running = adapter
    },
    shown: async () => {
      if (running === null) return []
      const reader = new FakePage(running)
      if (reader.closed !== null) return []
      reader.send({ type: 'hello', v: 1 })
      reader.send({ type: 'history', id: 'all', chat, before: null, limit: 100 })
      const { messages } = await reader.wait('history')
      reader.drop()
      return messages.filter(({ sender_id }) => sender_id === 'bot').map(({ parts }) => ({ text: plainText(parts) }))
    },
    deliver: async ({ what, message_id, text, key }) => {
      const uuid = `happening-${key}`
      const mine = { user_id: 'u-1', chat, message_id: messageIds.get(message_id) ?? '' }
      const one = await page()
      if (what === 'message') await one.say('u-1', chat, text, uuid)
      else if (what === 'edit') await one.command({ type: 'edit', uuid, ...mine, text })
      else await one.command({ type: 'react', uuid, ...mine, reaction: text, add: what === 'reaction_added' })
      const said = one.frames.find((frame) => frame.type === 'message' && frame.message.uuid === uuid)
      if (said?.type === 'message') messageIds.set(message_id, said.message.id)
      one.drop()
    },
    failures: [],
    slow: null,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

adapterContract({ name: 'webchat', make })
