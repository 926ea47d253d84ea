/** The plugin of the console's tests: answers in the ways that pages have to show. Public SDK only. */
import { definePlugin, defineRunner, field } from '@runbound/sdk'

const helper = defineRunner({
  name: 'helper',
  label: 'Helper',
  description: 'Answers what it is asked; "slow" keeps it busy, "fail" makes it fail, "silent" makes it say nothing.',
  usages: ['agent'],
  events: ['message.received', 'group.member_joined'],
  capabilities: { tool_calling: true, streaming: true },
  permissions: { tools: ['call'], history: ['page'] },
  config: {
    greeting: field.string({ default: 'Hello', label: 'Greeting' }),
    api_key: field.secret({ label: 'Key of the weather service' }),
  },
  async run(ctx) {
    const said = ctx.input.toText().trim()
    const name = ctx.actor?.actor_name ?? 'you'
    await ctx.log(`${name} wrote ${said.length} characters`)
    if (said.includes('fail')) throw new Error('The weather service does not answer.')
    if (said.includes('silent')) return
    if (said.includes('slow')) {
      await ctx.reply('This takes a while.')
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
      return
    }
    const past = await ctx.historyPage({ limit: 5 })
    const answer = `${ctx.config.greeting}, ${name}. You wrote: "${said}". Messages so far: ${past.items.length}.`
    if (!said.includes('stream')) {
      await ctx.reply(answer)
      return
    }
    await ctx.replyStream(async (reply) => {
      for (let at = 10; at < answer.length; at += 10) await reply.update(answer.slice(0, at))
      await reply.update(answer)
    })
  },
})

const watcher = defineRunner({
  name: 'watcher',
  label: 'Watcher',
  description: 'Looks at every message and never answers.',
  usages: ['event'],
  events: ['message.received'],
  async run(ctx) {
    await ctx.log('seen', 'debug')
  },
})

export default definePlugin({ author: 'acme', name: 'weather', version: '1.2.0', components: [helper, watcher] })
