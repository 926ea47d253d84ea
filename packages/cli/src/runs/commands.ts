/** Commands of `runbound runs` and `runbound events`. */
import type { Command } from 'commander'
import { action, asksHost } from '../terminal/options.ts'

/** Adds `runs` and `events` with their commands. */
export function addRunCommands(program: Command): void {
  const runs = program.command('runs').description('what ran, what runs')
  asksHost(runs.command('list').description('the newest runs'))
    .option('--status <list>', 'only these, such as running,failed')
    .option('--processor <id>', 'only of this agent or plugin processor')
    .option('-n, --limit <number>', 'how many, 1 to 100', '20')
    .action(action(async () => (await import('./runs.ts')).listRuns))
  asksHost(runs.command('show').description('one run with its ledger'))
    .argument('<run>', 'id of the run, or how it begins')
    .option('--grant', 'what it may do, and why')
    .option('--trace', 'what the host saw it do')
    .action(action(async () => (await import('./runs.ts')).showRun))
  asksHost(runs.command('follow').description('ledger entries as they are written'))
    .argument('[run]', 'only this run (id, or how it begins), until it ends')
    .action(action(async () => (await import('./follow.ts')).followRuns))
  asksHost(runs.command('cancel').description('cancel a run'))
    .argument('<run>', 'id of the run, or how it begins')
    .option('--reason <text>', 'for the record')
    .action(action(async () => (await import('./runs.ts')).cancelRun))

  const events = program.command('events').description('what came in')
  asksHost(events.command('why').description('why an event got an answer or none'))
    .argument('<event>', 'id of the event')
    .action(action(async () => (await import('./runs.ts')).whyEvent))
}
