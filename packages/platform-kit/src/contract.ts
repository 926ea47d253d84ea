/**
 * The contract suite: what every adapter must keep, as vitest tests. An adapter is done when it passes. The suite makes a
 * fresh platform for each test and looks at it from both sides: what the adapter says, and what the platform shows.
 */
import type { JsonObject } from '@runbound/protocol'
import { isEventId } from '@runbound/protocol'
import { PlatformEventSchema } from '@runbound/protocol/schemas'
import { afterEach, describe, expect, test } from 'vitest'
import type { AdapterInstance, OutgoingMessage, PlatformDefinition, ReplyTarget } from './adapter.ts'
import { ADAPTER_ERROR_KINDS, AdapterError, type AdapterErrorKind, ConfigError } from './errors.ts'
import { measureOf } from './length.ts'
import { type RecordingServices, recordingServices } from './recording-services.ts'

/** Something that a person does on the platform. The same `key` again is a redelivery of the same happening. */
export interface Happening {
  readonly what: 'message' | 'edit' | 'reaction_added' | 'reaction_removed'
  /** Message that is written, edited or reacted to. */
  readonly message_id: string
  /** New text, or the reaction. */
  readonly text: string
  readonly key: string
}

/** A message as the platform shows it. */
export interface ContractMessage {
  readonly text: string
  /** The message that it quotes; left out where the platform can't tell. */
  readonly quote_message_id?: string | null
}

/** The platform's side of one test: usually a local server that plays the platform. */
export interface ContractPlatform {
  readonly definition: PlatformDefinition
  /** Settings with which the bot works. */
  readonly settings: JsonObject
  /** Settings that must be refused, and the field that the error must name. */
  readonly badSettings: readonly { readonly settings: JsonObject; readonly field: string }[]
  /** A chat that takes messages. */
  readonly target: ReplyTarget
  /** Called before `start`, for platforms that call the adapter. */
  connect?(adapter: AdapterInstance, services: RecordingServices): void | Promise<void>
  /** Messages of the chat, oldest first. Streams with the text shown now. */
  shown(): Promise<readonly ContractMessage[]>
  /** Lets something happen; resolves once the adapter has been told. Null: the platform can't let that happen. */
  deliver(happening: Happening): Promise<void> | null
  /** Failures that the platform can show, each armed for the next send. */
  readonly failures: readonly { readonly kind: AdapterErrorKind; readonly name: string; arm(): void }[]
  /** Makes the next send take this long. Null: it can't be made slow. */
  readonly slow: ((ms: number) => void) | null
  close(): Promise<void>
}

export interface AdapterContract {
  readonly name: string
  make(): Promise<ContractPlatform>
}

interface Running {
  readonly platform: ContractPlatform
  readonly services: RecordingServices
  readonly adapter: AdapterInstance
  message(text: string, changes?: Partial<OutgoingMessage>): OutgoingMessage
}

const never = new AbortController().signal

/** Registers the suite for one adapter. */
export function adapterContract({ name, make }: AdapterContract): void {
  const open: Running[] = []

  async function running(): Promise<Running> {
    const platform = await make()
    const services = recordingServices('contract-bot')
    const adapter = platform.definition.create(platform.settings, services)
    let count = 0
    const message = (text: string, changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
      target: platform.target,
      chain: [{ type: 'Plain', text }],
      delivery_key: `d-${++count}`,
      conversation_id: 'conversation-1',
      run_id: 'run-1',
      part: 1,
      parts: 1,
      ...changes,
    })
    const one = { platform, services, adapter, message }
    open.push(one)
    await platform.connect?.(adapter, services)
    await adapter.start()
    return one
  }

  afterEach(async () => {
    for (const { adapter, platform } of open.splice(0)) {
      await adapter.stop()
      await platform.close()
    }
  })

  const texts = async (platform: ContractPlatform) => (await platform.shown()).map((shown) => shown.text)

  async function refused(call: Promise<unknown>): Promise<AdapterError> {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(AdapterError.is(error), `expected an AdapterError, got ${String(error)}`).toBe(true)
    if (!AdapterError.is(error)) throw error
    expect(ADAPTER_ERROR_KINDS).toContain(error.kind)
    expect(error.message).not.toBe('')
    return error
  }

  describe(`adapter contract: ${name}`, () => {
    test('the definition names itself and its settings', async () => {
      const { platform } = await running()
      const { definition } = platform
      expect(definition.name).toMatch(/^[a-z][a-z0-9-]*$/)
      expect(definition.label).not.toBe('')
      expect(new Set(definition.settings.map((setting) => setting.name)).size).toBe(definition.settings.length)
      for (const setting of definition.settings) {
        expect(setting.name).toMatch(/^[a-z][a-z0-9_-]*$/)
        expect(setting.label).not.toBe('')
        if (setting.type === 'select') expect(setting.options?.length).toBeGreaterThan(0)
        if (setting.type === 'secret') expect(setting.default ?? '').toBe('')
      }
    })

    test('wrong settings are refused by a ConfigError that names the field', async () => {
      const platform = await make()
      try {
        for (const { settings, field } of platform.badSettings) {
          let error: unknown = null
          try {
            platform.definition.create(settings, recordingServices('contract-bot'))
          } catch (reason) {
            error = reason
          }
          expect(ConfigError.is(error), `settings ${JSON.stringify(settings)} were taken`).toBe(true)
          expect(error).toMatchObject({ field, code: 'config.invalid' })
          // The host asks this before it stores: what create refuses must not get that far.
          expect(() => platform.definition.check?.(settings), `check took ${JSON.stringify(settings)}`).toThrow(
            expect.objectContaining({ field, code: 'config.invalid' }),
          )
        }
        expect(() => platform.definition.check?.(platform.settings)).not.toThrow()
      } finally {
        await platform.close()
      }
    })

    test('[runner.context.delivery] what is declared is there, and nothing else', async () => {
      const { adapter } = await running()
      const can = adapter.capabilities
      expect(typeof adapter.openStream === 'function').toBe(can.streaming !== null)
      if (can.streaming === null) expect(adapter.resumeStream).toBeUndefined()
      expect(typeof adapter.outcome === 'function').toBe(can.provesDelivery)
      expect(typeof adapter.api === 'function').toBe(can.apis.length > 0)
      for (const id of can.events) expect(isEventId(id), id).toBe(true)
      expect(new Set(can.events).size).toBe(can.events.length)
      if (can.limits.maxText !== null) expect(can.limits.maxText).toBeGreaterThan(0)
      if (can.limits.maxAttachments !== null) expect(can.limits.maxAttachments).toBeGreaterThanOrEqual(0)
      expect(() => measureOf(can.limits)).not.toThrow()
    })

    test('an API that is not declared is refused as not supported', async () => {
      const { adapter } = await running()
      if (adapter.api === undefined) return expect(adapter.capabilities.apis).toEqual([])
      expect((await refused(adapter.api('no_such_api', {}, never))).kind).toBe('not_supported')
    })

    test('stop is idempotent and quick; a stopped adapter sends nothing and emits nothing', async () => {
      const { adapter, platform, message, services } = await running()
      const begin = Date.now()
      await adapter.stop()
      await adapter.stop()
      expect(Date.now() - begin).toBeLessThan(5_000)
      const error = await refused(adapter.send(message('too late'), never))
      expect(['unavailable', 'refused']).toContain(error.kind)
      expect(await texts(platform)).toEqual([])
      await Promise.resolve(
        platform.deliver({ what: 'message', message_id: 'm-late', text: 'late', key: 'late' }),
      ).catch(() => {})
      expect(services.emitted).toEqual([])
    })

    test('a message is sent once, as it is, and has an id of its own or none', async () => {
      const { adapter, platform, message } = await running()
      const strange = 'plain *bold* _x_ <b> & `code` 天气 👨‍👩‍👧‍👦\nsecond line'
      const first = await adapter.send(message(strange), never)
      const second = await adapter.send(message('another'), never)
      expect(await texts(platform)).toEqual([strange, 'another'])
      for (const sent of [first, second])
        expect(sent.message_id === null || typeof sent.message_id === 'string').toBe(true)
      if (first.message_id !== null) expect(first.message_id).not.toBe(second.message_id)
    })

    test('[D33] messages of one chat arrive in the order in which they were sent, slow ones too', async () => {
      const { adapter, platform, message } = await running()
      const sent = ['one', 'two', 'three', 'four', 'five']
      for (const [index, text] of sent.entries()) {
        if (index % 2 === 0) platform.slow?.(40)
        await adapter.send(message(text, { part: index + 1, parts: sent.length }), never)
      }
      expect(await texts(platform)).toEqual(sent)
    })

    test('a quoted message is quoted, if the platform can', async () => {
      const { adapter, platform, message } = await running()
      await adapter.send(message('quoting', { quote_message_id: 'm-1' }), never)
      const [shown] = await platform.shown()
      expect(shown?.text).toContain('quoting')
      if (adapter.capabilities.quote && shown?.quote_message_id !== undefined)
        expect(shown.quote_message_id).toBe('m-1')
    })

    test('[D34] text at the limit goes out; over the limit it is refused as too long, never cut', async () => {
      const { adapter, platform, message } = await running()
      const { limits } = adapter.capabilities
      if (limits.maxText === null) return expect(limits.maxText).toBeNull()
      const fits = 'x'.repeat(limits.maxText)
      expect(measureOf(limits)(fits)).toBe(limits.maxText)
      await adapter.send(message(fits), never)
      expect((await refused(adapter.send(message(`${fits}x`), never))).kind).toBe('too_long')
      expect(await texts(platform)).toEqual([fits])
    })

    test('too many attachments are refused, never left out', async () => {
      const { adapter, platform, message } = await running()
      const most = adapter.capabilities.limits.maxAttachments
      if (most === null) return expect(most).toBeNull()
      const chain = Array.from({ length: most + 1 }, (_, index) => ({
        type: 'Image' as const,
        image_id: '',
        url: `https://example.org/${index}.png`,
        path: '',
        base64: '',
      }))
      expect(['too_long', 'invalid', 'not_supported']).toContain(
        (await refused(adapter.send(message('', { chain }), never))).kind,
      )
      expect(await texts(platform)).toEqual([])
    })

    test('failures of the platform arrive as their kind', async () => {
      const { adapter, platform, message } = await running()
      for (const failure of platform.failures) {
        failure.arm()
        const error = await refused(adapter.send(message(`fails: ${failure.name}`), never))
        expect(error.kind, failure.name).toBe(failure.kind)
        if (error.kind === 'rate_limited') expect(error.retryAfterMs, failure.name).toBeGreaterThanOrEqual(0)
      }
      await adapter.send(message('works again'), never)
      expect((await texts(platform)).at(-1)).toBe('works again')
    })

    test('an aborted signal ends a send', async () => {
      const { adapter, platform, message } = await running()
      const before = await refused(adapter.send(message('never'), AbortSignal.abort()))
      expect(before.kind).toBe('unavailable')
      expect(await texts(platform)).toEqual([])
      if (platform.slow === null) return
      platform.slow(20_000)
      const controller = new AbortController()
      const begin = Date.now()
      setTimeout(() => controller.abort(), 60)
      const during = await refused(adapter.send(message('slow'), controller.signal))
      expect(['unknown_outcome', 'unavailable']).toContain(during.kind)
      expect(Date.now() - begin).toBeLessThan(2_000)
    })

    test('[runner.reply-stream.native-updates] a native stream is one message that ends with its final text', async () => {
      const { adapter, platform, message } = await running()
      if (adapter.openStream === undefined) return expect(adapter.capabilities.streaming).toBeNull()
      const pause = () =>
        new Promise((resolve) => setTimeout(resolve, (adapter.capabilities.streaming?.minIntervalMs ?? 0) + 5))
      const { chain: _chain, ...opening } = message('')
      const { stream, message_id } = await adapter.openStream(opening, 'a', never)
      expect(await texts(platform)).toEqual(['a'])
      await pause()
      await stream.update('a b')
      expect(await texts(platform)).toEqual(['a b'])
      await pause()
      const sent = await stream.finish('a b c')
      expect(sent.message_id).toBe(message_id)
      expect(await texts(platform)).toEqual(['a b c'])
      await refused(stream.update('a b c d'))
      expect(await texts(platform)).toEqual(['a b c'])
    })

    test('an aborted stream is closed with what it shows', async () => {
      const { adapter, platform, message } = await running()
      if (adapter.openStream === undefined) return expect(adapter.capabilities.streaming).toBeNull()
      const { chain: _chain, ...opening } = message('')
      const { stream } = await adapter.openStream(opening, 'half', never)
      await new Promise((resolve) => setTimeout(resolve, (adapter.capabilities.streaming?.minIntervalMs ?? 0) + 5))
      await stream.abort('half')
      await refused(stream.update('half and more'))
      expect(await texts(platform)).toEqual(['half'])
    })

    test('delivery can be proved where that is declared', async () => {
      const { adapter, message } = await running()
      if (adapter.outcome === undefined) return expect(adapter.capabilities.provesDelivery).toBe(false)
      const sent = await adapter.send(message('proof', { delivery_key: 'proved' }), never)
      expect(await adapter.outcome('proved')).toEqual({ status: 'sent', message_id: sent.message_id })
      expect((await adapter.outcome('other')).status).not.toBe('sent')
    })

    test('[D38] a redelivery has the same dedupe key, another happening another one', async () => {
      const { platform, services } = await running()
      const keyOf = async (happening: Happening) => {
        const before = services.emitted.length
        const told = platform.deliver(happening)
        if (told === null) return null
        await told
        expect(services.emitted.length, `${happening.what} was not handed in`).toBe(before + 1)
        const key = services.emitted.at(-1)?.dedupe_key ?? null
        expect(key, happening.what).toEqual(expect.any(String))
        return key
      }
      const message = { what: 'message', message_id: 'm-1', text: 'hello', key: 'k-1' } as const
      const first = await keyOf(message)
      expect(await keyOf(message)).toBe(first)
      const keys = [
        first,
        await keyOf({ what: 'message', message_id: 'm-2', text: 'hello', key: 'k-2' }),
        await keyOf({ what: 'edit', message_id: 'm-1', text: 'hello!', key: 'k-3' }),
        await keyOf({ what: 'edit', message_id: 'm-1', text: 'hello', key: 'k-4' }),
        await keyOf({ what: 'reaction_added', message_id: 'm-1', text: '👍', key: 'k-5' }),
        await keyOf({ what: 'reaction_removed', message_id: 'm-1', text: '👍', key: 'k-6' }),
        await keyOf({ what: 'reaction_added', message_id: 'm-1', text: '👍', key: 'k-7' }),
      ].filter((key) => key !== null)
      expect(new Set(keys).size).toBe(keys.length)
    })

    test('events are valid, declared, and say where to answer', async () => {
      const { platform, services, adapter } = await running()
      await platform.deliver({ what: 'message', message_id: 'm-1', text: 'hello 天气', key: 'k-1' })
      await platform.deliver({ what: 'edit', message_id: 'm-1', text: 'hello!', key: 'k-2' })
      await platform.deliver({ what: 'reaction_added', message_id: 'm-1', text: '👍', key: 'k-3' })
      for (const { event } of services.emitted) {
        const read = PlatformEventSchema.safeParse(event)
        expect(read.error, event.type).toBeUndefined()
        expect(adapter.capabilities.events).toContain(event.type)
        expect(event.bot_uuid).toBe('contract-bot')
        expect(event.adapter_name).toBe(platform.definition.name)
      }
      const [message] = services.emitted
      if (message === undefined) return expect(adapter.capabilities.events).not.toContain('message.received')
      expect(message.event).toMatchObject({ type: 'message.received' })
      expect(message.reply_target?.target_id).toEqual(expect.any(String))
      if (message.reply_target !== null && message.reply_target !== undefined) {
        const { chain, ...rest } = { chain: [{ type: 'Plain' as const, text: 'answer' }], delivery_key: 'answer' }
        await adapter.send(
          { ...rest, chain, target: message.reply_target, conversation_id: null, run_id: null, part: 1, parts: 1 },
          never,
        )
        expect(await texts(platform)).toContain('answer')
      }
    })
  })
}
