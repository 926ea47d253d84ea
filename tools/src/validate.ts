/** `npm run validate [-- --fix] [-- --only NAME]`: every check that is not a test; all run, even after a failure. */
import { writePins } from './export-pins.ts'
import { writePages } from './generate-docs.ts'
import { ROOT } from './sources/tree.ts'
import { runNode, type Step, type StepResult } from './validate/step.ts'
import { STEPS } from './validate/steps.ts'

interface Done {
  readonly step: Step
  readonly result: StepResult
  readonly seconds: number
}

process.chdir(ROOT)
const args = process.argv.slice(2)
if (args.includes('--fix')) await fix()
const chosen = chooseSteps(args)
const done: Done[] = []
for (const step of chosen) done.push(await runStep(step))
summarise(done)

/** Brings in order what can be without a decision: formatting, generated pages, pins. */
async function fix(): Promise<void> {
  for (const name of writePages()) process.stdout.write(`written: docs/${name}\n`)
  for (const line of writePins()) process.stdout.write(`pinned: ${line}\n`)
  await runNode(['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'])
}

function chooseSteps(args: readonly string[]): readonly Step[] {
  const at = args.indexOf('--only')
  if (at === -1) return STEPS
  const step = STEPS.find(({ name }) => name === args[at + 1])
  if (step === undefined) throw new Error(`--only takes one of: ${STEPS.map(({ name }) => name).join(', ')}.`)
  return [step]
}

async function runStep(step: Step): Promise<Done> {
  const begin = performance.now()
  let result: StepResult
  try {
    result = await step.run()
  } catch (error) {
    result = { outcome: 'failed', lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
  }
  const seconds = (performance.now() - begin) / 1000
  process.stdout.write(`\n${step.name}: ${result.outcome} (${seconds.toFixed(1)} s)\n`)
  for (const line of result.lines) process.stdout.write(`  ${line}\n`)
  return { step, result, seconds }
}

function summarise(done: readonly Done[]): void {
  process.stdout.write('\n')
  for (const { step, result, seconds } of done)
    process.stdout.write(
      `${result.outcome.padEnd(8)} ${step.name.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s  ${step.proves}\n`,
    )
  const count = (outcome: StepResult['outcome']) => done.filter(({ result }) => result.outcome === outcome).length
  process.stdout.write(`${count('passed')} passed, ${count('failed')} failed\n`)
  process.exitCode = count('failed') === 0 ? 0 : 1
}
