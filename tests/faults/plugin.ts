/** The plugin of the fault tests: answers with what it was told, and says what became of the answer. */
import { AgentAPIException, definePlugin, defineRunner, type Plugin } from '@runbound/sdk'

export const ECHO = 'plugin:runbound/faults/echo'

/** Makes the plugin. `heard` gets the text of each run, `failed` the reason when the platform did not take an answer. */
export function echoPlugin(notes: { heard?: string[]; failed?: string[] } = {}): Plugin {
  return definePlugin({
    author: 'runbound',
    name: 'faults',
    version: '1.0.0',
    components: [
      defineRunner({
        name: 'echo',
        usages: ['agent'],
        capabilities: { tool_calling: true },
        permissions: { tools: ['call'] },
        async run(ctx) {
          const text = ctx.input.toText()
          notes.heard?.push(text)
          try {
            await ctx.reply(`${text} heard`)
          } catch (error) {
            if (error instanceof AgentAPIException) notes.failed?.push(String(error.details?.reason))
            throw error
          }
        },
      }),
    ],
  })
}
