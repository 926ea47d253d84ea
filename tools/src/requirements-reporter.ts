/** A vitest reporter that collects which promises the tests cite, and writes the account to `tests/artifacts`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { makeAccount, type Outcome, type TestOutcome } from './requirements/account.ts'
import { citationsOf } from './requirements/citations.ts'
import { readReportIds, readRequirements } from './requirements/ids.ts'
import { ROOT } from './sources/tree.ts'

/** Where `npm test` finds the account of its last run. */
export const ACCOUNT_FILE = join(ROOT, 'tests/artifacts/requirements.json')

export default class RequirementsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const requirements = readRequirements()
    const reports = readReportIds()
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test): TestOutcome => {
        const titles = titlesOf(test)
        const result = test.result()
        return {
          file: module.relativeModuleId,
          title: titles.join(' > '),
          outcome: outcomeOf(test),
          citations: citationsOf(titles, { requirements, reports }),
          ...(result.state === 'skipped' && result.note !== undefined ? { note: result.note } : {}),
        }
      }),
    )
    const broken = modules.filter(isBroken).map((module) => module.relativeModuleId)
    mkdirSync(dirname(ACCOUNT_FILE), { recursive: true })
    writeFileSync(ACCOUNT_FILE, `${JSON.stringify(makeAccount(tests, requirements.values(), broken), null, 1)}\n`)
  }
}

/** Failed, though none of its tests did. */
function isBroken(module: TestModule): boolean {
  return module.state() === 'failed' && ![...module.children.allTests('failed')].length
}

/** From the outermost group to the test itself. */
function titlesOf(test: TestCase): string[] {
  const titles = [test.name]
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) titles.unshift(parent.name)
  return titles
}

function outcomeOf(test: TestCase): Outcome {
  const { state } = test.result()
  if (state === 'passed') return test.options.fails ? 'known' : 'passed'
  return state === 'failed' ? 'failed' : 'skipped'
}
