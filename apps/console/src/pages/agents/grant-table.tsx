/** The table of grants: a group after the other, one line per thing; the sentence below says why it is as it is. */
import { Check, Minus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { cx } from '../../parts/class-names.ts'
import { Switch } from '../../parts/switch.tsx'
import { type GrantThing, isOn } from './grant-switch.ts'
import { usePageWords } from './words/words.ts'

const GROUPS = ['event_tools', 'platform_tools', 'tools', 'models', 'storage', 'state', 'context'] as const
const VOICES = ['manifest', 'operator', 'event', 'platform', 'actor'] as const

export interface GrantTableProps {
  readonly things: readonly GrantThing[]
  /** The answer for what was switched last is on its way. */
  readonly stale: boolean
  readonly onSwitch: (thing: GrantThing, on: boolean) => void
}

export function GrantTable({ things, stale, onSwitch }: GrantTableProps): ReactNode {
  const words = usePageWords()
  return (
    <table aria-label={words.grants} aria-busy={stale} className="w-full border-collapse max-wide:block">
      <thead className="max-wide:sr-only">
        <tr className="text-ink-soft text-xs">
          <th scope="col" className="h-8 w-16 pl-4 text-left font-medium">
            <span className="sr-only">{words.voices.operator}</span>
          </th>
          <th scope="col" className="h-8 text-left font-medium">
            {words.thing}
          </th>
          {VOICES.map((voice) => (
            <th key={voice} scope="col" className="h-8 w-20 px-1 text-center font-medium">
              {words.voices[voice]}
            </th>
          ))}
          <th scope="col" className="h-8 w-28 pr-4 text-right font-medium">
            {words.outcome}
          </th>
        </tr>
      </thead>
      {GROUPS.map((group) => {
        const own = things.filter((thing) => thing.group === group)
        if (own.length === 0) return null
        return (
          <tbody key={group} className="max-wide:block">
            <tr className="max-wide:block">
              <th
                colSpan={VOICES.length + 3}
                scope="rowgroup"
                className="border-line border-y bg-ground-soft px-4 py-1.5 text-left max-wide:block max-wide:px-1 font-medium text-xs"
              >
                {words.groups[group]}
              </th>
            </tr>
            {own.map((thing) => (
              <GrantRow key={thing.thing} thing={thing} onSwitch={(on) => onSwitch(thing, on)} />
            ))}
          </tbody>
        )
      })}
    </table>
  )
}

interface GrantRowProps {
  readonly thing: GrantThing
  readonly onSwitch: (on: boolean) => void
}

/** On a phone the voices stand below the name. */
function GrantRow({ thing, onSwitch }: GrantRowProps): ReactNode {
  const words = usePageWords()
  const name = thing.label.replace(/\.$/, '')
  // What the operator has not given is no fault: that is how most things stand.
  const outcome = (
    <Badge tone={thing.allowed ? 'ok' : thing.by === 'operator' ? 'neutral' : 'danger'}>
      {thing.allowed ? words.allowed : thing.by === null ? words.refused : words.refusedBy[thing.by]}
    </Badge>
  )
  return (
    <tr className="border-line border-b align-top max-wide:flex max-wide:flex-wrap max-wide:items-start max-wide:py-2">
      <td className="py-2.5 pl-4 max-wide:py-1 max-wide:pr-3 max-wide:pl-1">
        {thing.switch !== null && <Switch bare label={words.mayUse(name)} checked={isOn(thing)} onChange={onSwitch} />}
      </td>
      <th scope="row" className="min-w-0 py-2 text-left font-normal max-wide:w-[calc(100%-64px)] max-wide:py-0.5">
        <span className="flex items-start gap-2">
          <span className="min-w-0 flex-1 font-medium">{name}</span>
          <span className="flex-none wide:hidden">{outcome}</span>
        </span>
        <span className="block text-ink-soft text-xs">
          <code className="mr-2 break-all">{thing.thing}</code>
          <span className={cx(!thing.allowed && thing.by !== 'operator' && 'text-danger')}>{thing.why}</span>
        </span>
      </th>
      {VOICES.map((voice) => (
        <td
          key={voice}
          className="px-1 py-2.5 text-center max-wide:order-last max-wide:w-1/5 max-wide:px-0 max-wide:py-1"
        >
          <Voice verdict={thing[voice]} name={words.voices[voice]} />
        </td>
      ))}
      <td className="py-2 pr-4 text-right max-wide:hidden">{outcome}</td>
    </tr>
  )
}

function Voice({ verdict, name }: { readonly verdict: GrantThing['manifest']; readonly name: string }): ReactNode {
  const words = usePageWords()
  const Icon = { yes: Check, no: X, not_asked: Minus }[verdict.says]
  const tone = { yes: 'text-ok', no: 'text-danger', not_asked: 'text-ink-soft' }[verdict.says]
  const said = words.says[verdict.says]
  return (
    <span
      title={verdict.why ?? `${name}: ${said}`}
      className="inline-flex flex-col items-center gap-0.5 align-top leading-none"
    >
      <Icon className={cx('icon', tone)} aria-hidden />
      <span className="sr-only">{verdict.why === null ? said : `${said}: ${verdict.why}`}</span>
      <span aria-hidden className="text-[11px] text-ink-soft wide:hidden">
        {name}
      </span>
    </span>
  )
}
