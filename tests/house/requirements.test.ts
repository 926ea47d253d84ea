import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accountText, makeAccount, type Outcome, unprovenOf } from '../../tools/src/requirements/account.ts'
import { citationsOf, leadingMarks } from '../../tools/src/requirements/citations.ts'
import {
  PARTS,
  REPORTS_FILE,
  REQUIREMENTS_FILE,
  type Requirement,
  readReportIds,
  readRequirements,
} from '../../tools/src/requirements/ids.ts'
import { ROOT } from '../../tools/src/sources/tree.ts'

const SHARED = join(ROOT, '../shared')

const promise = (
  id: string,
  since: Requirement['since'] = 'spine',
  languages: Requirement['languages'] = ['ts', 'py'],
) => ({
  id,
  area: 'x',
  says: 'x',
  source: 'x',
  languages,
  since,
})
const requirements = new Map(
  [promise('a.b'), promise('a.c', 'bound'), promise('a.d', 'spine', ['py'])].map((item) => [item.id, item]),
)
const known = { requirements, reports: new Set(['D1']) }
const ran = (title: string, outcome: Outcome) => ({
  file: 'x.test.ts',
  title,
  outcome,
  citations: citationsOf([title], known),
})

describe('citations', () => {
  test('are the bracketed words that a title begins with', () => {
    expect(leadingMarks('[a.b] [D1] does [not this] it')).toEqual(['a.b', 'D1'])
    expect(leadingMarks('no [a.b]')).toEqual([])
    expect(leadingMarks('[A.b-c] [d1] [[1]] comes back')).toEqual(['A.b-c', 'd1'])
    expect(leadingMarks('[a.b] [] [null] [1.5] comes back')).toEqual(['a.b'])
  })

  test('come from the test and its groups; typos are unknown', () => {
    expect(citationsOf(['[a.b] group', '[D1] [a.x] test'], known)).toEqual({
      language: 'ts',
      requirements: ['a.b'],
      reports: ['D1'],
      unknown: ['a.x'],
    })
  })

  test('[py] marks a run in Python; an id of another language is unknown', () => {
    expect(citationsOf(['[py] [a.d] x'], known)).toMatchObject({ language: 'py', requirements: ['a.d'], unknown: [] })
    expect(citationsOf(['[a.d] x'], known)).toMatchObject({ language: 'ts', requirements: [], unknown: ['a.d'] })
  })
})

describe('the account', () => {
  test.each<[Outcome[], string]>([
    [['passed'], 'proven'],
    [['passed', 'skipped'], 'proven'],
    [['passed', 'failed'], 'failing'],
    [['passed', 'known'], 'known'],
    [['skipped'], 'open'],
    [[], 'open'],
  ])('tests that %j leave a promise %s', (outcomes, state) => {
    const account = makeAccount(
      outcomes.map((outcome) => ran('[a.b] x', outcome)),
      [promise('a.b')],
    )
    expect(account.promises.map((item) => [item.language, item.state])).toEqual([
      ['ts', state],
      ['py', 'open'],
    ])
  })

  test('a built part demands a passing test, in Python only once Python stands', () => {
    const account = makeAccount([ran('[a.c] x', 'passed')], requirements.values())
    const due = (built: Parameters<typeof unprovenOf>[1]) =>
      unprovenOf(account, built).map(({ id, language }) => `${id} ${language}`)
    expect(due([])).toEqual([])
    expect(due(['spine'])).toEqual(['a.b ts'])
    expect(due(['bound'])).toEqual([])
    expect(due(['bound', 'python'])).toEqual(['a.c py'])
  })

  test('prints a row for each part and language that has promises, and each known failure', () => {
    const lines = accountText(makeAccount([ran('[a.b] because', 'known')], requirements.values()))
    expect(lines).toHaveLength(1 + 4 + 2)
    expect(lines.at(-1)).toContain('a.b (ts)')
  })

  test('says why tests were skipped', () => {
    const tests = [
      { ...ran('a', 'skipped'), note: 'no Python' },
      { ...ran('b', 'skipped'), note: 'no Python' },
      ran('c', 'skipped'),
    ]
    expect(makeAccount(tests, []).skipped).toEqual({ 'no Python': 2, 'see x.test.ts': 1 })
  })

  test('keeps unknown ids with the test that cites them', () => {
    expect(makeAccount([ran('[a.x] y', 'passed')], []).unknown).toEqual([{ id: 'a.x', test: 'x.test.ts > [a.x] y' }])
  })
})

test('every promise has a part, a language and its own id', () => {
  const list: Requirement[] = JSON.parse(readFileSync(REQUIREMENTS_FILE, 'utf8'))
  expect(list.length).toBeGreaterThanOrEqual(283)
  expect(readRequirements().size).toBe(list.length)
  expect(list.filter(({ since, languages }) => !PARTS.includes(since) || languages.length === 0)).toEqual([])
})

describe.skipIf(!existsSync(SHARED))('beside the specification', () => {
  test('requirements.json has each promise of the specification, word for word', () => {
    const specified: Requirement[] = JSON.parse(readFileSync(join(SHARED, 'spec/requirements.json'), 'utf8'))
    const own = readRequirements()
    expect(specified.filter((item) => JSON.stringify(own.get(item.id)) !== JSON.stringify(item))).toEqual([])
  })

  test('report-ids.json has each report', () => {
    const text = readFileSync(join(SHARED, 'user-demand.md'), 'utf8')
    const specified = [...text.matchAll(/^\*\*(D\d+)\*\*/gm)].map((match) => match[1])
    expect([...readReportIds()].sort()).toEqual([...new Set(specified)].sort())
    expect(existsSync(REPORTS_FILE)).toBe(true)
  })
})
