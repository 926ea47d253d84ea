/** Commands that the documents name: `runbound` has to know each, with its subcommand. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineAt } from './sources/mask.ts'
import { filesUnder, ROOT } from './sources/tree.ts'

const NAMED = /(?:^|`|&& |\| )runbound ([a-z][a-z-]*)(?: ([a-z][a-z-]*)\b(?![./]))?/gm

/** A command as a document names it. */
export interface NamedCommand {
  readonly command: string
  /** Undefined when nothing like a subcommand follows. */
  readonly next: string | undefined
  readonly line: number
}

/** The commands in code marks and in lines of a terminal. */
export function commandsIn(text: string): NamedCommand[] {
  return [...text.matchAll(NAMED)].map((match) => ({
    command: match[1] ?? '',
    next: match[2],
    line: lineAt(text, match.index + match[0].indexOf('runbound')),
  }))
}

/** The names under `Commands:` of a help text. */
export function commandsOfHelp(help: string): string[] {
  const list = help.slice(help.indexOf('\nCommands:\n'))
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((match) => match[1] ?? '').filter((name) => name !== 'help')
}

/** Every named command that `runbound` does not know. */
export function unknownCommands(): string[] {
  const helps = new Map<string, string[]>()
  const known = (...words: string[]): string[] => {
    const key = words.join(' ')
    const names = helps.get(key) ?? commandsOfHelp(helpOf(words))
    helps.set(key, names)
    return names
  }
  const documents = ['README.md', ...filesUnder('docs', (name) => name.endsWith('.md'))]
  return documents.flatMap((file) =>
    commandsIn(readFileSync(join(ROOT, file), 'utf8')).flatMap(({ command, next, line }) => {
      if (!known().includes(command)) return [`${file}:${line} names "runbound ${command}", which is not a command.`]
      const subcommands = known(command)
      const isArgument = subcommands.length === 0 || next === undefined
      return isArgument || subcommands.includes(next)
        ? []
        : [`${file}:${line} names "runbound ${command} ${next}", which is not a command.`]
    }),
  )
}

function helpOf(words: readonly string[]): string {
  const ran = spawnSync(process.execPath, ['packages/cli/src/main.ts', ...words, '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (ran.status !== 0) throw new Error(`runbound ${words.join(' ')} --help: exit code ${ran.status}\n${ran.stderr}`)
  return ran.stdout
}
