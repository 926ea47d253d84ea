/** One agent or plugin processor: settings, grants, and the event debugger. Unsaved changes survive changing the tab. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { call, type Output } from '../../data/client.ts'
import { refresh, useRead } from '../../data/queries.ts'
import { useDraft } from '../../forms/draft.ts'
import { FormFrame, YamlButton } from '../../forms/form-frame.tsx'
import { configItems } from '../../forms/items.ts'
import { useFormWords } from '../../forms/words/words.ts'
import { Badge, Dot } from '../../parts/badge.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useLanguage } from '../../words/languages.ts'
import { agentFaults, agentYaml, draftOf, inputOf, type RunnerItem } from './agent-draft.ts'
import { AgentFields } from './agent-fields.tsx'
import { AgentMenu } from './agent-menu.tsx'
import { Debugger } from './debugger.tsx'
import { GrantsTab } from './grants-tab.tsx'
import { optionItems } from './option-items.ts'
import type { AgentSearch, AgentTab } from './route.tsx'
import { Uses } from './uses.tsx'
import { usePageWords } from './words/words.ts'

export function AgentPage(): ReactNode {
  const words = usePageWords()
  const { processorId } = useParams({ from: '/agents/$processorId' })
  const one = useRead('getProcessor', { params: { processor_id: processorId } })
  const runners = useRead('listRunners', {})
  const failed = [one, runners].find(({ isError, data }) => isError && data === undefined)
  if (one.data !== undefined && runners.data !== undefined)
    return <Agent key={processorId} one={one.data} runners={runners.data.items} />
  return (
    <>
      <PageHeader title={one.data?.name ?? words.title} back="/agents" />
      {failed?.error == null ? (
        <SkeletonRows />
      ) : (
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      )}
    </>
  )
}

interface AgentProps {
  readonly one: Output<'getProcessor'>
  readonly runners: readonly RunnerItem[]
}

function Agent({ one, runners }: AgentProps): ReactNode {
  const words = usePageWords()
  const forms = useFormWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const search = useSearch({ from: '/agents/$processorId' })
  const options = optionItems(words)
  const all =
    one.runner === null ? runners : [one.runner, ...runners.filter((other) => other.runner_id !== one.runner_id)]
  const itemsOf = (id: string) =>
    configItems(all.find(({ runner_id }) => runner_id === id)?.config_schema ?? [], language)
  const stored = draftOf(one)
  const draft = useDraft({
    stored,
    check: (value) => agentFaults(value, itemsOf(value.runner_id), options, forms.faults),
    save: async (value) => {
      await call('putProcessor', { body: inputOf(value, itemsOf(value.runner_id), options, one.processor_id) })
      refresh('getProcessor', 'listProcessors', 'explainGrant')
    },
  })
  const tab = search.tab ?? 'settings'
  const go = (next: AgentSearch): void =>
    void navigate({
      to: '/agents/$processorId',
      params: { processorId: one.processor_id },
      search: next,
      replace: true,
    })
  const openYaml = (open: boolean): void => {
    const { yaml: _before, ...rest } = search
    go(open ? { ...rest, yaml: true } : rest)
  }
  const frame = {
    draft,
    codec: agentYaml(stored.kind, itemsOf, forms.yaml, words.attachedAtBot),
    yaml: search.yaml === true,
    onYaml: openYaml,
  }
  const mark = draft.dirty ? { mark: <Dot tone="warn" /> } : {}

  return (
    <>
      <PageHeader
        title={one.name}
        back="/agents"
        about={
          <>
            {!one.enabled && <Badge>{words.switchedOff}</Badge>}
            <span className="truncate max-wide:hidden">{words.kinds[one.kind]}</span>
          </>
        }
        actions={
          <>
            {tab !== 'debug' && <YamlButton open={frame.yaml} onOpen={openYaml} />}
            <AgentMenu one={one} />
          </>
        }
      />
      {one.fault !== null && (
        <p role="alert" className="flex flex-none items-start gap-2 bg-danger-soft px-4 py-2 text-danger">
          <CircleAlert className="icon mt-0.5" aria-hidden />
          <span className="min-w-0 break-words">{one.fault}</span>
        </p>
      )}
      <Tabs<AgentTab>
        label={words.parts}
        value={tab}
        onValue={(next) => go({ ...search, tab: next })}
        tabs={[
          { value: 'settings', label: words.settings, ...mark },
          { value: 'grants', label: words.grants },
          { value: 'debug', label: words.debug },
        ]}
      >
        {tab === 'settings' && (
          <FormFrame {...frame}>
            <AgentFields draft={draft} runners={all} itemsOf={itemsOf} options={options} />
            <Uses uses={one.uses} kind={stored.kind} />
          </FormFrame>
        )}
        {tab === 'grants' && (
          <FormFrame {...frame} wide>
            <GrantsTab
              draft={draft}
              input={inputOf(draft.value, itemsOf(draft.value.runner_id), options, one.processor_id)}
              search={search}
              go={go}
            />
          </FormFrame>
        )}
        {tab === 'debug' && <Debugger one={one} search={search} go={go} unsaved={draft.dirty} />}
      </Tabs>
    </>
  )
}
