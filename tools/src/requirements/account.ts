/** The account of the promises: from what ran, which are proven, failing, known to fail, or open, per part and language. */
import type { Citations } from './citations.ts'
import { LANGUAGES, type Language, PARTS, type Part, type Requirement } from './ids.ts'

/** How a test went. `known` is an expected failure that failed as expected. */
export type Outcome = 'passed' | 'failed' | 'known' | 'skipped'

/** One test that ran (or was skipped), with what it cites. */
export interface TestOutcome {
  readonly file: string
  readonly title: string
  readonly outcome: Outcome
  readonly citations: Citations
  /** Why it was skipped, where the test says so. */
  readonly note?: string
}

/** `proven`: a passing test and no failing one. `open`: no test that ran. */
export type PromiseState = 'proven' | 'failing' | 'known' | 'open'

export interface PromiseAccount {
  readonly id: string
  readonly since: Part
  readonly language: Language
  readonly state: PromiseState
  readonly tests: readonly string[]
}

export interface Account {
  readonly counts: { readonly [O in Outcome]: number }
  readonly promises: readonly PromiseAccount[]
  /** Report id to the tests that cite it. */
  readonly reports: Readonly<Record<string, readonly string[]>>
  readonly unknown: readonly { readonly id: string; readonly test: string }[]
  /** Test files that failed as a whole: they did not load, or broke outside of their tests. */
  readonly broken: readonly string[]
  /** Why tests were skipped, with how many; what a machine lacks is no failure, but nobody should miss it. */
  readonly skipped: Readonly<Record<string, number>>
}

/** Adds up what ran. */
export function makeAccount(
  tests: readonly TestOutcome[],
  requirements: Iterable<Requirement>,
  broken: readonly string[] = [],
): Account {
  const nameOf = (test: TestOutcome) => `${test.file} > ${test.title}`
  const citing = (id: string, language: Language) =>
    tests.filter(({ citations }) => citations.language === language && citations.requirements.includes(id))
  const promises = [...requirements].flatMap((requirement) =>
    requirement.languages.map((language) => {
      const found = citing(requirement.id, language)
      return {
        id: requirement.id,
        since: requirement.since,
        language,
        state: stateOf(found.map(({ outcome }) => outcome)),
        tests: found.map(nameOf),
      }
    }),
  )
  const reports: Record<string, string[]> = {}
  for (const test of tests)
    for (const id of test.citations.reports) {
      reports[id] ??= []
      reports[id].push(nameOf(test))
    }
  const count = (outcome: Outcome) => tests.filter((test) => test.outcome === outcome).length
  return {
    counts: { passed: count('passed'), failed: count('failed'), known: count('known'), skipped: count('skipped') },
    promises,
    reports,
    unknown: tests.flatMap((test) => test.citations.unknown.map((id) => ({ id, test: nameOf(test) }))),
    broken,
    skipped: skippedFor(tests),
  }
}

function skippedFor(tests: readonly TestOutcome[]): Record<string, number> {
  const reasons: Record<string, number> = {}
  for (const { outcome, note, file } of tests) {
    if (outcome !== 'skipped') continue
    const reason = note ?? `see ${file}`
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return reasons
}

function stateOf(outcomes: readonly Outcome[]): PromiseState {
  if (outcomes.includes('failed')) return 'failing'
  if (outcomes.includes('known')) return 'known'
  return outcomes.includes('passed') ? 'proven' : 'open'
}

/** Promises of built parts that have no passing test, and no expected failure that says why. */
export function unprovenOf(account: Account, built: readonly Part[]): PromiseAccount[] {
  const isDue = ({ since, language }: PromiseAccount) =>
    built.includes(since) && (language === 'ts' || built.includes('python'))
  return account.promises.filter(
    (promise) => isDue(promise) && (promise.state === 'open' || promise.state === 'failing'),
  )
}

/** The table that `npm test` prints, as lines. */
export function accountText(account: Account): string[] {
  const lines = ['Promises of the specification   proven  failing  known  open  of']
  for (const language of LANGUAGES)
    for (const part of PARTS) {
      const own = account.promises.filter((promise) => promise.since === part && promise.language === language)
      if (own.length === 0) continue
      const count = (state: PromiseState) => String(own.filter((promise) => promise.state === state).length)
      const cells = [count('proven').padStart(8), count('failing').padStart(9), count('known').padStart(7)]
      lines.push(
        `  ${language}  ${part.padEnd(24)}${cells.join('')}${count('open').padStart(6)}${String(own.length).padStart(4)}`,
      )
    }
  const cited = Object.keys(account.reports).length
  lines.push(`  Users' reports with a test: ${cited}`)
  for (const promise of account.promises)
    if (promise.state === 'known')
      lines.push(`  known failure: ${promise.id} (${promise.language}): ${promise.tests.join('; ')}`)
  return lines
}
