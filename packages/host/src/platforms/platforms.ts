/** Bots: which adapters run, with what settings; platform packages are loaded when a bot needs them. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { AdapterError, type AdapterErrorKind, type PlatformDefinition } from '@runbound/platform-kit'
import { type JsonObject, type Reason, WireError } from '@runbound/protocol'
import { type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import type { Identity } from '../identity/types.ts'
import type { Logger } from '../logger.ts'
import { RunningBot } from './running-bot.ts'
import { mergeSettings, openSettings, sealSettings, showSettings } from './settings.ts'
import * as sql from './statements.ts'
import type { Bot, PlatformLoaders, PlatformNeeds, Platforms } from './types.ts'

export interface PlatformsOptions {
  readonly store: Store
  readonly identity: Identity
  readonly loaders: PlatformLoaders
  readonly needs: PlatformNeeds
  readonly clock: Clock
  readonly logger: Logger
  /** The data folder; adapters get a private folder of their own below it. null: none. */
  readonly folder: string | null
}

/** What a plugin reads when the platform says no. */
const REASON_OF: { readonly [K in AdapterErrorKind]: Reason } = {
  rate_limited: 'platform_failed',
  too_long: 'platform_failed',
  refused: 'platform_failed',
  unavailable: 'platform_failed',
  unknown_outcome: 'delivery_unknown',
  not_supported: 'not_supported',
  invalid: 'invalid_params',
  stream_lost: 'platform_failed',
}

export function createPlatforms(options: PlatformsOptions): Platforms {
  const { store, identity, loaders, clock } = options
  const definitions = new Map<string, Promise<PlatformDefinition>>()
  const secretNames = new Map<string, ReadonlySet<string>>()
  const running = new Map<string, RunningBot>()
  /** Sealed settings as stored; what leaves this room is `shown`. */
  let bots: Map<string, Bot> | undefined

  async function definition(name: string): Promise<PlatformDefinition> {
    const load = loaders[name]
    if (load === undefined) {
      throw new HostError(
        'invalid_config',
        `There is no platform "${name}". Known: ${Object.keys(loaders).join(', ')}.`,
        { at: 'platform' },
      )
    }
    let found = definitions.get(name)
    if (found === undefined) {
      found = load()
      definitions.set(name, found)
      found.catch(() => definitions.delete(name))
    }
    const platform = await found
    secretNames.set(name, new Set(platform.settings.filter((s) => s.type === 'secret').map((s) => s.name)))
    return platform
  }

  async function table(): Promise<Map<string, Bot>> {
    if (bots === undefined) {
      const rows = await store.all(sql.allBots({ workspace_uuid: identity.workspace_uuid }))
      const loaded = new Map<string, Bot>()
      for (const row of rows) {
        loaded.set(row.bot_uuid, {
          bot_uuid: row.bot_uuid,
          workspace_uuid: row.workspace_uuid,
          name: row.name,
          platform: row.platform,
          settings: JSON.parse(row.settings) as JsonObject,
          admins: JSON.parse(row.admins) as readonly string[],
          enabled: row.enabled === 1,
        })
      }
      bots = loaded
    }
    return bots
  }

  function shown(bot: Bot): Bot {
    return {
      ...bot,
      settings: showSettings(secretNames.get(bot.platform) ?? new Set(Object.keys(bot.settings)), bot.settings),
    }
  }

  /** Loads the platform and makes the adapter. Settings that do not fit are the bot's status once it is started. */
  async function prepareBot(bot: Bot): Promise<RunningBot> {
    const platform = await definition(bot.platform)
    const entry = new RunningBot({
      bot,
      platform,
      settings: openSettings(platform, bot.settings, bot.bot_uuid, identity),
      needs: options.needs,
      store,
      clock,
      logger: options.logger,
      folder: options.folder,
    })
    running.set(bot.bot_uuid, entry)
    try {
      entry.prepare()
    } catch (error) {
      options.logger.warn({ bot_uuid: bot.bot_uuid, err: error }, `The adapter of bot "${bot.name}" can't be made`)
    }
    return entry
  }

  async function startBot(bot: Bot): Promise<void> {
    const entry = running.get(bot.bot_uuid) ?? (await prepareBot(bot))
    await entry.start()
  }

  async function eachEnabled(what: string, work: (bot: Bot) => Promise<unknown>): Promise<void> {
    const all = [...(await table()).values()].filter((bot) => bot.enabled)
    const failed = (bot: Bot) => (error: unknown) =>
      options.logger.error({ bot_uuid: bot.bot_uuid, err: error }, `Bot "${bot.name}" can't be ${what}`)
    await Promise.all(all.map((bot) => work(bot).catch(failed(bot))))
  }

  return {
    prepare: () => eachEnabled('prepared', prepareBot),
    start: () => eachEnabled('started', startBot),
    async stop() {
      await Promise.all([...running.values()].map((bot) => bot.stop()))
    },

    async bots() {
      const all = [...(await table()).values()]
      for (const name of new Set(all.map((bot) => bot.platform))) await definition(name).catch(() => undefined)
      return all.map(shown)
    },
    async bot(botUuid) {
      const found = (await table()).get(botUuid)
      return found === undefined ? undefined : shown(found)
    },

    async known() {
      return Promise.all(
        Object.keys(loaders).map(async (name) => {
          try {
            const { label, settings } = await definition(name)
            return { name, label, settings, fault: null }
          } catch (error) {
            return { name, label: name, settings: [], fault: error instanceof Error ? error.message : String(error) }
          }
        }),
      )
    },

    async changes(wanted) {
      const platform = await definition(wanted.platform)
      const old = wanted.bot_uuid === undefined ? undefined : (await table()).get(wanted.bot_uuid)
      const stored = old === undefined ? {} : openSettings(platform, old.settings, old.bot_uuid, identity)
      const merged = mergeSettings(platform, stored, wanted.settings)
      return Object.keys(merged).filter((name) => merged[name] !== stored[name])
    },

    async put(wanted) {
      const platform = await definition(wanted.platform)
      const all = await table()
      const botUuid = wanted.bot_uuid ?? randomUUID()
      const old = all.get(botUuid)
      if (old !== undefined && old.platform !== wanted.platform) {
        throw new HostError(
          'conflict',
          `Bot "${old.name}" is on platform "${old.platform}". A bot can't move to "${wanted.platform}": make a new one.`,
          { at: 'platform' },
        )
      }
      if (wanted.name.trim() === '') throw new HostError('invalid_config', 'A bot needs a name.', { at: 'name' })
      const stored = old === undefined ? {} : openSettings(platform, old.settings, botUuid, identity)
      const settings = mergeSettings(platform, stored, wanted.settings)
      const bot: Bot = {
        bot_uuid: botUuid,
        workspace_uuid: identity.workspace_uuid,
        name: wanted.name,
        platform: wanted.platform,
        settings: sealSettings(platform, settings, botUuid, identity),
        admins: wanted.admins ?? old?.admins ?? [],
        enabled: wanted.enabled ?? old?.enabled ?? true,
      }
      try {
        await store.commit([
          sql.upsertBot({
            ...bot,
            settings: JSON.stringify(bot.settings),
            admins: JSON.stringify(bot.admins),
            enabled: bot.enabled ? 1 : 0,
            now: clock.now(),
          }),
        ])
      } catch (error) {
        if (StoreError.is(error) && error.code === 'refused') {
          throw new HostError('conflict', `There is already a bot named "${wanted.name}".`, {
            at: 'name',
            cause: error,
          })
        }
        throw error
      }
      all.set(botUuid, bot)
      await running.get(botUuid)?.stop()
      running.delete(botUuid)
      if (bot.enabled) await startBot(bot)
      return shown(bot)
    },

    async remove(botUuid) {
      await running.get(botUuid)?.stop()
      running.delete(botUuid)
      await store.commit([sql.deleteBot({ bot_uuid: botUuid })])
      if (options.folder !== null) rmSync(join(options.folder, 'bots', botUuid), { recursive: true, force: true })
      ;(await table()).delete(botUuid)
    },

    status: (botUuid) => running.get(botUuid)?.status ?? { bot_uuid: botUuid, state: 'stopped', message: null },
    adapter: (botUuid) => running.get(botUuid)?.adapter,
    capabilities: (botUuid) => running.get(botUuid)?.capabilities,

    async api(botUuid, action, params, signal) {
      const adapter = running.get(botUuid)?.adapter
      if (adapter === undefined) {
        const known = (await table()).get(botUuid)
        throw known === undefined
          ? new WireError('not_found', `There is no bot ${botUuid} in this workspace. ctx.host.getBots() lists them.`)
          : new WireError(
              'not_available',
              `Bot "${known.name}" is not running. Its operator can see why in the bot's status.`,
            )
      }
      if (adapter.api === undefined || !adapter.capabilities.apis.includes(action)) {
        const known = adapter.capabilities.apis.join(', ') || 'none'
        throw new WireError('not_supported', `This platform does not offer "${action}". It offers: ${known}.`, {
          details: { api_name: action },
        })
      }
      try {
        return await adapter.api(action, params, signal)
      } catch (error) {
        if (AdapterError.is(error))
          throw new WireError(REASON_OF[error.kind], `Platform API "${action}" failed: ${error.message}`, {
            details: { kind: error.kind },
            cause: error,
          })
        throw error
      }
    },
  }
}
