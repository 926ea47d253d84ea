// A plugin as it was published with the SDK of version 0.1.0. Never changed: it stands for what authors have shipped.
import {
  AgentAPIException,
  at,
  chain,
  definePlugin,
  defineRunner,
  field,
  PermissionDeniedError,
  text,
} from '@runbound/sdk'

let started = false

const sampler = defineRunner({
  name: 'sampler',
  label: 'Sampler',
  usages: ['agent', 'event'],
  events: ['message.received', 'group.member_joined'],
  capabilities: { tool_calling: true, streaming: true },
  permissions: { tools: ['call', 'detail'], history: ['page'], storage: ['plugin'] },
  config: { greeting: field.string({ default: 'Hello' }), token: field.secret() },
  async run(ctx) {
    const said = ctx.input.toText()
    if (said === 'stream') {
      await ctx.replyStream(async (reply) => {
        await reply.update('one')
        await reply.update('one two')
      })
      return
    }
    if (said === 'refused') {
      try {
        await ctx.callTool('platform_send_message', {})
      } catch (error) {
        const known = error instanceof PermissionDeniedError || error instanceof AgentAPIException
        await ctx.reply(`refused: ${known}`)
      }
      return
    }
    const { value } = await ctx.stateGet('conversation', 'external.count')
    const count = (typeof value === 'number' ? value : 0) + 1
    await ctx.stateSet('conversation', 'external.count', count)
    await ctx.host.setPluginStorage('last', new TextEncoder().encode(said))
    const last = new TextDecoder().decode(await ctx.host.getPluginStorage('last'))
    const past = await ctx.historyPage({ limit: 5 })
    const available = await ctx.getAvailableTools()
    const tools = available.map((tool) => tool.tool_name)
    const facts = [
      `${ctx.config.greeting} ${count}`,
      last,
      `${Array.isArray(past.items)}`,
      `${Array.isArray(tools)}`,
      `${started}`,
      ctx.host.getPluginConfig().region,
    ]
    await ctx.reply(chain(at(ctx.actor.actor_id), text(` ${facts.join(' ')}`)))
  },
  on: {
    'group.member_joined': async (ctx) => {
      await ctx.reply(`Welcome, ${ctx.platform_event.member.nickname}!`)
    },
  },
})

export default definePlugin({
  author: 'published',
  name: 'sampler',
  version: '1.0.0',
  components: [sampler],
  config: { region: field.string({ default: 'eu' }) },
  async setup() {
    started = true
  },
  async dispose() {
    started = false
  },
})
