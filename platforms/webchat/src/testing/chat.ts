/** A running web chat in a folder of its own, for tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AdapterInstance, AdapterServices, OutgoingMessage } from '@runbound/platform-kit'
import { type RecordingServices, recordingServices } from '@runbound/platform-kit/scriptable'
import { createWebchat } from '../adapter.ts'
import type { Limits } from '../limits.ts'

export interface TestChat {
  readonly folder: string
  readonly services: RecordingServices
  adapter: AdapterInstance
  /** Stops the adapter and starts another one on the same folder. */
  restart(): Promise<void>
  remove(): Promise<void>
}

export interface TestChatOptions {
  readonly limits?: Partial<Limits>
  readonly services?: Partial<AdapterServices>
  readonly host?: Parameters<typeof recordingServices>[1]
}

/** Starts a web chat. `services` replaces single services of the recording host. */
export async function openChat(options: TestChatOptions = {}): Promise<TestChat> {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-'))
  const services = recordingServices('bot-1', options.host)
  const make = () => createWebchat({ ...services, ...options.services, folder }, options.limits)
  const chat: TestChat = {
    folder,
    services,
    adapter: make(),
    restart: async () => {
      await chat.adapter.stop()
      chat.adapter = make()
      await chat.adapter.start()
    },
    remove: async () => {
      await chat.adapter.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await chat.adapter.start()
  return chat
}

let count = 0

/** An outgoing text to a person; anything of it can be changed. */
export function outgoing(text: string, changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  count += 1
  return {
    target: { target_type: 'person', target_id: 'u-1', thread_id: null, message_id: null },
    chain: [{ type: 'Plain', text }],
    delivery_key: `delivery-${count}`,
    conversation_id: 'conversation-1',
    run_id: 'run-1',
    part: 1,
    parts: 1,
    ...changes,
  }
}

export const never: AbortSignal = new AbortController().signal
