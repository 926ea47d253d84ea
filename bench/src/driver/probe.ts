/** Packages of the probe plugin as `runbound plugin pack` would leave them, under as many names as are wanted. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definePlugin, defineRunner, manifestOf, type Plugin } from '@runbound/sdk'
import probe from '../../plugins/probe/index.ts'

const SOURCE = join(import.meta.dirname, '../../plugins/probe/index.ts')

/** Id of the probe's Runners: `plugin:bench/probe/echo`, `plugin:bench/probe/calls`. */
export const runnerId = (runner: 'echo' | 'calls'): string => `plugin:bench/probe/${runner}`

/** Writes a package below `parent` and gives its folder. */
export function probePackage(parent: string, name = 'probe'): string {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  const named = (text: string) => text.replaceAll('probe', name)
  writeFileSync(join(folder, 'index.ts'), named(readFileSync(SOURCE, 'utf8')))
  writeFileSync(join(folder, 'runbound.manifest.json'), named(JSON.stringify(manifestOf(probe, { entry: 'index.ts' }))))
  return folder
}

/** A plugin for running inline: one echo Runner under its own name. */
export function inlineProbe(name: string): Plugin {
  const echo = defineRunner({
    name: 'echo',
    usages: ['agent'],
    capabilities: { tool_calling: true },
    permissions: { tools: ['call'] },
    async run(ctx) {
      await ctx.reply(`echo: ${ctx.input.toText()}`)
    },
  })
  return definePlugin({ author: 'bench', name, version: '1.0.0', components: [echo] })
}
