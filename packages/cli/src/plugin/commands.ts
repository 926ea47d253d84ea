import type { Command } from 'commander'
export function addPluginCommands(_program: Command): void {}
