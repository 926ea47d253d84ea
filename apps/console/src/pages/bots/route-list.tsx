/** The routes in the order in which they are tried. A handle moves one: arrow keys while it has the focus, or by dragging. */
import { GripVertical, Plus, Split } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { Draft } from '../../forms/draft.ts'
import { Button } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Section } from '../../parts/page.tsx'
import { RouteRow } from './route-row.tsx'
import { type DraftRoute, moved, newRoute, type ProcessorItem, type RoutesDraft } from './routes-draft.ts'
import type { DryRunAnswer } from './use-dry-run.ts'
import { usePageWords } from './words/words.ts'

export interface RouteListProps {
  readonly draft: Draft<RoutesDraft>
  readonly processors: readonly ProcessorItem[]
  readonly verdicts: DryRunAnswer['routes']
}

export function RouteList({ draft, processors, verdicts }: RouteListProps): ReactNode {
  const words = usePageWords()
  const { routes } = draft.value
  const [open, setOpen] = useState<string | null>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [told, setTold] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const setRoutes = (next: readonly DraftRoute[]): void => draft.set((before) => ({ ...before, routes: next }))

  function move(from: number, to: number): void {
    if (to < 0 || to >= routes.length || from === to) return
    setRoutes(moved(routes, from, to))
    setTold(words.movedTo(to + 1, routes.length))
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-handle="${to}"]`)?.focus())
  }
  function keys(event: KeyboardEvent, at: number): void {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: routes.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(at, to)
  }
  function add(): void {
    const route = newRoute(routes, processors)
    setRoutes([...routes, route])
    setOpen(route.route_id)
  }

  return (
    <Section
      title={words.routes}
      about={words.routesAbout}
      actions={
        routes.length > 0 && (
          <Button icon={Plus} onClick={add}>
            {words.addRoute}
          </Button>
        )
      }
    >
      {routes.length === 0 && (
        <div className="flex flex-col items-center gap-1 rounded-lg border border-line border-dashed px-4 py-8 text-center">
          <Split className="mb-1 size-5 text-ink-soft" strokeWidth={1.5} aria-hidden />
          <p className="font-medium">{words.noRoutes}</p>
          <p className="text-ink-soft">{words.noRoutesAbout}</p>
          <Button kind="primary" icon={Plus} className="mt-3" onClick={add}>
            {words.addRoute}
          </Button>
        </div>
      )}
      {routes.length > 0 && (
        <ol ref={list} aria-label={words.routes} className="divide-y divide-line rounded-lg border border-line">
          {routes.map((route, at) => (
            <li
              key={route.route_id}
              onDragOver={(event) => {
                if (dragged === null) return
                event.preventDefault()
                setOver(at)
              }}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged !== null) move(dragged, at)
                setDragged(null)
                setOver(null)
              }}
              className={cx(
                'first:rounded-t-lg last:rounded-b-lg',
                dragged === at && 'opacity-55',
                over === at && dragged !== null && dragged !== at && 'bg-accent-soft',
              )}
            >
              <RouteRow
                route={route}
                at={at}
                processors={processors}
                verdict={verdicts.find(({ route_id }) => route_id === route.route_id)}
                faultAt={(path) => draft.faultAt(`routes.${at}.${path}`)}
                open={open === route.route_id}
                onOpen={(next) => setOpen(next ? route.route_id : null)}
                onRoute={(next) => setRoutes(routes.with(at, next))}
                onRemove={() => setRoutes(routes.toSpliced(at, 1))}
                handle={
                  <button
                    type="button"
                    data-handle={at}
                    draggable
                    aria-label={words.moveRoute(at + 1)}
                    title={words.moveAbout}
                    onKeyDown={(event) => keys(event, at)}
                    onDragStart={(event: DragEvent) => {
                      event.dataTransfer.effectAllowed = 'move'
                      event.dataTransfer.setData('text/plain', String(at))
                      setDragged(at)
                    }}
                    onDragEnd={() => {
                      setDragged(null)
                      setOver(null)
                    }}
                    className="quick flex h-8 w-6 flex-none cursor-grab items-center justify-center rounded-sm text-ink-soft hover:bg-ground-hover hover:text-ink active:cursor-grabbing"
                  >
                    <GripVertical className="icon" aria-hidden />
                  </button>
                }
              />
            </li>
          ))}
        </ol>
      )}
      <p role="status" className="sr-only">
        {told}
      </p>
    </Section>
  )
}
