/** Plugin processors of a bot: each gets every event that its Runner declares, beside the route that wins. */

import { Link } from '@tanstack/react-router'
import { Check, Plug, Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Draft } from '../../forms/draft.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Select } from '../../parts/field.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Section } from '../../parts/page.tsx'
import { Switch } from '../../parts/switch.tsx'
import type { Attached, ProcessorItem, RoutesDraft } from './routes-draft.ts'
import type { DryRunAnswer } from './use-dry-run.ts'
import { usePageWords } from './words/words.ts'

export interface AttachedListProps {
  readonly draft: Draft<RoutesDraft>
  readonly processors: readonly ProcessorItem[]
  readonly verdicts: DryRunAnswer['plugin_processors']
}

export function AttachedList({ draft, processors, verdicts }: AttachedListProps): ReactNode {
  const words = usePageWords()
  const attached = draft.value.plugin_processors
  const all = processors.filter(({ kind }) => kind === 'plugin_processor')
  const others = all.filter((one) => !attached.some(({ processor_id }) => processor_id === one.processor_id))
  const set = (next: readonly Attached[]): void => draft.set((before) => ({ ...before, plugin_processors: next }))
  return (
    <Section
      title={words.attached}
      about={words.attachedAbout}
      actions={
        others.length > 0 && (
          <Menu
            label={words.attach}
            groups={[
              others.map(({ processor_id, name }) => ({
                id: processor_id,
                label: name,
                icon: Plug,
                run: () => set([...attached, { processor_id, scope: 'chat', enabled: true }]),
              })),
            ]}
          >
            {(trigger) => (
              <Button {...trigger} icon={Plus}>
                {words.attach}
              </Button>
            )}
          </Menu>
        )
      }
    >
      {attached.length === 0 ? (
        <p className="rounded-lg border border-line border-dashed px-4 py-4 text-center text-ink-soft">
          {all.length === 0 ? words.noProcessors : words.noneAttached}
        </p>
      ) : (
        <ul aria-label={words.attached} className="divide-y divide-line rounded-lg border border-line">
          {attached.map((one, at) => {
            const name = all.find(({ processor_id }) => processor_id === one.processor_id)?.name ?? one.processor_id
            const verdict = verdicts.find(({ processor_id }) => processor_id === one.processor_id)
            return (
              <li key={one.processor_id} className={cx(verdict?.gets === true && 'bg-ok-soft/50')}>
                <div className="flex min-h-12 items-center gap-2 py-1.5 pr-2 pl-4">
                  <Link
                    to="/agents/$processorId"
                    params={{ processorId: one.processor_id }}
                    className="min-w-0 flex-1 truncate font-medium hover:underline"
                  >
                    {name}
                  </Link>
                  <Select
                    aria-label={words.scopeOf(name)}
                    value={one.scope ?? 'chat'}
                    onValue={(scope) => set(attached.with(at, { ...one, scope }))}
                    choices={(['chat', 'member'] as const).map((value) => ({ value, label: words.scopes[value] }))}
                    className="!w-auto max-w-40 flex-none"
                  />
                  <Switch
                    bare
                    label={words.attachedOn(name)}
                    checked={one.enabled ?? true}
                    onChange={(enabled) => set(attached.with(at, { ...one, enabled }))}
                  />
                  <IconButton icon={X} label={words.detach(name)} onClick={() => set(attached.toSpliced(at, 1))} />
                </div>
                {verdict !== undefined && (
                  <p
                    className={cx(
                      'flex items-start gap-1.5 px-4 pb-2 text-xs',
                      verdict.gets ? 'text-ok' : 'text-ink-soft',
                    )}
                  >
                    {verdict.gets && <Check className="size-3.5 flex-none" aria-hidden />}
                    <span className="min-w-0">
                      {verdict.gets ? words.getsItToo : verdict.sentence} {!verdict.gets && <code>{verdict.code}</code>}
                    </span>
                  </p>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}
