/** What the run may do and what not: each line with whose no it is, why, and who can change it. */
import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { whoText } from './entry-row.tsx'
import { usePageWords } from './words/words.ts'

type Line = Output<'runGrant'>['lines'][number]

export function GrantLines({ runId }: { readonly runId: string }): ReactNode {
  const words = usePageWords()
  const grant = useRead('runGrant', { params: { run_id: runId } })
  if (grant.isPending) return <SkeletonRows rows={4} />
  if (grant.isError) return <Failure error={grant.error} onRetry={() => void grant.refetch()} />
  const [allowed, refused] = [
    grant.data.lines.filter((line) => line.allowed),
    grant.data.lines.filter((line) => !line.allowed),
  ]
  return (
    <div className="flex flex-col gap-4">
      {refused.length > 0 && <Lines title={words.grant.refused(refused.length)} lines={refused} />}
      {allowed.length > 0 && <Lines title={words.grant.allowed(allowed.length)} lines={allowed} />}
    </div>
  )
}

const FIRST = 12

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }): ReactNode {
  const words = usePageWords()
  const [all, setAll] = useState(false)
  const shown = all ? lines : lines.slice(0, FIRST)
  // One reason for all of them is said once.
  const [first] = lines
  const common = lines.every(({ why, by, who }) => why === first?.why && by === first.by && who === first.who)
  return (
    <section aria-label={title}>
      <h4 className="font-medium text-sm">{title}</h4>
      {common && <p className="text-ink-soft text-sm">{whyOf(first, words)}</p>}
      <ul className="mt-1 overflow-hidden rounded-md border border-line">
        {shown.map((line) => (
          <li
            key={line.thing}
            data-thing={line.thing}
            className="flex gap-2 border-line border-b px-3 py-1.5 last:border-b-0"
          >
            {line.allowed ? (
              <Check className="icon mt-0.5 text-ok" aria-label={words.grant.yes} />
            ) : (
              <X className="icon mt-0.5 text-danger" aria-label={words.grant.no} />
            )}
            <div className="min-w-0 flex-1">
              <div className="flex items-center gap-2">
                <code className="min-w-0 break-all">{line.thing}</code>
                {line.by !== null && (
                  <span className="ml-auto flex-none">
                    <Badge tone={line.allowed ? 'neutral' : 'danger'}>{words.grant.by[line.by]}</Badge>
                  </span>
                )}
              </div>
              {!common && (
                <p className={cx('break-words text-sm', line.allowed && 'text-ink-soft')}>{whyOf(line, words)}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {lines.length > shown.length && (
        <Button kind="quiet" size="small" className="mt-1" onClick={() => setAll(true)}>
          {words.grant.all(lines.length)}
        </Button>
      )}
    </section>
  )
}

function whyOf(line: Line | undefined, words: ReturnType<typeof usePageWords>): string {
  if (line === undefined) return ''
  return [line.why, line.allowed ? null : whoText(line.who, words)].filter(Boolean).join(' ')
}
