/** The routes tab: ordered routes, plugin processors beside them, and a dry run of both as they stand now, saved or not. */
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import type { Draft } from '../../forms/draft.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { useFormWords } from '../../forms/words/words.ts'
import { AttachedList } from './attached-list.tsx'
import { DryRun } from './dry-run.tsx'
import { RouteList } from './route-list.tsx'
import { type ProcessorItem, type RoutesDraft, routesYaml } from './routes-draft.ts'
import { useDryRun } from './use-dry-run.ts'
import { usePageWords } from './words/words.ts'

export interface RoutesTabProps {
  readonly bot: Output<'getBot'>
  readonly draft: Draft<RoutesDraft>
  readonly processors: readonly ProcessorItem[]
  readonly yaml: boolean
  readonly onYaml: (open: boolean) => void
  readonly othersDirty: boolean
  /** The recorded event that is tried, by its id. */
  readonly recorded?: string
  readonly onRecorded: (eventId: string | null) => void
}

export function RoutesTab(props: RoutesTabProps): ReactNode {
  const { bot, draft, processors, yaml, onYaml, othersDirty, recorded, onRecorded } = props
  const words = usePageWords()
  const forms = useFormWords()
  const dryRun = useDryRun(bot.bot_uuid, draft.value, recorded)
  return (
    <FormFrame
      wide
      draft={draft}
      codec={routesYaml(bot.name, processors, words, forms.yaml)}
      yaml={yaml}
      onYaml={onYaml}
      othersDirty={othersDirty}
    >
      <div className="@container">
        <div className="mx-auto grid max-w-[1240px] grid-cols-1 gap-8 @min-[860px]:grid-cols-[minmax(0,1fr)_380px]">
          <div className="min-w-0">
            <RouteList draft={draft} processors={processors} verdicts={dryRun.answer.data?.routes ?? []} />
            <AttachedList
              draft={draft}
              processors={processors}
              verdicts={dryRun.answer.data?.plugin_processors ?? []}
            />
          </div>
          <DryRun bot={bot} dryRun={dryRun} {...(recorded === undefined ? {} : { recorded })} onRecorded={onRecorded} />
        </div>
      </div>
    </FormFrame>
  )
}
