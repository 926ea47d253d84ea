/** The ways to stay silent: what each is called, what it says, who can change it, and whether it exists yet. */
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card, PageBody, PageHeader, Section } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { OUTCOME_TONES, useWho } from './outcome.tsx'
import { usePageWords } from './words/words.ts'

type Reasons = Output<'listReasons'>

export function SilencePage(): ReactNode {
  const words = usePageWords()
  const reasons = useRead('listReasons', {})
  const ways = reasons.data?.silence ?? []
  return (
    <>
      <PageHeader title={words.silence} back="/events" />
      {reasons.isPending && <SkeletonRows rows={12} />}
      {reasons.isError && <Failure error={reasons.error} onRetry={() => void reasons.refetch()} />}
      {reasons.isSuccess && (
        <PageBody text>
          <div className="mx-auto w-full max-w-[880px]">
            <p className="mb-4 max-w-[70ch] text-ink-soft">
              {words.silenceAbout}{' '}
              <span className="text-ink">
                {words.silenceBuilt(ways.filter(({ open_in }) => open_in === null).length, ways.length)}.
              </span>
            </p>
            <Card className="mb-8">
              <ol aria-label={words.silence}>
                {ways.map((way, at) => (
                  <Way key={way.code} way={way} number={at + 1} />
                ))}
              </ol>
            </Card>
            <Section title={words.reasons} about={words.reasonsAbout}>
              <Card>
                <ul aria-label={words.reasons}>
                  {reasons.data.reasons.map((reason) => (
                    <Reason key={reason.code} reason={reason} />
                  ))}
                </ul>
              </Card>
            </Section>
          </div>
        </PageBody>
      )}
    </>
  )
}

const ROW = 'flex gap-3 border-line border-b px-4 py-3 last:border-b-0 max-wide:px-3'

function Way({ way, number }: { readonly way: Reasons['silence'][number]; readonly number: number }): ReactNode {
  const words = usePageWords()
  const who = useWho(way.who)
  const open = way.open_in !== null
  return (
    <li className={ROW}>
      <span className="w-5 flex-none text-right text-ink-soft tabular-nums">{number}</span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium first-letter:uppercase">{way.way}</span>
          <code className="text-ink-soft">{way.code}</code>
          <span className="ml-auto">
            {open ? (
              <Badge tone="info">{words.silenceOpen(way.open_in ?? '')}</Badge>
            ) : (
              <span className="text-ink-soft text-xs">{words.silenceSince(way.since ?? '')}</span>
            )}
          </span>
        </p>
        <Sentence text={way.sentence} />
        <p className="text-ink-soft text-xs">{way.who === 'nobody' ? who : `${words.whoTitle}: ${who}`}</p>
      </div>
    </li>
  )
}

function Reason({ reason }: { readonly reason: Reasons['reasons'][number] }): ReactNode {
  const words = usePageWords()
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <code>{reason.code}</code>
          <span className="text-ink-soft text-xs">
            {words.steps[reason.step as keyof typeof words.steps] ?? reason.step}
          </span>
          <span className="ml-auto">
            <Badge tone={reason.decides === 'open' ? 'neutral' : OUTCOME_TONES[reason.decides]}>
              {words.decides[reason.decides]}
            </Badge>
          </span>
        </p>
        <Sentence text={reason.sentence} />
      </div>
    </li>
  )
}

/** What an entry fills in stands out: `{limit}`. */
function Sentence({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="break-words">
      {text.split(/(\{\w+\})/).map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move
          <code key={at} className="text-ink-soft">
            {part.slice(1, -1)}
          </code>
        ) : (
          part
        ),
      )}
    </p>
  )
}
