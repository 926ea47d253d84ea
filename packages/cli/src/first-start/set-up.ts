/** What a fresh data folder starts with: a web chat whose messages go to the guide. Made once; the operator owns it after. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '@runbound/host'

const BOT = 'Web chat'
const PROCESSOR = 'guide'
/** Says that the first set-up is through: a bot that the operator removed does not come back. */
const DONE = 'first-start.done'

/** Can be repeated after a crash in the middle: nothing is made twice. */
export async function setUpWebChat(host: Host, folder: string): Promise<void> {
  const done = join(folder, DONE)
  if (existsSync(done)) return
  const known = (await host.platforms.bots()).find((bot) => bot.platform === 'webchat' && bot.name === BOT)
  const bot = known ?? (await host.platforms.put({ name: BOT, platform: 'webchat', settings: {} }))
  await host.runs.processors.put({
    processor_id: PROCESSOR,
    workspace_uuid: host.identity.workspace_uuid,
    kind: 'agent',
    name: 'Guide',
    runner_id: 'plugin:runbound/guide/guide',
    config: {},
    grants: {},
    options: {},
    enabled: true,
  })
  if ((await host.events.routes(bot.bot_uuid)).length === 0) {
    await host.events.setRoutes(bot.bot_uuid, [
      {
        route_id: crypto.randomUUID(),
        event_pattern: 'message.received',
        filters: [],
        target_type: 'agent',
        processor_id: PROCESSOR,
        priority: 0,
        scope: 'chat',
        enabled: true,
        description: 'Every message to the guide',
      },
    ])
  }
  writeFileSync(done, 'The web chat of the first start was made; remove this file to have it made again.\n')
}
