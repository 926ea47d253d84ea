/** What a plugin asks for and what of it is allowed: outside runs by the approval, inside runs per agent. */
import { type ReactNode, useState } from 'react'
import { useRead } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { type Installation, type Permission, type PluginStatus, sentence } from './state.tsx'
import { usePageWords } from './words/words.ts'

export interface PermissionsProps {
  readonly installation: Installation
  readonly status: PluginStatus
}

export function Permissions({ installation, status }: PermissionsProps): ReactNode {
  const words = usePageWords()
  const [changing, setChanging] = useState(false)
  const read = useRead('pluginPermissions', { params: { installation_uuid: installation.installation_uuid } })
  if (read.isPending) return <SkeletonRows />
  if (read.isError) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  const outside = read.data.items.filter(({ group }) => group === 'outside')
  const inside = Map.groupBy(
    read.data.items.filter(({ group }) => group === 'inside'),
    ({ component }) => component ?? '',
  )
  return (
    <div className="mx-auto w-full max-w-[880px]">
      <Section
        title={words.outside}
        about={words.outsideAbout}
        actions={
          installation.approved &&
          outside.length > 0 && <Button onClick={() => setChanging(true)}>{words.change}</Button>
        }
      >
        {outside.length === 0 ? (
          <p className="text-ink-soft">{words.nothingOutside}</p>
        ) : (
          <Card>
            <Lines label={words.outside} items={outside} />
          </Card>
        )}
      </Section>
      <Section title={words.inside} about={words.insideAbout}>
        {inside.size === 0 && <p className="text-ink-soft">{words.noInside}</p>}
        <div className="flex flex-col gap-4">
          {[...inside].map(([component, items]) => (
            <div key={component}>
              <h3 className="mb-1 font-medium">{component}</h3>
              <Card>
                <Lines label={component} items={items} />
              </Card>
            </div>
          ))}
        </div>
      </Section>
      {changing && <ApproveDialog installation={installation} status={status} onClose={() => setChanging(false)} />}
    </div>
  )
}

function Lines({ label, items }: { readonly label: string; readonly items: readonly Permission[] }): ReactNode {
  return (
    <ul aria-label={label}>
      {items.map((one) => (
        <li
          key={one.thing}
          className="flex items-start gap-3 border-line border-b px-4 py-2 last:border-b-0 max-wide:px-3"
        >
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span>{sentence(one.label)}</span>
              <code className="break-all text-ink-soft">{one.thing}</code>
            </p>
            <p className="break-words text-ink-soft text-sm">{one.why}</p>
          </div>
          <Marks one={one} />
        </li>
      ))}
    </ul>
  )
}

function Marks({ one }: { readonly one: Permission }): ReactNode {
  const words = usePageWords()
  return (
    <span className="flex flex-none flex-wrap justify-end gap-1 max-wide:flex-col max-wide:items-end">
      {one.asked && one.group === 'outside' && <Badge tone="info">{words.asked}</Badge>}
      {one.own_yes && <Badge>{words.ownYes}</Badge>}
      {one.allowed ? (
        <Badge tone="ok">{words.allowed}</Badge>
      ) : one.group === 'inside' ? (
        <Badge>{words.perAgent}</Badge>
      ) : (
        <Badge>{words.notAllowed}</Badge>
      )}
    </span>
  )
}
