/** Set-up files: faults name line and column, variables are filled where secrets stand. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSetup } from './read-file.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-setup-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(text: string, env: NodeJS.ProcessEnv = {}) {
  const file = join(folder, 's.yaml')
  writeFileSync(file, text)
  return readSetup(file, env)
}
const message = (text: string): string => {
  try {
    read(text)
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(`${folder}/`, '') : ''
  }
  return 'it was read'
}

test('an empty file is a fault, not a set-up of nothing; what is left out has its default', () => {
  for (const empty of ['', '\n\n', '# only a comment\n', '---\n', '~\n', 'null\n'])
    expect(message(empty)).toBe('s.yaml is empty. It needs at least one of: bots, agents, plugin_processors, routes.')
  expect(read('bots: []\n').content).toEqual({ bots: [], agents: [], plugin_processors: [] })
  const { content, place } = read('bots:\n  - name: A\n    platform: webchat\n')
  expect(content.bots).toEqual([{ name: 'A', platform: 'webchat', settings: {}, enabled: true }])
  expect(place(['bots', 0, 'platform'])).toMatch(/s\.yaml:3:15$/)
  expect(place(['bots', 0, 'settings', 'x'])).toMatch(/s\.yaml:2:5$/) // of what would hold it
})

test('every fault has its place, all of them at once', () => {
  expect(message('bots:\n  - name: ""\n    platform: 5\n    x: 1\nbuts: []\n').split('\n')).toEqual([
    's.yaml:2:11: bots.0.name: Too small: expected string to have >=1 characters.',
    's.yaml:3:15: bots.0.platform: Invalid input: expected string, received number.',
    's.yaml:4:5: there is no key "x" here.',
    's.yaml:5:1: there is no key "buts" here.',
  ])
  expect(message('bots: {a: 1')).toMatch(/^s\.yaml:1:\d+: /)
  expect(message('- a\n')).toMatch(/^s\.yaml:1:1: /)
  expect(message('a: &x [1]\na: *x\n')).toMatch(/^s\.yaml:2:1: Map keys must be unique/)
  expect(() => readSetup(join(folder, 'nowhere.yaml'))).toThrow(/There is no file/)
})

test('variables are filled below settings and config alone', () => {
  const text = `bots: [{ name: "\${A}", platform: http, settings: { key: "x\${A}y", list: ["\${B_2}"] } }]
agents: [{ name: G, runner: r, config: { deep: { k: "$A \${A}" } } }]
`
  const { content } = read(text, { A: '1', B_2: '2' })
  expect(content.bots[0]).toMatchObject({ name: `\${A}`, settings: { key: 'x1y', list: ['2'] } })
  expect(content.agents[0]?.config).toEqual({ deep: { k: '$A 1' } })
  expect(() => read(text, { A: '1' })).toThrow(/s\.yaml:1:\d+: the environment variable B_2 is not set/)
})

test('what nests or repeats without end is a fault of the file, in words of ours', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi', 'ij'].map((pair) => [...pair]))
    bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(', ')}]`)
  expect(message(`${bomb.join('\n')}\nbots: *j\n`)).toMatch(/^s\.yaml:1:1: aliases \(\*name\) repeat more than 100/)
  expect(message('bots: &a\n  - *a\n')).toMatch(/^s\.yaml:\d+:\d+: nested deeper than 100 levels\.$/)
  expect(message(`bots: ${'['.repeat(20_000)}`)).toMatch(/^s\.yaml:1:\d+: nested deeper than 100 levels\.$/)
  expect(message(`bots: ${'['.repeat(200)}${']'.repeat(200)}\n`)).toMatch(/^s\.yaml:1:\d+: nested deeper than 100/)
})
