/** A full disk: nothing is accepted that can't be kept, and nothing that was accepted is lost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Accepted } from '@runbound/platform-kit'
import { type StartedTestHost, startTestHost } from '@runbound/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ECHO, echoPlugin } from './plugin.ts'

let folder: string
let t: StartedTestHost
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runbound-disk-'))
})
afterEach(async () => {
  await t.stop()
  await rm(folder, { recursive: true })
})

/** The engine's own bound acts like the end of the disk, without needing one of a given size. */
async function pages(limit: number | null): Promise<void> {
  const { store } = t.host
  const used = Number((await store.first<{ page_count: number }>({ sql: 'pragma page_count', params: [] }))?.page_count)
  await store.all({ sql: `pragma max_page_count = ${limit === null ? 1_000_000 : used + limit}`, params: [] })
}

test('what was accepted on a filling disk is answered once, or its sender is told; the rest is refused with what to do, and comes again', async () => {
  t = await startTestHost({ folder })
  const heard: string[] = []
  await t.host.plugins.inline(echoPlugin({ heard }))
  const bot = await t.addBot({ agent: await t.addAgent({ runner_id: ECHO }) })
  await bot.say('before', { dedupe_key: 'before', sender: 'early' })
  await bot.waitFor(({ text }) => text === 'before heard')

  await pages(12)
  const answers = new Map<string, Accepted>()
  const padding = '.'.repeat(2_000)
  for (let n = 0; n < 60; n++) {
    const text = `m${n} ${padding}`
    answers.set(text, await bot.say(text, { dedupe_key: `key-${n}`, sender: `u-${n}` }))
  }
  const refused = [...answers].filter(([, answer]) => answer.status === 'refused')
  const accepted = [...answers].filter(([, answer]) => answer.status === 'accepted')
  expect(accepted.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  for (const [, answer] of refused) {
    expect(answer).toMatchObject({ reason: 'storage_full', retry: true, message: expect.stringMatching(/disk|room/i) })
  }
  // Exactly what was confirmed is kept.
  const kept = await t.host.store.first<{ n: number }>({ sql: 'select count(*) as n from events', params: [] })
  expect(kept?.n).toBe(accepted.length + 1)

  await pages(null)
  for (const [text] of refused) {
    const n = /^m(\d+)/.exec(text)?.[1]
    expect(await bot.say(text, { dedupe_key: `key-${n}`, sender: `u-${n}` })).toMatchObject({ status: 'accepted' })
  }
  // A run that found no room for its answer has failed, and its sender has read so; nobody is left without a word.
  await expect.poll(() => bot.messages.length, { timeout: 30_000 }).toBe(61)
  const told = Map.groupBy(bot.messages, ({ target }) => target.target_id)
  for (const [text, answer] of answers) {
    const texts = told.get(`u-${/^m(\d+)/.exec(text)?.[1]}`)?.map((message) => message.text)
    const failed = answer.status === 'accepted' && texts?.[0]?.includes('Please') === true
    expect(texts).toEqual([failed ? expect.stringMatching(/went wrong.*Please/) : `${text} heard`])
  }
}, 60_000)
