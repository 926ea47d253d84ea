/** Small plugins that tests write into folders. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PluginText {
  readonly name?: string
  readonly version?: string
  /** Statements of the module, before the Runner. */
  readonly before?: string
  /** The Runner's `run`: statements with `ctx`. */
  readonly run?: string
  /** Fields of `definePlugin`, such as `setup() {}`. */
  readonly plugin?: string
  /** Fields of `defineRunner`. */
  readonly runner?: string
}

/** The module of a plugin `test/<name>` with one agent Runner `talk`. */
export function pluginText(text: PluginText): string {
  return `import { definePlugin, defineRunner, field } from '@runbound/sdk'
${text.before ?? ''}
const talk = defineRunner({
  name: 'talk',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'] },
  ${text.runner ?? ''}
  async run(ctx) { ${text.run ?? "await ctx.reply('ok')"} },
})
void field
export default definePlugin({
  author: 'test', name: '${text.name ?? 'sample'}', version: '${text.version ?? '1.0.0'}', components: [talk],
  ${text.plugin ?? ''}
})
`
}

/** Writes it into a folder, which is made. */
export function writePlugin(folder: string, text: PluginText): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "main": "index.ts" }\n')
  writeFileSync(join(folder, 'index.ts'), pluginText(text))
  return folder
}
