/** Which run is meant: by its whole id, or by the beginning of it, as in git. */
import type { Client } from '@runbound/api'
import { CliError } from '../errors.ts'

/** Shorter beginnings say too little. Characters. */
const LEAST = 4
/** A beginning is looked for among so many of the newest runs. */
const NEWEST = 2_000
const WHOLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of the run; what was given when none of the newest begins so. CliError `failed` when more than one does, with a list of them. */
export async function findRun(client: Client, beginning: string): Promise<string> {
  if (WHOLE.test(beginning)) return beginning
  if (beginning.length < LEAST)
    throw new CliError('usage', `"${beginning}" is too short: at least ${LEAST} characters of the run's id.`)
  const found: string[] = []
  let seen = 0
  let before: string | undefined
  for (;;) {
    const page = await client.listRuns({ query: { limit: 100, before_cursor: before } })
    for (const { run_id } of page.items) if (run_id.startsWith(beginning)) found.push(run_id)
    seen += page.items.length
    if (!page.has_more || page.next_cursor === null || seen >= NEWEST) break
    before = page.next_cursor
  }
  const [first, second] = found
  // The host says that there is no such run.
  if (first === undefined) return beginning
  if (second !== undefined)
    throw new CliError('failed', `"${beginning}" may be one of ${found.length} runs:\n${found.join('\n')}`)
  return first
}
