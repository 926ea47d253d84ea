/** The smallest plugin: whatever is written comes back. */
import { definePlugin, defineRunner } from '@runbound/sdk'

const echo = defineRunner({
  name: 'echo',
  label: 'Echo',
  description: 'Answers with what was written.',
  usages: ['agent'],
  // Both together are what replying needs.
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'] },
  async run(ctx) {
    await ctx.reply(ctx.input.toText())
  },
})

export default definePlugin({ author: 'runbound', name: 'example-echo', version: '0.1.0', components: [echo] })
