/** One running bot: its adapter, its state, and how it starts and stops without touching other bots. */
import { join } from 'node:path'
import type { AdapterCapabilities, AdapterInstance, AdapterServices, PlatformDefinition } from '@runbound/platform-kit'
import type { JsonObject } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import * as sql from './statements.ts'
import type { Bot, BotStatus, PlatformNeeds } from './types.ts'

/** An adapter that does not stop in this time is left behind; its signal has aborted. */
const STOP_MS = 6_000
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000] as const

export interface RunningBotOptions {
  readonly bot: Bot
  readonly platform: PlatformDefinition
  /** Secrets opened. */
  readonly settings: JsonObject
  readonly needs: PlatformNeeds
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly folder: string | null
}

export class RunningBot {
  readonly bot: Bot
  #options: RunningBotOptions
  #abort = new AbortController()
  #adapter: AdapterInstance | undefined
  #capabilities: AdapterCapabilities | undefined
  /** The adapter was made and has not been started yet. */
  #fresh = false
  #status: BotStatus
  #retries = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: RunningBotOptions) {
    this.#options = options
    this.bot = options.bot
    this.#status = { bot_uuid: options.bot.bot_uuid, state: 'stopped', message: null }
  }

  get status(): BotStatus {
    return this.#status
  }

  /** Undefined while the bot is down. */
  get adapter(): AdapterInstance | undefined {
    return this.#status.state === 'running' ? this.#adapter : undefined
  }

  /** What the platform can do; undefined while the settings do not make an adapter. Known while the bot is down, too. */
  get capabilities(): AdapterCapabilities | undefined {
    return this.#capabilities
  }

  /** Makes the adapter and connects nothing. Throws ConfigError for settings that do not fit. */
  prepare(): void {
    this.#adapter = this.#options.platform.create(this.#options.settings, this.#services())
    this.#capabilities = this.#adapter.capabilities
    this.#fresh = true
  }

  /** Never rejects: a bot that can't start says why and tries again with growing pauses. */
  async start(): Promise<void> {
    const { logger } = this.#options
    this.#set('starting', null)
    try {
      if (!this.#fresh) this.prepare()
      this.#fresh = false
      await this.#adapter?.start()
      if (this.#abort.signal.aborted) return
      this.#retries = 0
      this.#set('running', null)
    } catch (error) {
      if (this.#abort.signal.aborted) return
      const message = error instanceof Error ? error.message : String(error)
      logger.error({ bot_uuid: this.bot.bot_uuid, err: error }, `Bot "${this.bot.name}" did not start: ${message}`)
      this.#set('failed', message)
      const pause = RETRY_MS[Math.min(this.#retries++, RETRY_MS.length - 1)]
      this.#timer = setTimeout(() => void this.start(), pause).unref()
    }
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('the bot stops'))
    clearTimeout(this.#timer)
    const adapter = this.#adapter
    this.#adapter = undefined
    this.#set('stopped', null)
    if (adapter === undefined) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_MS)
    })
    await Promise.race([
      adapter
        .stop()
        .catch((error: unknown) => this.#options.logger.warn({ err: error }, 'An adapter failed while it stopped')),
      late,
    ])
    clearTimeout(timer)
  }

  #set(state: BotStatus['state'], message: string | null): void {
    this.#status = { bot_uuid: this.bot.bot_uuid, state, message }
  }

  #services(): AdapterServices {
    const { bot, needs, store, clock, logger, folder } = this.#options
    const log = logger.child({ bot_uuid: bot.bot_uuid, platform: bot.platform })
    const own = folder === null ? null : join(folder, 'bots', bot.bot_uuid)
    return {
      bot_uuid: bot.bot_uuid,
      bot_name: bot.name,
      ...(own === null ? {} : { folder: own }),
      settled: needs.settled,
      resetConversation: (target) => needs.resetConversation(bot.bot_uuid, target),
      signal: this.#abort.signal,
      now: () => clock.now(),
      emit: (event) => needs.accept(bot.bot_uuid, event),
      log: (level, text, details) => log[level === 'warning' ? 'warn' : level](details ?? {}, text),
      notes: {
        get: async (name) => (await store.first(sql.noteValue({ bot_uuid: bot.bot_uuid, name })))?.value ?? null,
        set: async (name, value) => {
          await store.commit([sql.setNote({ bot_uuid: bot.bot_uuid, name, value })])
        },
      },
    }
  }
}
