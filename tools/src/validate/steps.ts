/** The steps of `npm run validate`, in the order in which they run. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureConsole } from '../console-build.ts'
import { FIRST_LOAD_BYTES, firstLoad } from '../console-size.ts'
import { unknownCommands } from '../doc-commands.ts'
import { compileExamples, readExamples } from '../doc-examples.ts'
import { brokenLinks } from '../doc-links.ts'
import { outdatedPins } from '../export-pins.ts'
import { outdatedPages } from '../generate-docs.ts'
import { checkLayering } from '../layering/check.ts'
import { violationText } from '../layering/violation.ts'
import { checkLockFile } from '../lock-file.ts'
import { judgeSizes, readSizeExceptions, readSizes, sizeText } from '../size.ts'
import { filesUnder, packageFolders, ROOT, readSources } from '../sources/tree.ts'
import { MINUTE_MS, runNode, runProgram, type Step, type StepResult, skipped, verdict } from './step.ts'

const TYPE_CHECK = ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false', '-p']
const FIX = 'On purpose? npm run validate -- --fix'

export const STEPS: readonly Step[] = [
  {
    name: 'types',
    proves: 'every source and test type checks',
    run: async () => {
      const whole = await runNode([...TYPE_CHECK, '.'])
      return whole.outcome === 'passed' ? runNode([...TYPE_CHECK, 'apps/console']) : whole
    },
  },
  {
    name: 'console',
    proves: 'the console is built from these sources, and its first load is under 300 kB',
    run: async () => {
      await ensureConsole()
      const { bytes, files } = firstLoad()
      const said = `First load: ${(bytes / 1000).toFixed(0)} kB gzip in ${files.length} files.`
      return verdict(bytes < FIRST_LOAD_BYTES ? [] : [`${said} At most: ${FIRST_LOAD_BYTES / 1000} kB.`], [said])
    },
  },
  {
    name: 'lint',
    proves: 'Biome finds no fault and nothing to format',
    run: () => runNode(['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '.']),
  },
  {
    name: 'layering',
    proves: 'the arrows of ARCHITECTURE.md hold in the sources',
    run: () => verdict(checkLayering(readSources()).map(violationText)),
  },
  {
    name: 'size',
    proves: 'no file is over 500 lines without a reason',
    run: () => {
      const report = judgeSizes(readSizes(), readSizeExceptions())
      return { outcome: report.failures.length === 0 ? 'passed' : 'failed', lines: sizeText(report) }
    },
  },
  { name: 'lock file', proves: 'npm ci takes the lock file', run: () => verdict(checkLockFile()) },
  {
    name: 'docs examples',
    proves: 'every TypeScript example of the documents and of the SDK compiles',
    run: () => {
      const { examples, unchecked } = readExamples()
      return verdict([...unchecked, ...compileExamples(examples)], [`${examples.length} examples.`])
    },
  },
  { name: 'docs links', proves: 'the documents name only what is there', run: () => verdict(brokenLinks()) },
  {
    name: 'docs commands',
    proves: 'the documents name only commands that exist',
    run: () => verdict(unknownCommands()),
  },
  {
    name: 'generated docs',
    proves: 'the generated pages say what the records say',
    run: () => verdict(outdatedPages().map((name) => `docs/${name} is out of date. ${FIX}`)),
  },
  {
    name: 'export pins',
    proves: 'no public name came or went by accident',
    run: () => {
      const changed = outdatedPins()
      return verdict(changed.length === 0 ? [] : [...changed, FIX])
    },
  },
  { name: 'examples', proves: 'each example is a sound plugin with a test', run: checkExamples },
  { name: 'interop', proves: 'what the Python SDK says is understood, and the other way round', run: runInterop },
  {
    name: 'kill',
    proves: 'a killed host loses nothing and doubles nothing (short form)',
    run: () =>
      existsSync(join(ROOT, 'tests/kill/main.ts'))
        ? runNode(['tests/kill/main.ts', '--short'], 5 * MINUTE_MS)
        : skipped('tests/kill/main.ts is not there.'),
  },
]

async function checkExamples(): Promise<StepResult> {
  const folders = packageFolders().filter((folder) => folder.startsWith('examples/'))
  if (folders.length === 0) return skipped('examples/ holds none.')
  const failures: string[] = []
  for (const folder of folders) {
    if (filesUnder(folder, (name) => name.endsWith('.test.ts')).length === 0)
      failures.push(`${folder} has no test; an example checks itself.`)
    const checked = await runNode(['packages/cli/src/main.ts', 'plugin', 'check', folder], MINUTE_MS)
    if (checked.outcome === 'failed') failures.push(...checked.lines)
  }
  return verdict(failures, [`${folders.length} examples.`])
}

async function runInterop(): Promise<StepResult> {
  if (!existsSync(join(ROOT, 'interop/main.ts'))) return skipped('interop/main.ts is not there.')
  const python = await runProgram('python3', ['--version'], MINUTE_MS)
  if (python.outcome === 'failed') return skipped('There is no python3 on this machine.')
  return runNode(['interop/main.ts'], 10 * MINUTE_MS)
}
