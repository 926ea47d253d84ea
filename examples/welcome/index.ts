/** A plugin processor: gets the events that it declares, beside whatever agent answers the chat. */
import { definePlugin, defineRunner, field } from '@runbound/sdk'

const welcome = defineRunner({
  name: 'welcome',
  label: 'Welcome',
  description: 'Greets whoever joins a group.',
  usages: ['event'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'] },
  config: { greeting: field.string({ default: 'Welcome', label: 'Greeting' }) },
  // The handlers say which events the plugin processor takes, and type `ctx.platform_event`.
  on: {
    'group.member_joined': async (ctx) => {
      const { member, group } = ctx.platform_event
      const where = group?.name ? ` to ${group.name}` : ''
      await ctx.reply(`${ctx.config.greeting}${where}, ${member.nickname || 'friend'}!`)
    },
  },
})

export default definePlugin({ author: 'runbound', name: 'example-welcome', version: '0.1.0', components: [welcome] })
