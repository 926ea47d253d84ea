/** What the crash tests run and kill: `node crash.child.ts <action> <folder> ...`. Each confirmed thing is one line out. */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, restoreStore, StoreError, statement } from '../index.ts'
import { migration } from './migration-files.ts'
import { openSqlite } from './sqlite-store.ts'

const [action, folder = '', ...rest] = process.argv.slice(2)

function say(line: string): void {
  writeSync(1, `${line}\n`)
}

const actions: Readonly<Record<string, () => Promise<void>>> = {
  /** Opens the store and keeps it. */
  hold: async () => {
    await openStore({ folder })
    say('open')
    setInterval(() => {}, 60_000)
  },

  'open-as-nobody': async () => {
    if (process.getuid?.() === 0) process.setuid?.(65_534)
    await openStore({ folder }).catch((error) => {
      if (!StoreError.is(error)) throw error
      say(JSON.stringify({ code: error.code, message: error.message }))
    })
  },

  /** Uses the reader thread and leaves without closing anything. */
  'read-and-leave': async () => {
    const store = await openStore({ folder })
    await store.slow({ sql: 'select 1', params: [] })
    say('read')
  },

  /** Commits units of three rows from many callers until killed; every fourth is refused. Says the names of kept units. */
  commit: async () => {
    const store = await openStore({ folder })
    const put = statement<{ name: string }>(
      (db, p) => db.insertInto('settings').values({ name: p('name'), value: 'x'.repeat(300) }),
      { expect: 1 },
    )
    let n = 0
    const caller = async () => {
      for (;;) {
        n += 1
        const name = `${rest[0]}-${n}`
        const bad = n % 4 === 0
        const unit = ['a', 'b', 'c'].map((part) => put({ name: `${name}-${part}` }))
        if (bad) unit.push(put({ name: `${name}-a` }))
        try {
          await store.commit(unit)
          say(name)
        } catch (error) {
          if (!bad || !StoreError.is(error) || error.code !== 'refused') throw error
        }
      }
    }
    await Promise.all(Array.from({ length: 8 }, caller))
  },

  /** Writes backups `<n>.db` into the folder of the second argument until killed. */
  backup: async () => {
    const store = await openStore({ folder })
    for (let n = 0; ; n++) {
      await store.backup(join(rest[0] ?? '', `${n}.db`))
      say(String(n))
    }
  },

  /** Restores one backup after another, around, until killed. */
  restore: async () => {
    for (let n = 0; ; n++) {
      await restoreStore(rest[n % rest.length] ?? '', folder)
      say(String(n))
    }
  },

  /** Brings the folder to the schema of `crash.test.ts`'s second version. */
  migrate: async () => {
    say('start')
    const [first = '', second = ''] = rest
    const store = await openSqlite({ folder }, [migration(1, 'initial', first), migration(2, 'more', second)])
    await store.close()
    say('done')
  },
}

// Should the test be gone before it could kill this: nothing here is meant to outlive it.
setTimeout(() => process.exit(9), 30_000).unref()
await actions[action ?? '']?.()
