import { expect, test } from 'vitest'
import { commandsIn, commandsOfHelp } from '../../tools/src/doc-commands.ts'

test('commands are found in code marks and in lines of a terminal', () => {
  const text = [
    'Use `runbound plugin check`, `pack`, or `runbound events why ID`.',
    'runbound dev hello   # comment',
    'echo hi | runbound chat --once && runbound start',
    'The word runbound start in a sentence is none; `runbound dev examples/echo` names a folder.',
  ].join('\n')
  expect(commandsIn(text)).toEqual([
    { command: 'plugin', next: 'check', line: 1 },
    { command: 'events', next: 'why', line: 1 },
    { command: 'dev', next: 'hello', line: 2 },
    { command: 'chat', next: undefined, line: 3 },
    { command: 'start', next: undefined, line: 3 },
    { command: 'dev', next: undefined, line: 4 },
  ])
})

test('the names of a help text', () => {
  const help =
    'Usage: x\n\nOptions:\n  -h, --help  help\n\nCommands:\n  start [options]  start\n                   it\n  plugin           more\n  help [command]   help\n'
  expect(commandsOfHelp(help)).toEqual(['start', 'plugin'])
  expect(commandsOfHelp('Usage: x\n')).toEqual([])
})
