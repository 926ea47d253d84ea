/** The tree of commands. A command's code is loaded when it runs: `--help` needs nothing of it. */
import { Command, CommanderError } from 'commander'
import { addDataCommands } from './data/commands.ts'
import { EXIT, explain } from './errors.ts'
import { addPluginCommands } from './plugin/commands.ts'
import { addRunCommands } from './runs/commands.ts'
import { addHostCommands } from './start/commands.ts'
import { openTerminal } from './terminal/terminal.ts'

/** Runs one command line (without `node` and the script); resolves with the exit code. Never rejects. */
export async function runCli(args: readonly string[]): Promise<number> {
  const program = new Command('runbound')
    .description('A host for chat-bot plugins in which every run is bound.')
    .showHelpAfterError('(--help shows what is possible)')
    .exitOverride()
    .configureHelp({ sortSubcommands: false })
  addHostCommands(program)
  addPluginCommands(program)
  addRunCommands(program)
  addDataCommands(program)
  inheritExit(program)
  try {
    await program.parseAsync(args, { from: 'user' })
    return EXIT.done
  } catch (error) {
    // Commander has printed its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    return report(error, args.includes('--json'))
  }
}

/** One sentence on stderr; with `--json` one object, also there: stdout carries results. */
function report(error: unknown, json: boolean): number {
  const { code, message, exit } = explain(error)
  openTerminal({ json }).note(json ? JSON.stringify({ error: { code, message } }) : message)
  return exit
}

/** Every command throws instead of ending the process, so that output is written whole. */
function inheritExit(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().showHelpAfterError('(--help shows what is possible)')
    inheritExit(child)
  }
}
