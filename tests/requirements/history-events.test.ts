import { sampleEvent } from '@runbound/platform-kit/scriptable'
import type { EventPage, HistoryPage, HistorySearchResult } from '@runbound/protocol'
import { describe, expect, test } from 'vitest'
import type { Bench, Chat, Played } from './bench.ts'
import { onEveryTransport } from './transports.ts'

function resultOf<T>({ value, error }: Played): T {
  expect(error).toBeNull()
  return value as T
}

const said = (text: string) => `reply ${JSON.stringify({ text })}`
const contents = (page: HistoryPage) => page.items.map(({ content }) => content)

/** A conversation in which `count` messages were answered: two entries each, and the ones that ask come on top. */
async function answered(bench: Bench, count: number): Promise<Chat> {
  const chat = await bench.chat()
  const started = []
  for (let index = 1; index <= count; index++) started.push(await chat.start('reply', { text: `answer ${index}` }))
  for (const event_id of started) await chat.settled(event_id)
  return chat
}

onEveryTransport((bench) => {
  describe('the prompt', () => {
    test('[runner.get-prompt] the prompt in effect, as a list of messages', async () => {
      const prompt = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'An example.' },
      ]
      const own = await bench().chat({ options: { prompt } })
      expect((await own.play('prompt')).value).toMatchObject(prompt)
      expect((await (await bench().chat()).play('prompt')).value).toEqual([])
      const off = await bench().chat({ options: { prompt }, grants: { prompt: false } })
      expect((await off.play('prompt')).error).toMatchObject({ code: 'permission_denied' })
    })
  })

  describe('history', () => {
    test('[runner.history-page] [runner.pages.fields] messages of people and those that were sent', async () => {
      const chat = await answered(bench(), 2)
      const page = resultOf<HistoryPage>(await chat.play('history'))
      expect(page.items.map(({ role, content }) => [role, content])).toEqual([
        ['user', 'history {}'],
        ['assistant', 'answer 2'],
        ['user', said('answer 2')],
        ['assistant', 'answer 1'],
        ['user', said('answer 1')],
      ])
      expect(page).toMatchObject({ has_more: false, next_cursor: null, prev_cursor: expect.any(String) })
      expect(page.items[1]?.metadata).toBeDefined()
    })

    test('[runner.history-page.defaults] without arguments: the newest 50 of the run’s own conversation, without attachments', async () => {
      const chat = await answered(bench(), 30)
      const page = resultOf<HistoryPage>(await chat.play('history'))
      expect(page.items).toHaveLength(50)
      expect(page.has_more).toBe(true)
      expect(contents(page).slice(0, 3)).toEqual(['history {}', 'answer 30', said('answer 30')])
      const explicit = {
        conversation_id: null,
        before_cursor: null,
        after_cursor: null,
        limit: 50,
        direction: 'backward',
        include_attachments: false,
      }
      const same = resultOf<HistoryPage>(await chat.play('history', { options: explicit }))
      // One message and nothing else has come on top.
      expect(contents(same).slice(1)).toEqual(contents(page).slice(0, 49))
    })

    test('[runner.history-page.before-cursor] going back visits each entry once', async () => {
      const chat = await answered(bench(), 4)
      const pages = resultOf<{ contents: string[]; has_more: boolean }[]>(await chat.play('walkBack', { limit: 4 }))
      const own = 'walkBack {"limit":4}'
      const all = [own, ...[4, 3, 2, 1].flatMap((index) => [`answer ${index}`, said(`answer ${index}`)])]
      expect(pages.flatMap((page) => page.contents)).toEqual(all)
      expect(pages.map(({ contents: some, has_more }) => [some.length, has_more])).toEqual([
        [4, true],
        [4, true],
        [1, false],
      ])
    })

    test('[runner.history-page.after-cursor] [runner.pages.fields] forward: newer entries, the oldest of them first', async () => {
      const chat = await answered(bench(), 2)
      const pages = resultOf<{ contents: string[]; has_more: boolean }[]>(await chat.play('walkForward'))
      expect(pages).toEqual([
        { contents: [said('answer 1')], has_more: true },
        { contents: ['answer 1', said('answer 2')], has_more: true },
        { contents: ['answer 2', 'walkForward {}'], has_more: false },
      ])
    })

    test('[D132] a limit above 100 means 100', async () => {
      const chat = await answered(bench(), 51)
      const page = resultOf<object>(await chat.play('historySize', { options: { limit: 500 } }))
      expect(page).toEqual({ items: 100, has_more: true })
    })

    test('[D132] without the grant it is refused with a typed answer', async () => {
      const chat = await bench().chat({ grants: { history: false, events: false } })
      for (const scene of ['history', 'events']) {
        const { error } = await chat.play(scene)
        expect(error).toMatchObject({ kind: 'PermissionDeniedError', code: 'permission_denied' })
      }
    })

    test('[runner.history-page.include-attachments] references when they are asked for, and none otherwise', async () => {
      const chat = await bench().chat()
      await chat.outcome(
        await chat.start(
          'log',
          { text: 'x' },
          {
            chain: [
              { type: 'Plain', text: 'log {"text":"with a picture"}' },
              { type: 'Image', image_id: null, url: 'https://example.org/a.png', path: null, base64: null },
            ],
          },
        ),
      )
      const withThem = resultOf<HistoryPage>(await chat.play('history', { options: { include_attachments: true } }))
      const without = resultOf<HistoryPage>(await chat.play('history'))
      const picture = (page: HistoryPage) => page.items.find(({ content }) => content?.includes('with a picture'))
      expect(picture(withThem)?.attachment_refs).toMatchObject([{ url: 'https://example.org/a.png' }])
      expect(picture(without)).toBeDefined()
      expect(picture(without)?.attachment_refs).toEqual([])
    })

    test('[runner.history-search] entries of the conversation that hold the words, narrowed by filters, ten at most', async () => {
      const chat = await bench().chat()
      for (const text of ['the ripe tomatoes', 'green tomatoes', 'potatoes'])
        await chat.play('reply', { text }, { sender: 'u-1' })
      await chat.play('reply', { text: 'other tomatoes' }, { sender: 'u-2' })
      const found = resultOf<HistorySearchResult>(await chat.play('search', { query: 'tomatoes' }))
      const texts = found.items.filter(({ role }) => role === 'assistant').map(({ content }) => content)
      expect(texts.sort()).toEqual(['green tomatoes', 'the ripe tomatoes'])
      const narrowed = resultOf<HistorySearchResult>(
        await chat.play('search', { query: 'tomatoes', options: { filters: { roles: ['assistant'] } } }),
      )
      expect(narrowed.items.map(({ content }) => content).sort()).toEqual(['green tomatoes', 'the ripe tomatoes'])
      const both = resultOf<HistorySearchResult>(
        await chat.play('search', { query: 'tomatoes ripe', options: { filters: { roles: ['assistant'] } } }),
      )
      expect(both.items.map(({ content }) => content)).toEqual(['the ripe tomatoes'])
      const many = await answered(bench(), 14)
      const ten = resultOf<HistorySearchResult>(await many.play('search', { query: 'answer' }))
      expect(ten.items).toHaveLength(10)
      const three = resultOf<HistorySearchResult>(await many.play('search', { query: 'answer', options: { top_k: 3 } }))
      expect(three.items).toHaveLength(3)
    })

    test('[runner.history.not-in-input] a run starts with its input, and not with what was said before', async () => {
      const chat = await bench().chat()
      await chat.play('reply', { text: 'an earlier answer' })
      const { value } = await chat.play('context')
      expect(JSON.stringify(value)).not.toContain('an earlier answer')
      expect(Object(value).input.text).toBe('context {}')
      const page = resultOf<HistoryPage>(await chat.play('history'))
      expect(contents(page)).toContain('an earlier answer')
    })

    test('[runner.history.other-conversation] another conversation is refused, and none of its records are given', async () => {
      const chat = await bench().chat()
      await chat.play('reply', { text: 'secret of Bob' }, { sender: 'bob' })
      const conversation_id = 'person_bob'
      const tries = [
        await chat.play('history', { options: { conversation_id } }, { sender: 'ann' }),
        await chat.play('search', { query: 'secret', options: { filters: { conversation_id } } }, { sender: 'ann' }),
        await chat.play('events', { options: { conversation_id } }, { sender: 'ann' }),
      ]
      for (const { value, error } of tries) {
        expect(error).toMatchObject({ kind: 'AgentAPIException', reason: 'target_denied' })
        expect(JSON.stringify(value ?? null)).not.toContain('secret of Bob')
      }
      // The same words are found where they were said, and naming one's own conversation is fine.
      const own = await chat.play(
        'search',
        { query: 'secret', options: { filters: { conversation_id } } },
        { sender: 'bob' },
      )
      expect(JSON.stringify(own.value)).toContain('secret of Bob')
      const anns = await chat.play('search', { query: 'secret' }, { sender: 'ann' })
      expect(JSON.stringify(anns.value)).not.toContain('secret of Bob')
    })
  })

  describe('events', () => {
    test('[runner.event-get] the record of the run’s own event; an error for one that it can’t see', async () => {
      const chat = await bench().chat()
      const own = await chat.play('event')
      expect(own.value).toMatchObject({
        event_id: own.event_id,
        event_type: 'message.received',
        source: 'platform',
        bot_id: chat.bot_uuid,
        conversation_id: 'person_u-1',
      })
      const bobs = await chat.play('log', { text: 'of Bob' }, { sender: 'bob' })
      for (const event_id of [bobs.event_id, 'no-such-event']) {
        const { error } = await chat.play('event', { event_id })
        expect(error).toMatchObject({ kind: 'AgentAPIException', reason: 'not_found' })
      }
      // In Bob's conversation the same event can be seen.
      expect((await chat.play('event', { event_id: bobs.event_id }, { sender: 'bob' })).error).toBeNull()
    })

    test('[runner.event-page] up to 50 of the conversation, newest first; before_cursor leads to older ones', async () => {
      const chat = await bench().chat()
      const started: string[] = []
      for (let index = 0; index < 52; index++) started.push(await chat.start('log', { text: 'x' }))
      for (const event_id of started) await chat.settled(event_id)
      await chat.play('log', { text: 'of Bob' }, { sender: 'bob' })
      const played = await chat.play('events')
      const page = resultOf<EventPage>(played)
      const ids = page.items.map(({ event_id }) => event_id)
      expect(ids).toEqual([played.event_id, ...started.slice(-49).reverse()])
      expect(page.has_more).toBe(true)
      const older = resultOf<EventPage>(await chat.play('events', { options: { before_cursor: page.prev_cursor } }))
      expect(older.items.map(({ event_id }) => event_id)).toEqual(started.slice(0, 3).reverse())
      expect(older.has_more).toBe(false)
    })

    test('[runner.event-page.event-types] only of the types asked for; by default of all', async () => {
      const scene = (options: object) => ({ config: { scene: `events ${JSON.stringify({ options })}` } })
      const chat = await bench().chat(scene({ event_types: ['group.member_joined', 'message.edited'] }))
      const all = await bench().chat(scene({}))
      const types: string[][] = []
      for (const one of [chat, all]) {
        const about = { bot_uuid: one.bot_uuid }
        await one.emit(sampleEvent('group.member_joined', about))
        await one.emit(sampleEvent('group.member_left', about))
        const left = await one.emit(sampleEvent('group.info_updated', about))
        types.push(resultOf<EventPage>(left).items.map(({ event_type }) => event_type))
      }
      expect(types).toEqual([
        ['group.member_joined'],
        ['group.info_updated', 'group.member_left', 'group.member_joined'],
      ])
    })
  })
})
