/**
 * Units per second through `commit`: `node packages/store/bench/commit.ts [seconds]`. A unit writes what an accepted event
 * writes (event, its key, trail, mailbox row); 1 and 32 callers, each waiting for its own commit; NORMAL and FULL.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store, statement } from '../src/index.ts'

const insertEvent = statement<{ event_id: string; at: number; envelope: string }>(
  (db, p) =>
    db.insertInto('events').values({
      event_id: p('event_id'),
      workspace_uuid: 'w',
      bot_uuid: 'b',
      event_type: 'message.received',
      source: 'platform',
      conversation_key: 'w/b/c',
      envelope: p('envelope'),
      created_at: p('at'),
    }),
  { expect: 1 },
)
const insertKey = statement<{ event_id: string; at: number }>(
  (db, p) =>
    db
      .insertInto('event_keys')
      .values({ bot_uuid: 'b', dedupe_key: p('event_id'), event_id: p('event_id'), created_at: p('at') })
      .onConflict((oc) => oc.doNothing()),
  { expect: 1 },
)
const insertTrail = statement<{ event_id: string; at: number }>(
  (db, p) =>
    db.insertInto('trail').values({
      workspace_uuid: 'w',
      event_id: p('event_id'),
      at: p('at'),
      step: 'intake',
      code: 'accepted',
      message: 'the event was accepted',
    }),
  { expect: 1 },
)
const insertMail = statement<{ event_id: string; at: number }>(
  (db, p) =>
    db
      .insertInto('mailbox')
      .values({
        row_id: p('event_id'),
        workspace_uuid: 'w',
        event_id: p('event_id'),
        processor_id: 'p',
        lane: 'w/b/c/p',
        state: 'accepted',
        accepted_at: p('at'),
      })
      .returning('position'),
  { expect: 1 },
)

const ENVELOPE = JSON.stringify({ text: 'x'.repeat(500) })
let made = 0

function unit() {
  made += 1
  const values = { event_id: `event-${made}`, at: 1_700_000_000_000 + made, envelope: ENVELOPE }
  return [insertEvent(values), insertKey(values), insertTrail(values), insertMail(values)]
}

async function measure(store: Store, callers: number, seconds: number) {
  const until = performance.now() + seconds * 1_000
  const times: number[] = []
  const caller = async () => {
    for (let now = performance.now(); now < until; ) {
      await store.commit(unit())
      const end = performance.now()
      times.push(end - now)
      now = end
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  const took = (performance.now() - start) / 1_000
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(3)
  return { rate: Math.round(times.length / took), p50: at(0.5), p99: at(0.99), max: at(0.99999) }
}

const seconds = Number(process.argv[2] ?? 3)
for (const synchronous of ['normal', 'full'] as const) {
  for (const callers of [1, 32]) {
    const folder = await mkdtemp(join(tmpdir(), 'runbound-bench-'))
    const store = await openStore({ folder, synchronous })
    await measure(store, callers, 0.3)
    const { rate, p50, p99, max } = await measure(store, callers, seconds)
    console.log(`${synchronous} callers=${callers}: ${rate} units/s, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`)
    await store.close()
    await rm(folder, { recursive: true })
  }
}
