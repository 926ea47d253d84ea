/** `docs/errors.md`: the codes and reasons that cross the wire, and why an event got no answer. */
import { REASONS } from '@runbound/protocol'
import { TRAIL_CODES } from '../../../packages/host/src/trail/codes.ts'
import { type Page, page, table } from './page.ts'

const WIRE = `An error answer carries \`data.error = { code, message, retryable, details }\`. \`code\` is one of the documented codes;
\`details.reason\` is ours, stable, and pinned by a test. \`message\` says what was wrong and what to do. In TypeScript it arrives as
\`AgentAPIException\` with these fields.`

const TRAIL = `\`runbound events why ID\` and \`GET /api/v1/events/{event_id}/why\` say why an event got an answer or none: one entry per
step, each with a code.`

/** Builds the page. */
export function errorsPage(): Page {
  return page(
    'errors.md',
    'Errors and reasons',
    'packages/protocol/src/errors.ts and packages/host/src/trail/codes.ts',
    [
      '## Errors on the wire',
      WIRE,
      table(
        ['reason', 'means', 'code', 'may be tried again', 'who has to act'],
        Object.entries(REASONS).map(([reason, { code, retryable, who, means }]) => [
          `\`${reason}\``,
          means,
          `\`${code}\``,
          retryable ? 'yes' : 'no',
          who,
        ]),
      ),
      '## The trail: why an event got an answer or none',
      TRAIL,
      table(
        ['code', 'step', 'who has to act', 'says'],
        Object.entries(TRAIL_CODES).map(([code, facts]) => [`\`${code}\``, facts.step, facts.who, facts.says]),
      ),
    ],
  )
}
