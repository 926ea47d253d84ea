/** What the host of the console's tests holds: bots, agents, routes, and what people said to them, by real messages. */
import type { Processor } from '@runbound/host'
import type { ScriptedBot } from '@runbound/platform-kit/scriptable'
import type { StartedTestHost } from '@runbound/testing'

export interface Seeded {
  /** A bot on a scriptable platform: people speak through it. */
  readonly bot: ScriptedBot
  readonly botUuid: string
  readonly webchatUuid: string
  readonly helper: Processor
  readonly watcher: Processor
  /** Waits until every run but those that were told to be slow has ended. */
  quiet(active?: number): Promise<void>
}

/** Always the same; with `talk` false nobody has said anything. */
export async function seed(t: StartedTestHost, talk: boolean): Promise<Seeded> {
  const helper = await t.addAgent({
    runner_id: 'plugin:acme/weather/helper',
    name: 'Weather helper',
    config: { greeting: 'Good morning', api_key: 'sk-secret' },
  })
  const watcher = await t.addProcessor({ runner_id: 'plugin:acme/weather/watcher', name: 'Watcher' })
  const bot = await t.addBot({ name: 'Team bot', agent: helper, processors: [watcher] })
  const web = await t.host.platforms.put({ name: 'Web chat', platform: 'webchat', settings: {} })
  await t.routeAll(web.bot_uuid, helper)
  await t.host.platforms.put({
    name: 'Shop API',
    platform: 'http',
    enabled: false,
    settings: { inbound_secret: 'a-secret-of-the-shop', callback_url: 'http://127.0.0.1:9/callback' },
  })

  async function quiet(active = 0): Promise<void> {
    // A message that was just taken starts its runs a moment later: quiet is what stays quiet.
    for (let calm = 0, tries = 0; calm < 5; tries++) {
      if (tries > 2_000) throw new Error(`${t.host.runs.running().length} runs are active, not ${active}.`)
      calm = t.host.runs.running().length === active ? calm + 1 : 0
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }

  if (talk) {
    const lines: readonly (readonly [who: string, where: string | null, text: string])[] = [
      ['Ann', null, 'Will it rain in Oslo tomorrow?'],
      ['Ann', null, 'Please stream the forecast for the whole week, day by day.'],
      ['Ben', null, 'silent please'],
      ['Chen', null, '明天北京天气怎么样？'],
      ['Dora', 'Lounge', 'Who brings an umbrella?'],
      ['Ann', 'Lounge', 'I do. The forecast service seems to fail today, though.'],
      ['Ben', 'Lounge', 'Then let us look out of the window.'],
    ]
    for (const [sender, group, text] of lines) {
      await bot.say(text, { sender, ...(group === null ? {} : { group }) })
      await quiet()
    }
  }
  return { bot, botUuid: bot.bot_uuid, webchatUuid: web.bot_uuid, helper, watcher, quiet }
}
