/** The ways in which a message gets no answer, each with the one code that names it; those of later issues stand open. */
import { TRAIL_CODES, type TrailActor, type TrailCode, type TrailCodeFacts } from './codes.ts'

export interface Silence {
  /** As people call it. */
  readonly way: string
  readonly code: TrailCode
  readonly sentence: string
  readonly who: TrailActor
  /** The issue that built it; null: open. */
  readonly since: string | null
  readonly open_in: string | null
}

const SPINE = 'issue 3'
const PIPELINES = 'issue 7'

/** The issue tells when its part exists: a code that is still reserved is open. */
const WAYS: readonly (readonly [way: string, code: TrailCode, issue: string])[] = [
  ['no route', 'no_route', SPINE],
  ['discarded', 'discarded', SPINE],
  ['filter', 'filters_mismatch', SPINE],
  ['access', 'access_denied', PIPELINES],
  ['rate limit', 'rate_limited', PIPELINES],
  ['aggregated', 'aggregated', PIPELINES],
  ['listener prevented', 'prevented', PIPELINES],
  ['command unknown', 'command_unknown', PIPELINES],
  ['plugin down', 'plugin_down', SPINE],
  ['denied', 'call_denied', SPINE],
  ['backlog full', 'backlog_full', SPINE],
  ['too old', 'too_old', SPINE],
  ['duplicate', 'duplicate', SPINE],
  ['cancelled', 'run_cancelled', SPINE],
  ['delivery failed', 'delivery_failed', SPINE],
]

/** In the order in which an event meets them. */
export const SILENCE: readonly Silence[] = WAYS.map(([way, code, issue]) => {
  const { says, who, reserved }: TrailCodeFacts = TRAIL_CODES[code]
  const open = reserved !== undefined
  return { way, code, sentence: says, who, since: open ? null : issue, open_in: open ? issue : null }
})
