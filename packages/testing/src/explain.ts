/** Why no message came: what became of the events, as the trail and the runs tell it. */
import type { Host } from '@runbound/host'
import { readRunsOf } from './test-run.ts'

/** Sentences about these events, for the message of an error. */
export async function whatHappened(host: Host, eventIds: readonly string[]): Promise<string> {
  if (eventIds.length === 0) return 'No event was given to the host.'
  const lines: string[] = []
  for (const event_id of eventIds) {
    const why = await host.trail.why(event_id)
    lines.push(`Event ${event_id}: ${why === null ? 'nothing is known of it' : `${why.sentence} (${why.code})`}`)
    for (const entry of why?.entries ?? []) lines.push(`  ${entry.step}: ${entry.message} (${entry.code})`)
  }
  for (const run of await readRunsOf(host, eventIds)) {
    lines.push(`Run ${run.run_id}: ${run.status}${run.reason === null ? '' : `, ${run.reason}`}`)
    for (const log of run.logs) lines.push(`  log ${log.level}: ${log.text}`)
    for (const denial of run.denials) lines.push(`  refused: ${denial.method} (${denial.reason})`)
    for (const text of run.produced) lines.push(`  returned, not sent: ${JSON.stringify(text)}`)
    const missing = run.grant.filter(({ allowed, by }) => !allowed && by !== 'event')
    if (run.status === 'failed' && missing.length > 0)
      lines.push(`  not granted: ${missing.map(({ thing, why }) => `${thing} (${why})`).join('; ')}`)
  }
  return lines.join('\n')
}
