/** The host itself: version, database, what lies in it. */
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { cx } from '../../parts/class-names.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { byteSize, TimeAgo } from '../../parts/time-ago.tsx'
import { useLanguage } from '../../words/languages.ts'
import { usePageWords } from './words/words.ts'

export function HostFacts(): ReactNode {
  const words = usePageWords()
  const status = useRead('status', {})
  const facts = useRead('inspect', {})
  const number = new Intl.NumberFormat(useLanguage())
  const rows = Object.entries(facts.data?.rows ?? {}).sort(([, a], [, b]) => b - a)
  return (
    <>
      <Section title={words.host}>
        <Card>
          {status.isPending && <SkeletonRows rows={3} />}
          {status.isError && <Failure error={status.error} onRetry={() => void status.refetch()} />}
          {status.isSuccess && (
            <dl>
              <Fact name={words.version}>{status.data.version}</Fact>
              <Fact name={words.since}>
                <TimeAgo at={status.data.started_at} />
              </Fact>
              <Fact name={words.activeRuns}>{number.format(status.data.runs_active)}</Fact>
              <Fact name={words.instance} copy={status.data.instance_uuid}>
                <code className="truncate">{status.data.instance_uuid}</code>
              </Fact>
            </dl>
          )}
        </Card>
      </Section>
      <Section title={words.database} about={words.databaseAbout}>
        <Card>
          {facts.isPending && <SkeletonRows rows={6} />}
          {facts.isError && <Failure error={facts.error} onRetry={() => void facts.refetch()} />}
          {facts.isSuccess && (
            <dl>
              <Fact name={words.engine}>
                {facts.data.engine} · {words.schema(facts.data.schemaVersion)}
              </Fact>
              <Fact name={words.file} copy={facts.data.file}>
                <code className="truncate">{facts.data.file}</code>
              </Fact>
              <Fact name={words.size}>{byteSize(facts.data.bytes)}</Fact>
              <Fact name={words.integrity}>
                <Badge tone={facts.data.integrity === 'ok' ? 'ok' : 'danger'}>{facts.data.integrity}</Badge>
              </Fact>
              {rows.map(([table, count]) => (
                <Fact key={table} name={table} mono>
                  {words.rows(number.format(count))}
                </Fact>
              ))}
            </dl>
          )}
        </Card>
      </Section>
    </>
  )
}

interface FactProps {
  readonly name: string
  readonly mono?: boolean
  readonly copy?: string
  readonly children: ReactNode
}

function Fact({ name, mono = false, copy, children }: FactProps): ReactNode {
  return (
    <div className="flex min-h-10 items-center gap-3 border-line border-b px-4 py-1 last:border-b-0">
      <dt className={cx('w-44 flex-none truncate text-ink-soft max-wide:w-32', mono && 'font-mono text-xs')}>{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2 tabular-nums">
        {children}
        {copy !== undefined && <CopyButton text={copy} className="!h-7 !w-7" />}
      </dd>
    </div>
  )
}
