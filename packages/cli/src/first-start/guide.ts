/** The plugin behind the web chat of a fresh host: answers, streamed, and says what to do next. Public SDK only. */
import { definePlugin, defineRunner, field } from '@runbound/sdk'

/** Milliseconds between two words: slow enough to see that the answer is streamed. */
const PACE_MS = 25

const guideRunner = defineRunner({
  name: 'guide',
  label: 'Guide',
  description: 'Repeats what you said and shows the next steps.',
  usages: ['agent'],
  events: ['message.received'],
  capabilities: { tool_calling: true, streaming: true },
  permissions: { tools: ['call'] },
  config: { greeting: field.string({ default: 'Hello', label: 'Greeting' }) },
  async run(ctx) {
    const said = ctx.input.toText().trim()
    const name = ctx.actor?.actor_name ?? 'you'
    const words = answer(ctx.config.greeting, name, said).match(/\S+\s*/g) ?? []
    await ctx.replyStream(async (reply) => {
      let text = ''
      for (const word of words) {
        ctx.signal.throwIfAborted()
        text += word
        await reply.update(text)
        await new Promise((resolve) => setTimeout(resolve, PACE_MS))
      }
    })
  },
})

function answer(greeting: string, name: string, said: string): string {
  const heard = said === '' ? 'You sent something without text.' : `You said: "${said}"`
  return [
    `${greeting}, ${name}! ${heard}`,
    'This answer was streamed by a Runner: a plugin in TypeScript, bound to this one message until it ends.',
    'Write your own, outside of this folder:',
    '```\nrunbound plugin new hello\nrunbound dev hello\n```',
    'Then write to the bot "dev". Each save of hello/index.ts changes the next answer.',
  ].join('\n\n')
}

/** Ships with the host, inline. */
export const guide = definePlugin({
  author: 'runbound',
  name: 'guide',
  version: '1.0.0',
  label: 'Guide',
  description: 'The first answer of a fresh host.',
  components: [guideRunner],
})
