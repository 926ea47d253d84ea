/** What the tests of conversations/ and events/ share: a world with the real store and runs that a test holds in its hand. */
import { randomUUID } from 'node:crypto'
import { openStore, query, type Slots, type Store, sql, sqlStatement, statement } from '@runbound/store'
import type { DeliveryScope } from '../delivery/types.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { Logger } from '../logger.ts'
import type { Processor } from '../runs/types.ts'
import { createTrail } from '../trail/trail.ts'
import type { Trail } from '../trail/types.ts'
import type { Admission } from './admission-types.ts'
import { createConversations } from './conversations.ts'
import { FakeRuns } from './fake-runs.ts'
import { conversationKey, laneKey } from './keys.ts'
import { readJson, writeJson } from './stored-json.ts'
import type { ConversationOptions, Conversations, NewRow } from './types.ts'

export const WORKSPACE = 'w-1'
export const BOT = 'b-1'

export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
}

/** A clock that stands still until a test moves it; timers that wait for it are not moved along. */
export function heldClock(start = 1_700_000_000_000) {
  return {
    at: start,
    now(): number {
      return this.at
    },
  }
}

export function processorOf(id: string, over: Partial<Processor> = {}): Processor {
  return {
    processor_id: id,
    workspace_uuid: WORKSPACE,
    kind: 'agent',
    name: id,
    runner_id: `plugin:acme/${id}/main`,
    config: {},
    grants: {},
    options: {},
    enabled: true,
    ...over,
  }
}

export function envelopeWith(
  text: string,
  over: Partial<EventEnvelope> & { readonly chat?: string } = {},
): EventEnvelope {
  const { chat = 'u-1', ...rest } = over
  const message_id = randomUUID()
  return {
    event_id: `platform:${BOT}:message.received:${message_id}`,
    event_type: 'message.received',
    event_time: 1_700_000_000,
    source: 'platform',
    workspace_uuid: WORKSPACE,
    bot_uuid: BOT,
    adapter_name: 'test',
    conversation: { conversation_id: `person_${chat}`, thread_id: null, chat_type: 'person', chat_id: chat },
    actor: { actor_type: 'user', actor_id: chat, actor_name: 'Ann', metadata: {} },
    subject: { subject_type: 'message', subject_id: message_id, data: {} },
    reply_target: { target_type: 'person', target_id: chat },
    message_id,
    input: { text, contents: [], attachments: [], interaction: null },
    data: { text },
    raw_ref: null,
    extra: {},
    debug: null,
    ...rest,
  }
}

/** As much of an event as these tests need; events/ writes the rest. */
const insertEvent = sqlStatement(
  (p: Slots<{ event_id: string; event_type: string; envelope: string; created_at: number }>) => sql`
    insert into events (event_id, workspace_uuid, event_type, source, envelope, created_at)
    values (${p('event_id')}, ${WORKSPACE}, ${p('event_type')}, 'platform', ${p('envelope')}, ${p('created_at')})`,
)
const envelopeOf = query((db, p: Slots<{ event_id: string }>) =>
  db.selectFrom('events').select('envelope').where('event_id', '=', p('event_id')),
)

/** Sentences as they would go out: kept in the outbox of a real one, here in memory after their unit's commit. */
export class FakeDelivery {
  readonly said: { readonly scope: DeliveryScope; readonly text: string; readonly once: string }[] = []
  readonly #queued = new Set<string>()

  sentence(scope: DeliveryScope, text: string, once: string) {
    if (text === '' || scope.debug) return { statements: [], wake: () => undefined }
    const note = insertNote({ bot_uuid: scope.bot_uuid, name: once, value: text })
    return {
      statements: [note],
      wake: () => {
        if (this.#queued.has(once)) return
        this.#queued.add(once)
        this.said.push({ scope, text, once })
      },
    }
  }
}

/** A stand-in for the outbox that is in the database, so that a crash test sees what was committed. */
const insertNote = sqlStatement(
  (p: Slots<{ bot_uuid: string; name: string; value: string }>) => sql`
    insert into bot_notes (bot_uuid, name, value) values (${p('bot_uuid')}, ${p('name')}, ${p('value')})
    on conflict do nothing`,
)
export const notes = query((db) => db.selectFrom('bot_notes').select(['name', 'value']).orderBy('name'))

const insertBot = statement((db, p: Slots<{ bot_uuid: string }>) =>
  db.insertInto('bots').values({
    bot_uuid: p('bot_uuid'),
    workspace_uuid: WORKSPACE,
    name: p('bot_uuid'),
    platform: 'test',
    settings: '{}',
    created_at: 1,
    updated_at: 1,
  }),
)

export interface World {
  readonly store: Store
  readonly clock: ReturnType<typeof heldClock>
  readonly trail: Trail
  readonly runs: FakeRuns
  readonly delivery: FakeDelivery
  readonly processors: Map<string, Processor>
  readonly conversations: Conversations
  /** Stores an event with its rows, as events' tx 1 does. */
  post(envelope: EventEnvelope, processors?: readonly string[], scope?: 'chat' | 'member'): Promise<readonly NewRow[]>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly folder?: string
  readonly options?: ConversationOptions
  readonly admission?: Admission
  readonly now?: number
  /** Default true: recovered and started. */
  readonly started?: boolean
}

/** Opens a world; again on the same folder it is the next start of the host. */
export async function openWorld(given: WorldOptions = {}): Promise<World> {
  const store = await openStore({ folder: given.folder ?? ':memory:' })
  const clock = heldClock(given.now)
  const trail = createTrail({ store, clock })
  const runs = new FakeRuns(store)
  const delivery = new FakeDelivery()
  const processors = new Map([['p-1', processorOf('p-1')]])
  await store.commit([insertBot({ bot_uuid: BOT })]).catch(() => undefined)
  const conversations = createConversations({
    store,
    clock,
    logger: silent,
    trail,
    needs: {
      runs,
      delivery,
      processors: { get: async (id) => processors.get(id) },
      envelope: async (id) => {
        const row = await store.first(envelopeOf({ event_id: id }))
        return row === undefined ? undefined : (readJson(row.envelope) as unknown as EventEnvelope)
      },
      ...(given.admission === undefined ? {} : { admission: given.admission }),
    },
    options: { retryMs: 5, ...given.options },
  })
  if (given.started !== false) {
    await conversations.recover()
    await conversations.start()
  }
  return {
    store,
    clock,
    trail,
    runs,
    delivery,
    processors,
    conversations,
    async post(envelope, to = ['p-1'], scope = 'chat') {
      const rows = to.map((processor_id) => rowFor(envelope, processor_id, scope))
      const posting = conversations.post(rows, envelope)
      const { event_id, event_type } = envelope
      const event = insertEvent({ event_id, event_type, envelope: writeJson(envelope), created_at: clock.now() })
      try {
        const results = await store.commit([event, ...posting.statements])
        posting.settled(results.slice(1))
      } catch (error) {
        posting.settled(null)
        throw error
      }
      return rows.filter((row) => !posting.refused.some((refused) => refused.row === row))
    },
    close: () => store.close(),
  }
}

export function rowFor(envelope: EventEnvelope, processor_id: string, scope: 'chat' | 'member' = 'chat'): NewRow {
  return {
    row_id: randomUUID(),
    workspace_uuid: WORKSPACE,
    event_id: envelope.event_id,
    bot_uuid: envelope.bot_uuid,
    processor_id,
    lane: laneKey(envelope, scope, processor_id),
    conversation_key: conversationKey(envelope, scope),
    scope,
  }
}

/** Lets everything that is already on its way happen: commits, their followers, short retries. */
export async function settle(rounds = 5): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
