/** A plugin that starts well and then ends its own process, again and again. */
import { definePlugin, defineRunner } from '@runbound/sdk'

const answer = defineRunner({
  name: 'answer',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'] },
  async run(ctx) {
    await ctx.reply('Thunder.')
  },
})

export default definePlugin({
  author: 'acme',
  name: 'storm',
  version: '0.1.0',
  components: [answer],
  async setup() {
    console.error('lightning struck')
    process.exit(3)
  },
})
