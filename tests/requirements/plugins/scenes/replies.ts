/** Scenes that speak, and that write logs. */
import { at, chain, image, text } from '@runbound/sdk'
import { attempt, gate, type Scenes, textOf, waitAt } from '../play.ts'

const words = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

export const replyScenes: Scenes = {
  reply: (ctx, args) => ctx.reply(textOf(args, 'text')),
  replyAttempt: (ctx, args) => attempt(() => ctx.reply(textOf(args, 'text'))),
  quoting: (ctx, args) =>
    ctx.reply(chain(text(textOf(args, 'text'))), args.quote === undefined ? {} : { quote_origin: args.quote === true }),
  chain: (ctx) =>
    ctx.reply(chain(text('one '), at('u-9'), text(' two'), image({ url: 'https://example.org/a.png' }), text('three'))),
  byTool: (ctx, args) => ctx.api.callTool('event_reply', { text: textOf(args, 'text') }),
  log: (ctx, args) => ctx.log(textOf(args, 'text'), ...levelOf(args.level)),
  levels: async (ctx) => {
    for (const level of ['debug', 'info', 'warning', 'error'] as const) await ctx.log(`at ${level}`, level)
    const wrong = JSON.parse('"fatal"')
    return attempt(() => ctx.log('at fatal', wrong))
  },
  open: (_ctx, args) => gate(textOf(args, 'gate')).open(),

  /** Updates one after another; waits at a gate before the last one, where one is named. */
  stream: async (ctx, args) => {
    const results: unknown[] = []
    let result: unknown
    const returned = await ctx.replyStream(async (reply) => {
      result = reply
      const texts = words(args.texts)
      for (const [index, update] of texts.entries()) {
        if (index === texts.length - 1 && typeof args.gate === 'string') await waitAt(args.gate, ctx.signal)
        results.push(await reply.update(update))
        if (typeof args.pause === 'number') await new Promise((resolve) => setTimeout(resolve, Number(args.pause)))
      }
      return 'returned'
    })
    const late = await attempt(() => Reflect.get(Object(result), 'update').call(result, 'too late'))
    return { results, result: Reflect.get(Object(result), 'result'), returned, late }
  },
  streamFailing: async (ctx, args) =>
    ctx.replyStream(async (reply) => {
      await reply.update(textOf(args, 'text'))
      if (typeof args.gate === 'string') await waitAt(args.gate, ctx.signal)
      throw new Error('the block failed')
    }),
  /** Streams, and then waits for the end of the run inside the block. */
  streamCancelled: (ctx, args) =>
    ctx.replyStream(async (reply) => {
      await reply.update(textOf(args, 'text'))
      await waitAt('never', ctx.signal)
    }),
}

function levelOf(level: unknown): ['debug' | 'info' | 'warning' | 'error'] | [] {
  return level === 'debug' || level === 'info' || level === 'warning' || level === 'error' ? [level] : []
}
