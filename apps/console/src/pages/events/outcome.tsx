/** How an event ended, as a badge or a mark; the word carries the meaning. */
import { CircleAlert, CircleCheck, CircleDashed, CircleOff, CircleQuestionMark, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { cx } from '../../parts/class-names.ts'
import type { Outcome } from './route.tsx'
import { usePageWords } from './words/words.ts'

export type EventItem = Output<'listEvents'>['items'][number]
export type EventDetail = Output<'getEvent'>

export const OUTCOME_TONES: Readonly<Record<Outcome | 'unknown', Tone>> = {
  answered: 'ok',
  failed: 'danger',
  silent: 'neutral',
  open: 'info',
  unknown: 'neutral',
}
const ICONS: Readonly<Record<Outcome | 'unknown', LucideIcon>> = {
  answered: CircleCheck,
  failed: CircleAlert,
  silent: CircleOff,
  open: CircleDashed,
  unknown: CircleQuestionMark,
}
const INKS: Readonly<Record<Outcome | 'unknown', string>> = {
  answered: 'text-ok',
  failed: 'text-danger',
  silent: 'text-ink-soft',
  open: 'text-info',
  unknown: 'text-ink-soft',
}

export function OutcomeBadge({ why }: { readonly why: EventItem['why'] }): ReactNode {
  const words = usePageWords()
  const outcome = why?.outcome ?? 'unknown'
  return (
    <Badge tone={OUTCOME_TONES[outcome]} icon={ICONS[outcome]}>
      {words.outcomes[outcome]}
    </Badge>
  )
}

/** Only the sign is seen; the word is read aloud and shown on hover. */
export function OutcomeMark({ why }: { readonly why: EventItem['why'] }): ReactNode {
  const words = usePageWords()
  const outcome = why?.outcome ?? 'unknown'
  const Icon = ICONS[outcome]
  return (
    <span title={words.outcomes[outcome]} className={cx('flex-none', INKS[outcome])}>
      <Icon className="icon" aria-hidden />
      <span className="sr-only">{words.outcomes[outcome]}</span>
    </span>
  )
}

/** Who has to act, in the language shown; a word that this console does not know stays as the host wrote it. */
export function useWho(who: string): string {
  const words = usePageWords()
  return words.who[who as keyof typeof words.who] ?? who
}

/** A sentence of the host with names in the place of ids, and run ids short: for reading; the whole ids are in the links. */
export function withNames(sentence: string, runs: EventItem['runs'], nameOf?: (processorId: string) => string): string {
  let shown = sentence
  for (const { run_id, processor_id, processor_name } of runs)
    shown = shown
      .replaceAll(run_id, run_id.slice(-8))
      .replaceAll(processor_id, nameOf?.(processor_id) ?? processor_name ?? processor_id)
  return shown
}
