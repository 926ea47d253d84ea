import type { Command } from 'commander'
export function addRunCommands(_program: Command): void {}
