/** What the kill test prints. */
import type { Verdict } from './judge.ts'

const COUNTS = [
  'accepted',
  'answered_once',
  'interrupted',
  'interrupted_without_effect',
  'unknown',
  'lost',
  'doubled',
  'reordered',
  'unknown_sends',
  'in_flight',
] as const
const FAULTS_SHOWN = 12

/** The sum of several rounds. */
export function sum(verdicts: readonly Verdict[]): Verdict {
  const total = (name: (typeof COUNTS)[number]): number => verdicts.reduce((all, verdict) => all + verdict[name], 0)
  return {
    accepted: total('accepted'),
    answered_once: total('answered_once'),
    interrupted: total('interrupted'),
    interrupted_without_effect: total('interrupted_without_effect'),
    unknown: total('unknown'),
    lost: total('lost'),
    doubled: total('doubled'),
    reordered: total('reordered'),
    unknown_sends: total('unknown_sends'),
    in_flight: total('in_flight'),
    faults: verdicts.flatMap(({ faults }) => faults),
  }
}

export function reportLines(verdict: Verdict): string[] {
  const { faults } = verdict
  const of = (name: string, count: number, note = ''): string =>
    `  ${name.padEnd(14)}${String(count).padStart(7)}${note}`
  const retried = verdict.interrupted_without_effect
  return [
    of('accepted', verdict.accepted),
    of('answered once', verdict.answered_once),
    of(
      'interrupted',
      verdict.interrupted,
      `  ${verdict.interrupted - retried} after an effect, ${retried} after two attempts; each sender was told`,
    ),
    of(
      'unknown',
      verdict.unknown,
      `  ${verdict.unknown_sends} sends unknown of ${verdict.in_flight} in flight at the kills; 0 where the adapter proves delivery`,
    ),
    of('lost', verdict.lost),
    of('doubled', verdict.doubled),
    of('reordered', verdict.reordered),
    ...faults.slice(0, FAULTS_SHOWN).map((fault) => `  FAULT ${fault}`),
    ...(faults.length > FAULTS_SHOWN ? [`  and ${faults.length - FAULTS_SHOWN} more faults`] : []),
  ]
}
