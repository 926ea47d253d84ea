/** A new agent or plugin processor: first its Runner, then what that needs. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { BrainCircuit, ChevronRight, Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { call } from '../../data/client.ts'
import { refresh, useRead } from '../../data/queries.ts'
import { useDraft } from '../../forms/draft.ts'
import { FormFrame, YamlButton } from '../../forms/form-frame.tsx'
import { configItems } from '../../forms/items.ts'
import { startValues } from '../../forms/values.ts'
import { useFormWords } from '../../forms/words/words.ts'
import { buttonClass } from '../../parts/button.tsx'
import { PageBody, PageHeader, Section } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { notify } from '../../parts/toasts.tsx'
import { useLanguage } from '../../words/languages.ts'
import { type AgentDraft, agentFaults, agentYaml, inputOf, type Kind, type RunnerItem } from './agent-draft.ts'
import { AgentFields } from './agent-fields.tsx'
import { optionItems } from './option-items.ts'
import { usePageWords } from './words/words.ts'

export function NewAgentPage(): ReactNode {
  const words = usePageWords()
  const search = useSearch({ from: '/agents/new' })
  const runners = useRead('listRunners', {})
  const chosen = runners.data?.items.find(({ runner_id }) => runner_id === search.runner)
  if (chosen !== undefined && search.kind !== undefined)
    return (
      <NewAgent
        key={`${search.kind} ${chosen.runner_id}`}
        kind={search.kind}
        runner={chosen}
        runners={runners.data?.items ?? []}
      />
    )
  const of = (usage: string) => (runners.data?.items ?? []).filter(({ usages }) => usages.includes(usage))
  return (
    <>
      <PageHeader title={words.addTitle} back="/agents" />
      {runners.isPending && <SkeletonRows tall />}
      {runners.isError && <Failure error={runners.error} onRetry={() => void runners.refetch()} />}
      {runners.isSuccess && runners.data.items.length === 0 && (
        <Empty
          icon={Plug}
          title={words.noRunners}
          action={
            <Link to="/plugins" className={buttonClass('primary')}>
              {words.toPlugins}
            </Link>
          }
        >
          {words.noRunnersAbout}
        </Empty>
      )}
      {runners.isSuccess && runners.data.items.length > 0 && (
        <PageBody measure>
          <RunnerList kind="agent" runners={of('agent')} />
          <RunnerList kind="plugin_processor" runners={of('event')} />
        </PageBody>
      )}
    </>
  )
}

function RunnerList({ kind, runners }: { readonly kind: Kind; readonly runners: readonly RunnerItem[] }): ReactNode {
  const words = usePageWords()
  const Icon = kind === 'agent' ? BrainCircuit : Plug
  return (
    <Section title={words.kinds[kind]} about={words.kindsAbout[kind]}>
      {runners.length === 0 ? (
        <p className="rounded-lg border border-line border-dashed px-4 py-4 text-center text-ink-soft">
          {words.noRunnerOf}
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {runners.map((runner) => (
            <li key={runner.runner_id}>
              <Link
                to="/agents/new"
                search={{ kind, runner: runner.runner_id }}
                className="quick flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-ground-soft focus-visible:outline-offset-[-2px]"
              >
                <Icon className="icon text-ink-soft" aria-hidden />
                <span className="min-w-0 flex-1">
                  <span className="flex items-baseline gap-2">
                    <span className="truncate font-medium">{runner.label}</span>
                    <span className="truncate text-ink-soft text-sm">{runner.plugin_id}</span>
                  </span>
                  {runner.description !== null && (
                    <span className="block truncate text-ink-soft text-sm">{runner.description}</span>
                  )}
                </span>
                <ChevronRight className="icon text-ink-soft" aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

interface NewAgentProps {
  readonly kind: Kind
  readonly runner: RunnerItem
  readonly runners: readonly RunnerItem[]
}

function NewAgent({ kind, runner, runners }: NewAgentProps): ReactNode {
  const words = usePageWords()
  const forms = useFormWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const search = useSearch({ from: '/agents/new' })
  const options = optionItems(words)
  const itemsOf = (id: string) =>
    configItems(runners.find(({ runner_id }) => runner_id === id)?.config_schema ?? [], language)
  const stored: AgentDraft = {
    kind,
    name: runner.label,
    runner_id: runner.runner_id,
    config: startValues(itemsOf(runner.runner_id)),
    grants: {},
    options: {},
    enabled: true,
  }
  const draft = useDraft({
    stored,
    fresh: true,
    check: (value) => agentFaults(value, itemsOf(value.runner_id), options, forms.faults),
    save: async (value) => {
      const made = await call('putProcessor', { body: inputOf(value, itemsOf(value.runner_id), options) })
      refresh('listProcessors')
      notify({ tone: 'ok', text: words.created(made.name) })
      await navigate({ to: '/agents/$processorId', params: { processorId: made.processor_id }, ignoreBlocker: true })
    },
  })
  const yaml = search.yaml === true
  const { yaml: _yaml, ...rest } = search
  const openYaml = (open: boolean): void =>
    void navigate({ to: '/agents/new', search: open ? { ...rest, yaml: true } : rest, replace: true })
  return (
    <>
      <PageHeader title={words.newOf[kind]} back="/agents/new" actions={<YamlButton open={yaml} onOpen={openYaml} />} />
      <FormFrame
        draft={draft}
        codec={agentYaml(kind, itemsOf, forms.yaml, words.attachedAtBot)}
        yaml={yaml}
        onYaml={openYaml}
        verb={forms.save.create}
      >
        <AgentFields draft={draft} runners={runners} itemsOf={itemsOf} options={options} />
      </FormFrame>
    </>
  )
}
