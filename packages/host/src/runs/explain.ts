/** The grant of a run as it was computed at its start, in sentences. */
import { parse } from '@runbound/link'
import type { GrantLine, RefusedBy } from '../gateway/grants/types.ts'
import type { ExplainedLine } from './types.ts'

const ALLOWED = 'The manifest asks for it; operator, event, platform and person allow it.'

/** Who can change what each of them says. */
const WHO: { readonly [K in RefusedBy]: NonNullable<ExplainedLine['who']> } = {
  manifest: 'author',
  operator: 'operator',
  event: 'user',
  platform: 'operator',
  host: 'host',
}

/** The codec edge: only the start of a run writes this text. */
export function explainedLines(text: string): readonly ExplainedLine[] {
  return (parse(text) as unknown as readonly GrantLine[]).map(({ thing, allowed, by, why }) => ({
    thing,
    allowed,
    by: by ?? null,
    why: allowed || why === undefined ? ALLOWED : `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    who: by === undefined ? null : WHO[by],
  }))
}
