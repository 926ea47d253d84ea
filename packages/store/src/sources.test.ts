import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const ENGINE = 'packages/store/src/sqlite/'
/** Kysely's transaction loses acknowledged writes of others on one connection (DESIGN §4); the engine is the store's own. */
const BANNED = [/\.transaction\(\s*\)/, /\.startTransaction\(/, /['"]node:sqlite['"]/]

function* sources(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== 'dist') yield* sources(path)
    } else if (/\.m?[jt]sx?$/.test(entry.name) && !/\.test\.[jt]sx?$/.test(entry.name)) {
      yield relative(ROOT, path)
    }
  }
}

function violations(name: string, text: string): readonly string[] {
  if (name.startsWith(ENGINE)) return []
  return BANNED.filter((banned) => banned.test(text)).map((banned) => `${name}: ${banned.source}`)
}

describe('the engine and transactions stay inside the store', () => {
  test('no source outside names them', () => {
    const names = ['packages', 'platforms', 'examples'].flatMap((folder) => [...sources(join(ROOT, folder))])
    expect(names).toContain(`${ENGINE}connection.ts`)
    expect(names.flatMap((name) => violations(name, readFileSync(join(ROOT, name), 'utf8')))).toEqual([])
  })

  test('the rule sees what it bans', () => {
    expect(violations('packages/host/src/x.ts', 'await db.transaction().execute(work)')).toHaveLength(1)
    expect(violations('packages/host/src/x.ts', "import { DatabaseSync } from 'node:sqlite'")).toHaveLength(1)
    expect(violations(`${ENGINE}x.ts`, "import { DatabaseSync } from 'node:sqlite'")).toEqual([])
  })
})
