/** The list of plugins. */
import { Link } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { usePageWords } from './words/words.ts'

export function PluginsPage(): ReactNode {
  const words = usePageWords()
  const all = useRead('listPlugins', {})
  return (
    <>
      <PageHeader title={words.title} />
      {all.isPending && <SkeletonRows />}
      {all.isError && <Failure error={all.error} onRetry={() => void all.refetch()} />}
      {all.isSuccess && all.data.items.length === 0 && (
        <Empty icon={Plug} title={words.empty}>
          {words.emptyAbout}
        </Empty>
      )}
      {all.isSuccess && all.data.items.length > 0 && (
        <Table
          label={words.title}
          items={all.data.items}
          keyOf={(one) => one.installation_uuid}
          columns={[
            {
              id: 'name',
              label: words.name,
              grow: true,
              cell: (one) => (
                <Link
                  to="/plugins/$installationUuid"
                  params={{ installationUuid: one.installation_uuid }}
                  className="font-medium hover:underline"
                >
                  {one.plugin_id}
                </Link>
              ),
            },
            { id: 'version', label: words.version, cell: (one) => one.version, wideOnly: true },
            {
              id: 'state',
              label: words.state,
              cell: (one) => (
                <Badge tone={one.state === 'ready' ? 'ok' : one.state === 'failed' ? 'danger' : 'neutral'}>
                  {one.state}
                </Badge>
              ),
            },
          ]}
        />
      )}
    </>
  )
}
