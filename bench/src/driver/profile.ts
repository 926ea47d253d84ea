/** Where the host's time goes: takes a CPU profile around a piece of work and prints the functions with the most self time. */
import { readFileSync } from 'node:fs'
import type { BenchOptions } from '../bench.ts'
import type { Child } from './child.ts'
import type { HostCommands } from './host-process.ts'

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Runs `work`, under the host's profiler when a file for it is wanted. */
export async function profiled<T>(
  options: BenchOptions,
  host: Child<HostCommands>,
  work: () => Promise<T>,
): Promise<T> {
  if (options.profileFile === null) return work()
  await host.call('profile', null)
  const result = await work()
  await host.call('endProfile', { file: options.profileFile })
  return result
}

/** The functions with the most self time, one a line: milliseconds, share, name and place. */
export function topSelfTime(file: string, most = 45): string[] {
  const profile: CpuProfile = JSON.parse(readFileSync(file, 'utf8'))
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`,
    ]),
  )
  const self = new Map<string, number>()
  let total = 0
  profile.samples.forEach((id, index) => {
    const name = names.get(id) ?? '(unknown)'
    const took = profile.timeDeltas[index] ?? 0
    self.set(name, (self.get(name) ?? 0) + took)
    total += took
  })
  return [...self]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(
      ([name, took]) =>
        `${(took / 1000).toFixed(0).padStart(7)} ms ${((100 * took) / total).toFixed(1).padStart(5)} %  ${name}`,
    )
}
