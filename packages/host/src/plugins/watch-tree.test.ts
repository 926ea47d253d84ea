/** What counts as a save: a file that holds something else; not what tools write, and not the same bytes again. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchTree } from './watch-tree.ts'

let folder = ''
let changes = 0
let end: () => void = () => undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-watch-'))
  writeFileSync(join(folder, 'index.ts'), 'export default 1\n')
  changes = 0
  end = watchTree(folder, () => changes++)
})
afterEach(() => {
  end()
  rmSync(folder, { recursive: true, force: true })
})

/** How many changes there were once everything has settled. */
async function settled(): Promise<number> {
  await new Promise((next) => setTimeout(next, 400))
  return changes
}

test('other content, a new file, a removed one and one in a new folder count', async () => {
  writeFileSync(join(folder, 'index.ts'), 'export default 2\n')
  expect(await settled()).toBe(1)
  writeFileSync(join(folder, 'more.ts.tmp'), '')
  renameSync(join(folder, 'more.ts.tmp'), join(folder, 'more.ts'))
  expect(await settled()).toBe(2)
  mkdirSync(join(folder, 'deep'))
  expect(await settled()).toBe(2) // nothing in it yet
  writeFileSync(join(folder, 'deep', 'a.json'), '{}')
  expect(await settled()).toBe(3)
  rmSync(join(folder, 'more.ts'))
  expect(await settled()).toBe(4)
})

test('the same bytes again, a touched file, the manifest and what is packed do not', async () => {
  writeFileSync(join(folder, 'index.ts'), 'export default 1\n')
  utimesSync(join(folder, 'index.ts'), new Date(), new Date())
  writeFileSync(join(folder, 'runbound.manifest.json.tmp'), '{}')
  renameSync(join(folder, 'runbound.manifest.json.tmp'), join(folder, 'runbound.manifest.json'))
  const part = join(folder, 'out.4711.part')
  mkdirSync(part)
  for (const name of ['index.mjs', 'runbound.manifest.json']) writeFileSync(join(part, name), name)
  renameSync(part, join(folder, 'out'))
  expect(await settled()).toBe(0)
  writeFileSync(join(folder, 'index.ts'), 'export default 3\n')
  expect(await settled()).toBe(1)
})
