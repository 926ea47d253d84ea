/** Commands of `runbound plugin`: writing, checking and packing one, and those that a host has installed. */
import type { Command } from 'commander'
import { action, asksHost, collect, withJson } from '../terminal/options.ts'

/** Adds `plugin` with its commands. */
export function addPluginCommands(program: Command): void {
  const plugin = program.command('plugin').description('write, pack, install and look after plugins')
  withJson(plugin.command('new').description('write a plugin that answers'))
    .argument('<name>', 'its name, and that of the folder')
    .option('--author <name>', 'who writes it (default: your user name)')
    .action(action(async () => (await import('./new.ts')).newPlugin))
  withJson(plugin.command('check').description('types, manifest, files: what would stop it'))
    .argument('[folder]', 'the plugin', '.')
    .action(action(async () => (await import('./check.ts')).checkPlugin))
  plugin
    .command('test')
    .description('run its tests (*.test.ts) on this SDK and test kit')
    .argument('[folder]', 'the plugin', '.')
    .action(action(async () => (await import('./test.ts')).testPlugin))
  plugin
    .command('types')
    .description('write tsconfig.json so that types come from this installation')
    .argument('[folder]', 'the plugin', '.')
    .action(action(async () => (await import('./new.ts')).writeTypes))
  withJson(plugin.command('pack').description('bundle it for installation'))
    .argument('[folder]', 'the plugin', '.')
    .option('-o, --out <folder>', 'where to (default: dist in the plugin)')
    .action(action(async () => (await import('./pack.ts')).packPlugin))
  addInstalled(plugin)
}

function addInstalled(plugin: Command): void {
  approval(asksHost(plugin.command('install').description('install a packed folder: shows it, asks, approves')))
    .argument('<folder>', 'what `plugin pack` made')
    .action(action(async () => (await import('./install.ts')).installPlugin))
  asksHost(plugin.command('list').description('what is installed')).action(
    action(async () => (await import('./look-after.ts')).listPlugins),
  )
  named(plugin, 'show', 'manifest, settings, state').action(
    action(async () => (await import('./look-after.ts')).showPlugin),
  )
  approval(named(plugin, 'approve', 'approve exactly what is installed now')).action(
    action(async () => (await import('./install.ts')).approvePlugin),
  )
  named(plugin, 'set', 'change settings')
    .argument('[changes...]', 'name=value')
    .option('--unset <name>', 'back to the default; repeatable', collect, [])
    .action(action(async () => (await import('./look-after.ts')).setPlugin))
  named(plugin, 'restart', 'start it anew').action(action(async () => (await import('./look-after.ts')).restartPlugin))
  named(plugin, 'enable', 'switch it on').action(action(async () => (await import('./look-after.ts')).enablePlugin))
  named(plugin, 'disable', 'switch it off').action(action(async () => (await import('./look-after.ts')).disablePlugin))
  named(plugin, 'remove', 'remove it; its data stays')
    .option('--with-data', 'remove its private files, too')
    .option('-y, --yes', 'do not ask')
    .action(action(async () => (await import('./look-after.ts')).removePlugin))
  named(plugin, 'logs', 'what it wrote')
    .option('-f, --follow', 'go on until Ctrl-C')
    .option('-n, --lines <number>', 'how many lines at most', '200')
    .action(action(async () => (await import('./logs.ts')).pluginLogs))
  asksHost(plugin.command('debug-key').description('a key with which a plugin connects from elsewhere')).action(
    action(async () => (await import('./look-after.ts')).debugKey),
  )
}

function named(plugin: Command, name: string, description: string): Command {
  return asksHost(plugin.command(name).description(description)).argument('<plugin>', 'author/name, name or id')
}

function approval(command: Command): Command {
  return command
    .option('-y, --yes', 'do not ask')
    .option('--accept-not-isolated', 'run it also where this system has no isolation')
    .option('--grant <json>', 'what it may do outside runs, as JSON')
}
