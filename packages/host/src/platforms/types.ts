/** platforms/ owns bots and bot_notes: which adapters run, with what settings. */
import type {
  Accepted,
  AdapterCapabilities,
  AdapterInstance,
  IncomingEvent,
  PlatformDefinition,
  ReplyTarget,
  Settled,
} from '@runbound/platform-kit'
import type { Json, JsonObject } from '@runbound/protocol'

export interface Bot {
  readonly bot_uuid: string
  readonly workspace_uuid: string
  readonly name: string
  readonly platform: string
  /** Secrets are sealed; `shown` settings say only that they are set. */
  readonly settings: JsonObject
  readonly admins: readonly string[]
  readonly enabled: boolean
}

export interface BotStatus {
  readonly bot_uuid: string
  readonly state: 'stopped' | 'starting' | 'running' | 'failed'
  readonly message: string | null
}

/** A platform as forms need it. */
export interface KnownPlatform extends Pick<PlatformDefinition, 'name' | 'label' | 'settings'> {
  readonly fault: string | null
}

/** Platform packages by name; loaded when a bot needs one. */
export type PlatformLoaders = Readonly<Record<string, () => Promise<PlatformDefinition>>>

export interface Platforms {
  /** Makes the adapters of all enabled bots, so that their capabilities are known before any work is taken up. */
  prepare(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  bots(): Promise<readonly Bot[]>
  bot(botUuid: string): Promise<Bot | undefined>
  /** Every platform with the settings of its bots; loads them all. `fault`: why one can't be loaded. */
  known(): Promise<readonly KnownPlatform[]>
  /** Creates or changes and (re)starts. ConfigError names the field. Settings left out keep their value. */
  put(bot: {
    readonly bot_uuid?: string
    readonly name: string
    readonly platform: string
    readonly settings: JsonObject
    readonly admins?: readonly string[]
    readonly enabled?: boolean
  }): Promise<Bot>
  /** Names of the settings that `put` would change; secrets are compared and never shown. HostError as `put`. */
  changes(bot: {
    readonly bot_uuid?: string
    readonly platform: string
    readonly settings: JsonObject
  }): Promise<readonly string[]>
  remove(botUuid: string): Promise<void>
  status(botUuid: string): BotStatus
  /** The running adapter; undefined when the bot is down. */
  adapter(botUuid: string): AdapterInstance | undefined
  /** Known while the bot is down, too: what is said then is sent when it is up again. */
  capabilities(botUuid: string): AdapterCapabilities | undefined
  /** Calls a platform API; WireError `not_supported`, `platform_failed`, `not_found` (bot). */
  api(botUuid: string, action: string, params: JsonObject, signal: AbortSignal): Promise<Json>
}

export interface PlatformNeeds {
  accept(botUuid: string, event: IncomingEvent): Promise<Accepted>
  /** Resolves once nothing of this event runs or is on its way any more. */
  settled(eventId: string, signal: AbortSignal): Promise<Settled>
  /** A new conversation begins in this chat: what was said before is no longer history. */
  resetConversation(botUuid: string, target: ReplyTarget): Promise<void>
}
