/** Commands about the data folder and the machine. */
import { type Command, Option } from 'commander'
import { action, asksHost, withJson } from '../terminal/options.ts'

/** Adds `backup`, `restore` and `doctor`. */
export function addDataCommands(program: Command): void {
  onFolder(program.command('backup').description('copy all data to one file, also while the host runs'))
    .argument('<file>', 'where to')
    .option('--force', 'replace the file if it is there')
    .action(action(async () => (await import('./backup.ts')).backup))
  onFolder(program.command('restore').description('put a backup in place; the host must be stopped'))
    .argument('<file>', 'the backup')
    .option('-y, --yes', 'do not ask')
    .action(action(async () => (await import('./restore.ts')).restore))
  asksHost(program.command('doctor').description('look at machine, data folder and database'))
    .addOption(new Option('--port <port>', 'port to look at').default('5490').env('RUNBOUND_PORT'))
    .action(action(async () => (await import('./doctor.ts')).doctor))
}

function onFolder(command: Command): Command {
  return withJson(command).addOption(new Option('--data <folder>', 'the data folder (also RUNBOUND_DATA)'))
}
