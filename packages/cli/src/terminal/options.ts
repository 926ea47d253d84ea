/** Options that many commands have, and the glue between commander and a command's function. */
import { type Command, Option } from 'commander'
import { openTerminal, type Terminal } from './terminal.ts'

/** `--json`, for everything that prints. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON instead of text')
}

/** `--url`, `--data` and `--json`: for commands that ask a running host. */
export function asksHost(command: Command): Command {
  return withJson(
    command
      .addOption(new Option('--url <url>', 'address of the host (also RUNBOUND_URL)'))
      .addOption(new Option('--data <folder>', 'its data folder (also RUNBOUND_DATA)')),
  )
}

/** Collects an option that may be given several times. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

type Run<A extends readonly unknown[], O> = (terminal: Terminal, options: O, ...args: A) => Promise<void>

/** An action for commander whose code is loaded when it runs. Commander hands over arguments, then options. */
export function action<A extends readonly unknown[], O extends object>(load: () => Promise<Run<A, O>>) {
  return async (...given: unknown[]): Promise<void> => {
    // Commander's order: the arguments that were declared, the options, the command itself.
    const options = given.at(-2) as O & { readonly json?: boolean }
    const args = given.slice(0, -2) as unknown as A
    const run = await load()
    await run(openTerminal({ json: options.json === true }), options, ...args)
  }
}
