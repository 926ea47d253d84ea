/** The fields of one route: which events, which of them, where to, and how conversations are cut. */
import { Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useRead } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Select, TextInput } from '../../parts/field.tsx'
import { FilterRows } from './filter-rows.tsx'
import type { DraftRoute, ProcessorItem } from './routes-draft.ts'
import { usePageWords } from './words/words.ts'

const DISCARD = '(discard)'

export interface RouteFieldsProps {
  readonly route: DraftRoute
  readonly number: number
  readonly processors: readonly ProcessorItem[]
  readonly faultAt: (path: string) => string | null
  readonly onRoute: (route: DraftRoute) => void
  readonly onRemove: () => void
}

export function RouteFields({ route, number, processors, faultAt, onRoute, onRemove }: RouteFieldsProps): ReactNode {
  const words = usePageWords()
  const list = useId()
  const types = useRead('listEventTypes', {})
  const ids = (types.data?.items ?? []).map(({ event_type }) => event_type)
  const families = [...new Set(ids.map((id) => `${id.split('.', 1)[0]}.*`))]
  const targets = processors.filter(({ kind }) => kind !== 'plugin_processor')
  const chosen = route.target_type === 'discard' ? DISCARD : (route.processor_id ?? '')
  const known = chosen === DISCARD || targets.some(({ processor_id }) => processor_id === chosen)

  function setTarget(next: string): void {
    const target = targets.find(({ processor_id }) => processor_id === next)
    if (next === DISCARD) onRoute({ ...route, target_type: 'discard', processor_id: null })
    else if (target !== undefined)
      onRoute({
        ...route,
        target_type: target.kind === 'pipeline' ? 'pipeline' : 'agent',
        processor_id: target.processor_id,
      })
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2">
        <Field label={words.pattern} help={words.patternAbout} error={faultAt('event_pattern')}>
          {(control) => (
            <>
              <TextInput
                {...control}
                list={list}
                value={route.event_pattern}
                onChange={({ target }) => onRoute({ ...route, event_pattern: target.value })}
                className="font-mono !text-[13px]"
              />
              <datalist id={list}>
                {['*', ...families, ...ids].map((pattern) => (
                  <option key={pattern} value={pattern} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label={words.target} error={faultAt('processor_id') ?? faultAt('target_type')}>
          {(control) => (
            <Select
              {...control}
              value={chosen}
              onValue={setTarget}
              choices={[
                ...(known ? [] : [{ value: chosen, label: words.noTarget, disabled: true }]),
                ...targets.map(({ processor_id, name }) => ({ value: processor_id, label: name })),
                { value: DISCARD, label: words.discardLong },
              ]}
            />
          )}
        </Field>
      </div>
      <FilterRows
        filters={route.filters}
        samples={types.data?.items ?? []}
        pattern={route.event_pattern}
        faultAt={(path) => faultAt(`filters.${path}`)}
        onFilters={(filters) => onRoute({ ...route, filters: [...filters] })}
      />
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2">
        <Field label={words.scope} help={words.scopeAbout} error={faultAt('scope')}>
          {(control) => (
            <Select
              {...control}
              value={route.scope}
              onValue={(scope) => onRoute({ ...route, scope })}
              choices={(['chat', 'member'] as const).map((value) => ({ value, label: words.scopes[value] }))}
            />
          )}
        </Field>
        <Field label={words.description} error={faultAt('description')}>
          {(control) => (
            <TextInput
              {...control}
              value={route.description}
              onChange={({ target }) => onRoute({ ...route, description: target.value })}
            />
          )}
        </Field>
      </div>
      <Button icon={Trash2} kind="quiet" className="self-start !text-danger" onClick={onRemove}>
        {words.removeRoute(number)}
      </Button>
    </div>
  )
}
