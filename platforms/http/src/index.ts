/** The `http` platform: any backend talks to a bot by signed POST requests and gets its answers by signed callbacks. */
import type { PlatformDefinition } from '@runbound/platform-kit'
import { PLATFORM_NAME } from './events.ts'
import { HttpBot, type HttpTiming } from './http-bot.ts'
import { readSettings, SETTINGS } from './settings.ts'

export { MAX_INBOUND, STREAM_INTERVAL_MS } from './http-bot.ts'
export { MAX_BODY, MAX_COMPONENTS, MAX_DEPTH } from './inbound.ts'
export { sign, WINDOW_S } from './signature.ts'

/** The platform with other times than the documented ones, for tests. */
export function httpPlatformWith(timing: HttpTiming): PlatformDefinition {
  return {
    name: PLATFORM_NAME,
    label: 'HTTP',
    settings: SETTINGS,
    check: (settings) => void readSettings(settings),
    create: (settings, services) => new HttpBot(readSettings(settings), services, timing).adapter(),
  }
}

/** Speaks the `http_bot` protocol: `POST /bots/<uuid>`, `/sync`, `/reset`; callbacks to `callback_url`. */
export const httpPlatform: PlatformDefinition = httpPlatformWith({ firstPauseMs: 1_000 })
