/**
 * A platform for tests: every ability can be switched, every call is recorded, every failure can be scripted, and what
 * the people in a chat would see can be asked for.
 */
import type { PlatformDefinition } from './adapter.ts'
import { type ScriptableOptions, scriptedAdapter } from './scripted-adapter.ts'
import { ScriptedBot } from './scripted-bot.ts'

export { type Outcome, SCRIPTED_METHODS, type ScriptedMethod } from './outcome.ts'
export { type RecordingServices, recordingServices } from './recording-services.ts'
export { SAMPLE_APIS, sampleAnswer } from './sample-apis.ts'
export { sampleEvent, sampleEventIds } from './sample-events.ts'
export { type JournalEntry, SCRIPTABLE_DEFAULTS, type ScriptableOptions, scriptedAdapter } from './scripted-adapter.ts'
export { type RecordedCall, type Said, ScriptedBot, type ShownMessage } from './scripted-bot.ts'

export interface ScriptablePlatform {
  readonly definition: PlatformDefinition
  /** The bot of this uuid: its script, calls and chats. Can be asked for before the host starts it. */
  bot(bot_uuid: string): ScriptedBot
}

/**
 * Makes a scriptable platform.
 *
 * @example
 * const platform = scriptablePlatform({ capabilities: { streaming: { minIntervalMs: 50 } } })
 * platform.bot('bot-1').script('send', { do: 'error', kind: 'rate_limited', retryAfterMs: 100 })
 */
export function scriptablePlatform(options: ScriptableOptions = {}): ScriptablePlatform {
  const bots = new Map<string, ScriptedBot>()
  const bot = (bot_uuid: string) => {
    const known = bots.get(bot_uuid) ?? new ScriptedBot(bot_uuid)
    bots.set(bot_uuid, known)
    return known
  }
  const name = options.name ?? 'scriptable'
  return {
    bot,
    definition: {
      name,
      label: 'Scriptable platform',
      settings: [],
      create: (_settings, services) => scriptedAdapter(bot(services.bot_uuid), options, services),
    },
  }
}
