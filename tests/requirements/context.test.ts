import { groupMember, user, userGroup } from '@runbound/platform-kit'
import { sampleEvent, sampleEventIds } from '@runbound/platform-kit/scriptable'
import type { RunnerContext } from '@runbound/protocol'
import { describe, expect, test } from 'vitest'
import type { Chat, ChatSpec, Played } from './bench.ts'
import { onEveryTransport } from './transports.ts'

/** The data of a context as the plugin saw it; its shape is what these tests are about. */
function seen({ value, error }: Played): RunnerContext & { readonly text: string } {
  expect(error).toBeNull()
  return value as RunnerContext & { readonly text: string }
}

const TELL = { config: { scene: 'context' } } satisfies ChatSpec
const at = (chat: Chat) => ({ bot_uuid: chat.bot_uuid })

onEveryTransport(
  (bench) => {
    describe('who, where and what', () => {
      test('[runner.context.run-id] each run has its own id, under which its record is found', async () => {
        const chat = await bench().chat()
        const [one, two] = [await chat.play('context'), await chat.play('context')]
        const ids = [seen(one).run_id, seen(two).run_id]
        expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true)
        expect(new Set(ids).size).toBe(2)
        expect([one.run.run_id, two.run.run_id]).toEqual(ids)
        const records = await Promise.all(ids.map((id) => chat.play('run', { run_id: id })))
        expect(records.map(({ value }) => value)).toMatchObject(ids.map((run_id) => ({ run_id, status: 'completed' })))
      })

      test('[runner.context.event] [runner.context.trigger] the envelope, and what started the run', async () => {
        const chat = await bench().chat()
        const played = await chat.play('context', {}, { message_id: 'm-7' })
        const { event, trigger } = seen(played)
        expect(event).toMatchObject({
          event_id: played.event_id,
          event_type: 'message.received',
          source: 'platform',
          source_event_type: 'message.received',
          data: { type: 'message.received', message_id: 'm-7', bot_uuid: chat.bot_uuid },
        })
        expect(Math.abs((event.event_time ?? 0) - Date.now() / 1000)).toBeLessThan(60)
        expect(trigger).toEqual({ type: 'message.received', source: 'platform', timestamp: event.event_time })
        const debugged = seen(await chat.debugScene('context'))
        expect(debugged.trigger).toMatchObject({ type: 'message.received', source: 'webui' })
        expect(debugged.event.source).toBe('webui')
      })

      test('[runner.context.conversation] chat, thread, bot and workspace; null without a conversation', async () => {
        const chat = await bench().chat(TELL)
        const { workspace_uuid } = bench().t.host.identity
        const inGroup = await chat.outcome(
          await chat.start('hi', {}, { group: 'g-1', thread_id: 't-1', sender: 'u-2' }),
        )
        expect(seen(inGroup).conversation).toMatchObject({
          conversation_id: 'group_g-1',
          thread_id: 't-1',
          launcher_type: 'group',
          launcher_id: 'g-1',
          sender_id: 'u-2',
          bot_id: chat.bot_uuid,
          workspace_id: workspace_uuid,
        })
        const alone = await chat.outcome(await chat.start('hi', {}, { sender: 'u-3' }))
        expect(seen(alone).conversation).toMatchObject({ conversation_id: 'person_u-3', thread_id: null })
        const nowhere = await chat.emit(sampleEvent('friend.removed', at(chat)))
        expect(seen(nowhere).conversation).toBeNull()
      })

      test('[runner.context.actor] who caused it; null when nobody did', async () => {
        const chat = await bench().chat(TELL)
        const zoe = user('u-9', { nickname: 'Zoe' })
        const joined = await chat.emit(sampleEvent('group.member_joined', at(chat), { member: zoe }))
        expect(seen(joined).actor).toMatchObject({ actor_type: 'user', actor_id: 'u-9', actor_name: 'Zoe' })
        const nobody = await chat.emit(sampleEvent('platform.specific', at(chat)))
        expect(seen(nobody).actor).toBeNull()
      })

      test('[runner.context.subject] the message, group or other object; null when the event names none', async () => {
        const chat = await bench().chat(TELL)
        const message = await chat.outcome(await chat.start('hi', {}, { message_id: 'm-8' }))
        expect(seen(message).subject).toMatchObject({ subject_type: 'message', subject_id: 'm-8' })
        const group = userGroup('g-3', { name: 'Garden' })
        const joined = await chat.emit(sampleEvent('group.member_joined', at(chat), { group }))
        expect(seen(joined).subject).toMatchObject({ subject_type: 'group', subject_id: 'g-3' })
        const rated = await chat.emit(sampleEvent('feedback.received', at(chat), { feedback_id: 'f-4' }))
        expect(seen(rated).subject).toMatchObject({ subject_type: 'feedback', subject_id: 'f-4' })
        const answered = await chat.debug('interaction.submitted', {
          interaction_id: 'i-1',
          action_id: 'yes',
          values: {},
        })
        expect(seen(answered).subject).toBeNull()
      })

      test('[runner.context.adapter] what the adapter adds, and an empty object or null without', async () => {
        const chat = await bench().chat(TELL)
        const event = sampleEvent('message.received', at(chat))
        const more = await chat.emit(event, { extra: { trace: ['a', 1], deep: { er: null } } })
        expect(seen(more).adapter).toEqual({ extra: { trace: ['a', 1], deep: { er: null } } })
        expect(seen(await chat.emit(event)).adapter?.extra ?? {}).toEqual({})
      })
    })

    describe('the input', () => {
      test('[runner.context.input] text, structured contents and attachments of the message', async () => {
        const chat = await bench().chat(TELL)
        const event_id = await chat.start(
          '',
          {},
          {
            chain: [
              { type: 'Plain', text: 'look: ' },
              { type: 'Image', image_id: null, url: 'https://example.org/a.png', path: null, base64: null },
              { type: 'Plain', text: ' nice' },
            ],
          },
        )
        const { input } = seen(await chat.outcome(event_id))
        expect(input.text).toBe('look:  nice')
        expect(input.contents).toMatchObject([
          { type: 'text', text: 'look: ' },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
          { type: 'text', text: ' nice' },
        ])
        expect(input.attachments).toHaveLength(1)
        expect(input.attachments[0]).toMatchObject({ url: 'https://example.org/a.png' })
        expect(input.attachments[0]?.ref ?? '').not.toBe('')
      })

      test('[runner.context.input.to-text] toText() is the text of the current input', async () => {
        const chat = await bench().chat(TELL)
        expect(seen(await chat.outcome(await chat.start('one two', { three: '四' }))).text).toBe(
          'one two {"three":"四"}',
        )
      })

      test('[runner.context.event-data] event.data has the fields without a stable property', async () => {
        const chat = await bench().chat(TELL)
        const joined = await chat.emit(sampleEvent('group.member_joined', at(chat), { join_type: 'invite' }))
        expect(seen(joined).event.data).toMatchObject({ join_type: 'invite', inviter: { id: 'u-2' } })
        const poked = await chat.emit(sampleEvent('platform.specific', at(chat), { data: { strength: 3 } }))
        expect(seen(poked).event.data).toMatchObject({ action: 'poke', data: { strength: 3 } })
      })

      test('[runner.context.platform-event] each documented event comes in the shape of its type', async () => {
        const chat = await bench().chat({ config: { scene: 'platformEvent' } })
        const told: Record<string, unknown> = {}
        for (const id of sampleEventIds()) told[id] = (await chat.emit(sampleEvent(id, at(chat)))).value
        for (const id of sampleEventIds()) {
          const { source_platform_object: _left_out, ...fields } = sampleEvent(id, at(chat))
          expect(told[id], id).toMatchObject(JSON.parse(JSON.stringify(fields)))
        }
        expect(told['group.member_joined']).toMatchObject({ group: { id: 'g-1' }, member: { id: 'u-1' } })
        expect(sampleEventIds()).toHaveLength(25)
        const member = groupMember('g-1', user('u-1'), { role: 'admin' })
        const said = await chat.emit(sampleEvent('message.received', at(chat), { sender_member: member }))
        expect(said.value).toMatchObject({ sender_member: { role: 'admin' } })
      })
    })

    describe('settings', () => {
      test('[runner.context.config] two agents with the same Runner each see their own', async () => {
        const [one, two] = [
          await bench().chat({ config: { greeting: 'hi' } }),
          await bench().chat({ config: { greeting: 'hej' } }),
        ]
        expect(seen(await one.play('context')).config.greeting).toBe('hi')
        expect(seen(await two.play('context')).config.greeting).toBe('hej')
        const plain = await bench().chat()
        expect(seen(await plain.play('context')).config.greeting).toBe('hello')
      })

      test('[runner.context.config.plugin-level] the plugin’s settings are the same for all, and apart from config', async () => {
        const { host } = bench().t
        const agent = await bench().chat({ config: { greeting: 'hi' } })
        const processor = await bench().chat({ usage: 'event', config: { scene: 'pluginConfig' } })
        const joined = () => processor.emit(sampleEvent('group.member_joined', at(processor)))
        expect((await agent.play('pluginConfig')).value).toMatchObject({
          plugin: { plugin_level: 'of the plugin' },
          own: { greeting: 'hi' },
        })
        expect((await joined()).value).toMatchObject({ plugin: { plugin_level: 'of the plugin' } })
        const uuid = host.plugins.runners()[0]?.installation_uuid ?? ''
        await host.plugins.setSettings(uuid, { plugin_level: 'changed' })
        expect((await agent.play('pluginConfig')).value).toMatchObject({
          plugin: { plugin_level: 'changed' },
          own: { greeting: 'hi' },
        })
        expect((await joined()).value).toMatchObject({ plugin: { plugin_level: 'changed' } })
        expect(JSON.stringify((await agent.play('pluginConfig')).value)).not.toContain('of the plugin')
      })
    })

    describe('what the run may do', () => {
      test('[runner.context.delivery] target and abilities, different on two platforms', async () => {
        const [plain, streaming] = [await bench().chat(), await bench().chat({ platform: 'streaming' })]
        const abilities = async (chat: Chat) => seen(await chat.play('context', {}, { message_id: 'm-1' })).delivery
        const [one, two] = [await abilities(plain), await abilities(streaming)]
        expect(one).toMatchObject({
          automatic_reply: false,
          surface: 'platform',
          supports_streaming: false,
          supports_edit: false,
          supports_reaction: false,
          max_message_size: 4096,
          reply_target: { target_type: 'person', target_id: 'u-1', message_id: 'm-1' },
        })
        expect(two).toMatchObject({ supports_streaming: true, supports_edit: true, supports_reaction: true })
        const none = await (await bench().chat(TELL)).emit(sampleEvent('friend.removed', at(plain)))
        expect(seen(none).delivery.reply_target).toBeNull()
      })

      test('[runner.context.resources] lists of what was granted, and nothing else', async () => {
        const all = seen(await (await bench().chat()).play('context')).resources
        expect(all.models).toMatchObject([{ model_id: 'parrot' }])
        expect(all.tools.map(({ tool_name }) => tool_name)).toEqual(expect.arrayContaining(['event_reply', 'weather']))
        expect(all.storage).toEqual({ plugin_storage: true, workspace_storage: true })
        const grants = { event_tools: [], tools: [], models: [], storage: { plugin: false, workspace: false } }
        const none = seen(await (await bench().chat({ grants })).play('context')).resources
        expect(none).toMatchObject({
          models: [],
          tools: [],
          knowledge_bases: [],
          skills: [],
          storage: { plugin_storage: false, workspace_storage: false },
        })
        expect(JSON.stringify(none)).not.toMatch(/parrot|weather|event_reply/)
      })

      test('[runner.context.resources.tools] exactly the tools that the run may call', async () => {
        const chat = await bench().chat({
          grants: { event_tools: ['event_get_actor', 'event_reply'], tools: ['weather'] },
        })
        const names = seen(await chat.play('context')).resources.tools.map(({ tool_name }) => tool_name)
        expect([...names].sort()).toEqual(['event_get_actor', 'event_reply', 'weather'])
        const parameters: Record<string, object> = { event_reply: { text: 'x' }, weather: { city: 'Oslo' } }
        for (const name of names)
          expect((await chat.play('call', { name, parameters: { ...parameters[name] } })).error, name).toBeNull()
        const calls = chat.bot.calls.length
        const denied = await chat.play('call', { name: 'event_delete_message' })
        expect(denied.error).toMatchObject({ kind: 'PermissionDeniedError', code: 'permission_denied' })
        expect(chat.bot.calls).toHaveLength(calls)
      })

      test('[runner.context.context] cursors, inline policy and flags; history_page takes the cursor', async () => {
        const chat = await bench().chat()
        await chat.play('reply', { text: 'first answer' })
        await chat.play('reply', { text: 'second answer' })
        const { context } = seen(await chat.play('context'))
        expect(context).toMatchObject({ conversation_id: 'person_u-1', thread_id: null, has_history_before: true })
        expect(context.inline_policy).toMatchObject({ mode: 'current_event', delivered_count: 0 })
        expect(context.available_apis).toMatchObject({ history_page: true, state: true, run_finalize: false })
        const page = (await chat.play('fromCursor')).value
        expect(JSON.stringify(page)).toContain('first answer')
        const fresh = seen(await (await bench().chat()).play('context')).context
        expect(fresh.has_history_before).toBe(false)
      })

      test('[runner.context.runtime] version, trace id and deadline', async () => {
        const chat = await bench().chat({ options: { deadline_seconds: 120 } })
        const before = Date.now() / 1000
        const { runtime } = seen(await chat.play('context'))
        expect(runtime.langbot_version).toMatch(/^v\d+\.\d+\.\d+/)
        expect(runtime.trace_id ?? '').not.toBe('')
        expect(runtime.deadline_at ?? 0).toBeGreaterThan(before + 100)
        expect(runtime.deadline_at ?? 0).toBeLessThan(before + 180)
        const free = await bench().chat({ options: { deadline_seconds: 0 } })
        expect(seen(await free.play('context')).runtime.deadline_at).toBeNull()
      })

      test('[runner.context.state] what was stored before the run; a stateSet does not change it', async () => {
        const chat = await bench().chat()
        await chat.play('stateSet', { scope: 'conversation', key: 'k', value: 'old' })
        await chat.play('stateSet', { scope: 'actor', key: 'a', value: [1] })
        await chat.play('stateSet', { scope: 'runner', key: 'r', value: { deep: true } })
        expect(seen(await chat.play('context')).state).toMatchObject({
          conversation: { k: 'old' },
          actor: { a: [1] },
          runner: { r: { deep: true } },
        })
        expect((await chat.play('stateSnapshot')).value).toEqual({
          before: { k: 'old' },
          after: { k: 'old' },
          stored: { value: 'new' },
        })
      })

      test('[runner.context.metadata] an object, empty when there is nothing', async () => {
        expect(seen(await (await bench().chat()).play('context')).metadata).toEqual({})
      })
    })

    describe('entries', () => {
      test('[runner.entry.run] run(ctx) is called once for a run', async () => {
        const chat = await bench().chat()
        const played = await chat.play('log', { text: 'called' })
        expect(played.run.logs.filter(({ text }) => text === 'called')).toHaveLength(1)
        expect(played.run.status).toBe('completed')
        const { items } = await bench().t.host.runs.list({
          workspace_uuid: bench().t.host.identity.workspace_uuid,
          processor_id: chat.processor.processor_id,
          statuses: null,
          before_cursor: null,
          limit: 10,
        })
        expect(items).toHaveLength(1)
      })

      test('[runner.entry.handler] a handler of the event gets the same context as run(ctx) does', async () => {
        const shapes: string[][] = []
        for (const runner of ['probe', 'handlers']) {
          const chat = await bench().chat({ runner, ...TELL })
          const said = seen(await chat.outcome(await chat.start('hi')))
          const joined = seen(await chat.emit(sampleEvent('group.member_joined', at(chat))))
          const left = seen(await chat.emit(sampleEvent('group.member_left', at(chat))))
          expect([said, joined, left].map(({ event }) => event.event_type)).toEqual([
            'message.received',
            'group.member_joined',
            'group.member_left',
          ])
          shapes.push(keysOf(said), keysOf(joined), keysOf(left))
        }
        expect(shapes.slice(3)).toEqual(shapes.slice(0, 3))
        expect(shapes[0]?.length).toBeGreaterThan(40)
      })
    })
  },
  {
    models: { parrot: () => 'hi' },
    tools: { weather: { description: 'Weather', parameters: { type: 'object' }, call: () => 'sun' } },
  },
)

/** Every path of the data, so that two contexts can be compared without their values. */
function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  if (Array.isArray(value)) return [`${path}[]`]
  return Object.entries(value).flatMap(([key, part]) => keysOf(part, `${path}.${key}`))
}
