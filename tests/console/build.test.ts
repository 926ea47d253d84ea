/** What is built: small enough, split by page, nothing inline, cached by its sources, and never taken from under an open page. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { CONSOLE_DIST, ensureConsole } from '../../tools/src/console-build.ts'
import { FIRST_LOAD_BYTES, firstLoad } from '../../tools/src/console-size.ts'

beforeAll(async () => {
  await ensureConsole()
}, 120_000)

test('the first load, with the page that a person lands on, is under 300 kB compressed', () => {
  const { bytes, files } = firstLoad()
  expect(files.some((name) => name.includes('chats-page'))).toBe(true)
  expect(files.some((name) => name.includes('runs-page'))).toBe(false)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES)
})

test('each page is a chunk of its own, and nothing stands inline', () => {
  const names = readdirSync(join(CONSOLE_DIST, 'assets'))
  for (const page of ['chats', 'runs', 'events', 'bots', 'agents', 'plugins', 'settings'])
    expect(
      names.some((name) => new RegExp(`^${page}-page-[\\w-]+\\.js$`).test(name)),
      page,
    ).toBe(true)
  const index = readFileSync(join(CONSOLE_DIST, 'index.html'), 'utf8')
  expect(index).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/)
})

test('the same sources are not built twice, and a build keeps the assets of the one before', async () => {
  expect(await ensureConsole()).toBe(false)
  const earlier = join(CONSOLE_DIST, 'assets/earlier-0000.js')
  writeFileSync(earlier, 'an open page may still ask for this')
  rmSync(join(CONSOLE_DIST, '.sources'))
  const [first, second] = await Promise.all([ensureConsole(), ensureConsole()])
  expect([first, second].sort()).toEqual([false, true])
  expect(existsSync(earlier)).toBe(true)
  rmSync(earlier)
}, 120_000)
