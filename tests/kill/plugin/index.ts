/**
 * The plugin under load: each Runner answers its message in another way, always the same for the same text. `at` is called
 * at named points inside a run; a killed host stops there.
 */
import { definePlugin, defineRunner, type Plugin } from '@runbound/sdk'

/** Called at a point of a run. Default: nothing happens there. */
export type At = (point: string) => Promise<void>

const SLOW_MS = 250
const STEP_MS = 30

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Makes the plugin. The texts are what `behaviours.ts` expects. */
export function killPlugin(at: At): Plugin {
  const asked = {
    usages: ['agent'],
    capabilities: { tool_calling: true, streaming: true },
    permissions: { tools: ['call'] },
  } as const
  const echo = defineRunner({
    ...asked,
    name: 'echo',
    async run(ctx) {
      await at('run.entered')
      await ctx.reply(`${ctx.input.toText()} echo`)
      await at('reply.returned')
    },
  })
  const counter = defineRunner({
    ...asked,
    name: 'counter',
    async run(ctx) {
      const { value } = await ctx.stateGet('conversation', 'external.count')
      const count = (typeof value === 'number' ? value : 0) + 1
      await ctx.stateSet('conversation', 'external.count', count)
      await at('state.written')
      await ctx.reply(`${ctx.input.toText()} number ${count}`)
    },
  })
  const stream = defineRunner({
    ...asked,
    name: 'stream',
    async run(ctx) {
      const tag = ctx.input.toText()
      await ctx.replyStream(async (reply) => {
        for (const words of ['begins', 'begins, goes on', 'begins, goes on, and ends']) {
          await reply.update(`${tag} ${words}`)
          await wait(STEP_MS)
        }
      })
      await at('stream.returned')
    },
  })
  const slow = defineRunner({
    ...asked,
    name: 'slow',
    async run(ctx) {
      await wait(SLOW_MS)
      await ctx.reply(`${ctx.input.toText()} slowly`)
    },
  })
  const twice = defineRunner({
    ...asked,
    name: 'twice',
    async run(ctx) {
      await ctx.reply(`${ctx.input.toText()} one`)
      await at('reply.between')
      await ctx.reply(`${ctx.input.toText()} two`)
    },
  })
  const note = defineRunner({
    usages: ['event'],
    name: 'note',
    on: {
      'message.received': async (ctx) => {
        await ctx.stateSet('conversation', `external.seen.${ctx.input.toText()}`, true)
      },
    },
  })
  return definePlugin({
    author: 'runbound',
    name: 'kill',
    version: '1.0.0',
    components: [echo, counter, stream, slow, twice, note],
  })
}

export default killPlugin(async () => {})
