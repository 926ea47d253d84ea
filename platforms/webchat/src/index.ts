/** The platform `webchat`: several people and groups in a page, for trying a bot and for talking to it. */
import type { PlatformDefinition } from '@runbound/platform-kit'
import { createWebchat } from './adapter.ts'

export { type ClientFrame, FRAME_VERSION, type FrameErrorCode, type ServerFrame } from './frames.ts'
export { LIMITS } from './limits.ts'

/** The web chat platform. It has no settings; it needs `services.folder`. */
export const webchat: PlatformDefinition = {
  name: 'webchat',
  label: 'Web chat',
  settings: [],
  // Without settings there is nothing that could be wrong.
  check: () => undefined,
  create: (_settings, services) => createWebchat(services),
}
