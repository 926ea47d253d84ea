/** A step of `npm run validate`, and how one that runs a program is made. */
import { spawn } from 'node:child_process'
import { ROOT } from '../sources/tree.ts'

/** `skipped` says in its lines what is missing on this machine or in the tree. */
export interface StepResult {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Printed under the step's name. */
  readonly lines: readonly string[]
}

export interface Step {
  readonly name: string
  /** One sentence: what it proves. */
  readonly proves: string
  run(): StepResult | Promise<StepResult>
}

/** Passed without failures; the notes are printed either way. */
export function verdict(failures: readonly string[], notes: readonly string[] = []): StepResult {
  return { outcome: failures.length === 0 ? 'passed' : 'failed', lines: [...notes, ...failures] }
}

/** Not run, for this reason. */
export function skipped(why: string): StepResult {
  return { outcome: 'skipped', lines: [why] }
}

/** A minute, for readable limits. */
export const MINUTE_MS = 60_000
/** How much of a failing program's output is shown. */
const SHOWN_LINES = 60

/** Runs a program from the root with this Node first on the path; its output is shown only when it fails. */
export async function runProgram(file: string, args: readonly string[], limitMs = 5 * MINUTE_MS): Promise<StepResult> {
  const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const add = (data: Buffer) => {
    output += data.toString()
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const { promise, resolve } = Promise.withResolvers<string | null>()
  child.on('error', (error) => resolve(`${file} could not be started: ${error.message}`))
  child.on('close', (code, signal) =>
    resolve(code === 0 ? null : signal ? `ended by ${signal}, after at most ${limitMs / 1000} s` : `exit code ${code}`),
  )
  const failure = await promise
  clearTimeout(timer)
  const lines = output.trimEnd().split('\n')
  if (failure === null) return { outcome: 'passed', lines: [] }
  return { outcome: 'failed', lines: [...lines.slice(-SHOWN_LINES), `${[file, ...args].join(' ')}: ${failure}`] }
}

/** Runs a TypeScript or JavaScript file of the repository with its own Node. */
export function runNode(args: readonly string[], limitMs?: number): Promise<StepResult> {
  return runProgram(process.execPath, args, limitMs)
}
