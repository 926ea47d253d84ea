/** One route: in a line what it takes and where that goes; opened, its fields. A dry run says why it wins or does not. */
import { ArrowRight, Check, ChevronDown, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { IconButton } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Switch } from '../../parts/switch.tsx'
import { RouteFields } from './route-fields.tsx'
import type { DraftRoute, ProcessorItem, RouteFilter } from './routes-draft.ts'
import type { DryRunAnswer } from './use-dry-run.ts'
import { usePageWords } from './words/words.ts'

export interface RouteRowProps {
  readonly route: DraftRoute
  readonly at: number
  readonly processors: readonly ProcessorItem[]
  readonly verdict: DryRunAnswer['routes'][number] | undefined
  /** By path below the route. */
  readonly faultAt: (path: string) => string | null
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly onRoute: (route: DraftRoute) => void
  readonly onRemove: () => void
  readonly handle: ReactNode
}

const FAULT_PATHS = ['event_pattern', 'processor_id', 'target_type', 'scope', 'description', 'priority']

export function RouteRow(props: RouteRowProps): ReactNode {
  const { route, at, processors, verdict, faultAt, open, onOpen, onRoute, onRemove, handle } = props
  const words = usePageWords()
  const id = useId()
  const target = processors.find(({ processor_id }) => processor_id === route.processor_id)
  const wrong =
    FAULT_PATHS.some((path) => faultAt(path) !== null) ||
    route.filters.some((_filter, index) =>
      ['field', 'operator', 'value'].some((part) => faultAt(`filters.${index}.${part}`) !== null),
    )
  const shown = open || wrong
  return (
    <div className={cx('relative', verdict?.wins === true && 'bg-ok-soft/50')}>
      {verdict?.wins === true && <span aria-hidden className="absolute inset-y-0 left-0 w-0.5 bg-ok" />}
      <div className="flex min-h-12 items-center gap-2 py-1.5 pr-2 pl-2">
        {handle}
        <span className="w-4 flex-none text-right text-ink-soft text-sm tabular-nums">{at + 1}</span>
        <button
          type="button"
          aria-expanded={shown}
          aria-controls={`${id}-fields`}
          onClick={() => onOpen(!shown)}
          className={cx(
            'flex min-h-9 min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5 rounded-sm px-1 text-left',
            !route.enabled && 'opacity-60',
          )}
        >
          <code className="truncate">{route.event_pattern}</code>
          {route.filters.map((filter, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a filter is its place
            <span key={index} className="max-w-full truncate rounded-sm bg-ground-hover px-1.5 text-ink-soft text-xs">
              {filterText(filter, words.operators)}
            </span>
          ))}
          <ArrowRight className="icon text-ink-soft" aria-hidden />
          <span className="sr-only">{words.goesTo}</span>
          {route.target_type === 'discard' ? (
            <span className="text-ink-soft">{words.discard}</span>
          ) : target === undefined ? (
            <Badge tone="danger">{words.noTarget}</Badge>
          ) : (
            <span className="truncate font-medium">{target.name}</span>
          )}
          {route.scope === 'member' && <Badge>{words.scopes.member}</Badge>}
          {!route.enabled && <Badge>{words.off}</Badge>}
          <ChevronDown
            aria-hidden
            className={cx(
              'icon ml-auto text-ink-soft transition-transform duration-[var(--quick)]',
              shown && 'rotate-180',
            )}
          />
          {route.description !== '' && (
            <span className="w-full truncate text-ink-soft text-xs">{route.description}</span>
          )}
        </button>
        <Switch
          bare
          label={words.routeOn(at + 1)}
          checked={route.enabled}
          onChange={(enabled) => onRoute({ ...route, enabled })}
        />
        {/* Opened, its fields end with this. */}
        {!shown && (
          <IconButton icon={Trash2} label={words.removeRoute(at + 1)} onClick={onRemove} className="max-wide:hidden" />
        )}
      </div>
      {verdict !== undefined && (
        <p
          className={cx(
            'flex items-start gap-1.5 pr-4 pb-2 pl-[68px] text-xs',
            verdict.wins ? 'text-ok' : 'text-ink-soft',
          )}
        >
          {verdict.wins && <Check className="size-3.5 flex-none" aria-hidden />}
          <span className="min-w-0">
            {verdict.wins ? words.wins : verdict.sentence} {!verdict.wins && <code>{verdict.code}</code>}
          </span>
        </p>
      )}
      {shown && (
        <div id={`${id}-fields`} className="border-line border-t bg-ground-soft px-4 py-4">
          <RouteFields
            route={route}
            processors={processors}
            faultAt={faultAt}
            onRoute={onRoute}
            onRemove={onRemove}
            number={at + 1}
          />
        </div>
      )}
    </div>
  )
}

function filterText({ field, operator, value }: RouteFilter, operators: Readonly<Record<string, string>>): string {
  return `${field} ${operators[operator ?? 'eq'] ?? operator} ${typeof value === 'string' ? value : JSON.stringify(value)}`
}
