/** `npm test [-- vitest arguments]`: every test of the repository, then the account of what they prove. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureConsole } from './console-build.ts'
import { type Account, accountText, unprovenOf } from './requirements/account.ts'
import { BUILT_PARTS, isPart, PARTS, type Part } from './requirements/ids.ts'
import { ACCOUNT_FILE } from './requirements-reporter.ts'
import { ROOT } from './sources/tree.ts'

await ensureConsole()
const { strict, passed } = readArguments(process.argv.slice(2))
rmSync(ACCOUNT_FILE, { force: true })
const vitest = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    `--reporter=${join(ROOT, 'tools/src/requirements-reporter.ts')}`,
    ...passed,
  ],
  { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
)
if (vitest.error) throw vitest.error
const proven = report()
process.exitCode = vitest.status === 0 && proven ? 0 : 1

/** Prints the account; false when it holds something that must not be. */
function report(): boolean {
  if (!existsSync(ACCOUNT_FILE)) {
    process.stderr.write('vitest ended without a report; its message stands above.\n')
    return false
  }
  const account: Account = JSON.parse(readFileSync(ACCOUNT_FILE, 'utf8'))
  // A run of some tests proves nothing about the promises that the other tests hold.
  const whole = passed.length === 0
  const unproven = unprovenOf(account, [...new Set([...(whole ? BUILT_PARTS : []), ...strict])])
  const { counts } = account
  const lines = [
    ...(whole || strict.length > 0 ? accountText(account) : []),
    ...account.unknown.map(
      ({ id, test }) => `Unknown id [${id}] in the title of ${test}. Correct it: tools/requirements.json has the ids.`,
    ),
    ...unproven.map(
      ({ id, language, state }) =>
        `Not proven: ${id} (${language}), ${state}. Its part stands, so a passing test must cite it.`,
    ),
    ...account.broken.map((file) => `Could not be run: ${file}; vitest's message stands above.`),
    ...Object.entries(account.skipped).map(([reason, count]) => `${count} skipped: ${reason}`),
    `${counts.known} failing as expected, ${counts.skipped} skipped.`,
    `${counts.passed + counts.known} passed, ${counts.failed + account.broken.length + account.unknown.length + unproven.length} failed`,
  ]
  process.stdout.write(`\n${lines.join('\n')}\n`)
  return account.unknown.length === 0 && unproven.length === 0
}

/** Takes `--strict-part NAME` out; everything else is vitest's. */
function readArguments(all: readonly string[]): { strict: Part[]; passed: string[] } {
  const strict: Part[] = []
  const passed: string[] = []
  for (let index = 0; index < all.length; index++) {
    const argument = all[index] ?? ''
    if (argument !== '--strict-part') {
      passed.push(argument)
      continue
    }
    const name = all[++index] ?? ''
    if (!isPart(name)) throw new Error(`--strict-part takes one of ${PARTS.join(', ')}; got "${name}".`)
    strict.push(name)
  }
  return { strict, passed }
}
