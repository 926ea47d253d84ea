import type { Command } from 'commander'
export function addDataCommands(_program: Command): void {}
