/** Commands of `runbound plugin`: writing, checking and packing one, and those that a host has installed. */
import type { Command } from 'commander'
import { action, asksHost, withJson } from '../terminal/options.ts'

/** Adds `plugin` with its commands. */
export function addPluginCommands(program: Command): void {
  const plugin = program.command('plugin').description('write, pack, install and look after plugins')
  withJson(plugin.command('new').description('write a plugin that answers'))
    .argument('<name>', 'its name, and that of the folder')
    .option('--author <name>', 'who writes it (default: your user name)')
    .action(action(async () => (await import('./new.ts')).newPlugin))
  void asksHost
}
