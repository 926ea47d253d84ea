/** Counts the messages of each conversation in state that the host keeps, also over restarts. */
import { definePlugin, defineRunner } from '@runbound/sdk'

const counter = defineRunner({
  name: 'counter',
  label: 'Counter',
  description: 'Counts the messages of a conversation.',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'] },
  async run(ctx) {
    const { value } = await ctx.stateGet('conversation', 'count')
    const count = (typeof value === 'number' ? value : 0) + 1
    // Runs of one conversation come one after another, so nobody counts in between.
    await ctx.stateSet('conversation', 'count', count)
    await ctx.reply(count === 1 ? 'That was the first message.' : `That was message ${count}.`)
  },
})

export default definePlugin({ author: 'runbound', name: 'example-counter', version: '0.1.0', components: [counter] })
