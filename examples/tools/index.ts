/** Looks at what this run may call, and calls it. The list is the grant: nothing outside it can be called. */
import { AgentAPIException, type AvailableTool, definePlugin, defineRunner, type JsonObject } from '@runbound/sdk'

const caller = defineRunner({
  name: 'caller',
  label: 'Caller',
  description: 'Lists tools ("tools") and calls them ("call NAME {json}").',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'] },
  async run(ctx) {
    const tools = await ctx.getAvailableTools()
    const [command, name = '', ...rest] = ctx.input.toText().trim().split(' ')
    if (command !== 'call') {
      await ctx.reply(tools.map(lineOf).join('\n'))
      return
    }
    if (!tools.some((tool) => tool.name === name)) {
      await ctx.reply(`I was not given "${name}".`)
      return
    }
    try {
      const answer = await ctx.callTool(name, argumentsOf(rest.join(' ')))
      await ctx.reply(JSON.stringify(answer))
    } catch (error) {
      // The host checks arguments against the tool's schema; the message says what did not fit.
      if (!AgentAPIException.isInstance(error)) throw error
      await ctx.reply(`${name} said no: ${error.message}`)
    }
  },
})

function lineOf({ name, description }: AvailableTool): string {
  return `${name}: ${description ?? 'no description'}`
}

function argumentsOf(text: string): JsonObject {
  const value: unknown = text === '' ? {} : JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('Give a JSON object.')
  return { ...value }
}

export default definePlugin({ author: 'runbound', name: 'example-tools', version: '0.1.0', components: [caller] })
