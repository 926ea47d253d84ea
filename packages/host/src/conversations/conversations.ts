/** The room: mailbox and transcript behind one interface. */
import { randomUUID } from 'node:crypto'
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Trail } from '../trail/types.ts'
import { Admitting } from './admitting.ts'
import { Backlog } from './backlog.ts'
import { findChat, listChats, pageOfSaid } from './chats.ts'
import { Endings } from './endings.ts'
import { findSaid } from './find.ts'
import { findPosition, historyEnd, newestEntries, pageOf } from './history.ts'
import { conversationKey, laneKey } from './keys.ts'
import { deleteDoneRows, rowsInOrder, waitingRows } from './mailbox-statements.ts'
import { postRows } from './post.ts'
import { recoverMailbox } from './recovery.ts'
import { resetStatement } from './reset.ts'
import type { MailboxRow } from './rows.ts'
import { Scheduler } from './scheduler.ts'
import { searchHistory } from './search.ts'
import { createSweeper, sweepInOrder } from './sweeper.ts'
import { saidStatements } from './transcript.ts'
import { Turns } from './turn.ts'
import type { ConversationNeeds, ConversationOptions, Conversations } from './types.ts'

export interface ConversationParts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly trail: Trail
  readonly needs: ConversationNeeds
  readonly options?: ConversationOptions
}

const FAILED_SENTENCE = 'Sorry, something went wrong with this message. Please send it again.'
const BUSY_SENTENCE = 'There are too many messages waiting here. Please send this one again in a moment.'
const LOAD_BATCH = 1_000
const SWEEP_BATCH = 500
const DONE_ROWS_KEPT_MS = 7 * 86_400_000

/** Makes the room. Nothing runs before `start`. */
export function createConversations(parts: ConversationParts): Conversations {
  const { store, clock, logger, trail, needs, options = {} } = parts
  const maxActive = options.maxActive ?? 512
  const endings = new Endings({
    clock,
    trail,
    delivery: needs.delivery,
    busySentence: options.busySentence ?? BUSY_SENTENCE,
    failedSentence: options.failedSentence ?? FAILED_SENTENCE,
  })
  const backlog = new Backlog({
    maxPerLane: options.maxPerLane ?? 100,
    maxPerWorkspace: options.maxPerWorkspace ?? 10_000,
  })
  const { admission } = needs
  const shared = { store, clock, logger, endings, needs }
  const scheduler = new Scheduler({
    clock,
    backlog,
    turns: new Turns(shared),
    admitting:
      admission === undefined
        ? null
        : new Admitting({
            ...shared,
            admission,
            timeoutMs: options.admissionTimeoutMs ?? 60_000,
            owner: randomUUID(),
          }),
    maxActive,
    maxActivePerProcessor: options.maxActivePerProcessor ?? Math.max(1, Math.ceil(maxActive * 0.75)),
    retryMs: options.retryMs ?? 500,
  })

  const sweeper = createSweeper('mailbox', logger, (signal) => {
    const before = clock.now() - DONE_ROWS_KEPT_MS
    return sweepInOrder(
      (after) => store.slow(rowsInOrder({ after, limit: SWEEP_BATCH })),
      (row) => row.state === 'done' && (row.done_at ?? 0) < before,
      (rows) => store.commit([deleteDoneRows({ row_ids: rows.map(({ row_id }) => row_id) })]),
      signal,
    )
  })

  /** What waits in the table, in order. The bounds do not apply: these rows were accepted. */
  async function load(): Promise<void> {
    for (let after = 0; ; ) {
      const rows = await store.all(waitingRows({ after, limit: LOAD_BATCH }))
      for (const { state: _state, gives_position, kind, ...row } of rows) {
        after = row.position
        if (scheduler.knows(row.row_id)) continue
        const loaded: MailboxRow = {
          ...row,
          gives_position: gives_position === 1,
          kind: kind === 'drop' ? null : kind,
          envelope: null,
          failures: 0,
        }
        backlog.add(loaded)
        scheduler.add(loaded)
      }
      if (rows.length < LOAD_BATCH) return
    }
  }

  return {
    post: (rows, envelope) => postRows({ clock, backlog, endings, scheduler }, rows, envelope),
    recover: () => recoverMailbox(shared),
    async start() {
      await load()
      scheduler.start()
      sweeper.start()
    },
    async drain() {
      await Promise.all([scheduler.drain(), sweeper.stop()])
    },
    load: () => ({
      open: backlog.open,
      active: scheduler.active,
      parked: scheduler.parked,
      limit: maxActive,
    }),
    key: conversationKey,
    lane: laneKey,
    said: (message) => saidStatements(message, clock),
    async reset(workspaceUuid, botUuid, target) {
      await store.commit([resetStatement(workspaceUuid, botUuid, target)])
    },
    cursor: (key, eventId) => historyEnd(store, key, eventId ?? null),
    position: (eventId, key) => findPosition(store, eventId, key),
    page: (request) => pageOf(store, request),
    search: (request) => searchHistory(store, request),
    find: (request) => findSaid(store, request),
    chats: (request) => listChats(store, request),
    chat: (workspaceUuid, key) => findChat(store, workspaceUuid, key),
    messages: (request) => pageOfSaid(store, request),
    transcript: (key, limit) => newestEntries(store, key, limit),
  }
}
