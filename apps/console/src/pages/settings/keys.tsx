/** API keys of the host: what they may do, when they were used, and how they end. A key itself is shown once. */
import { KeyRound, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead, useStep } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { TimeAgo, useNow } from '../../parts/time-ago.tsx'
import { NewKey } from './new-key.tsx'
import { usePageWords } from './words/words.ts'

type ApiKey = Output<'listKeys'>['items'][number]

export function Keys(): ReactNode {
  const words = usePageWords()
  const keys = useRead('listKeys', {})
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const revoke = useStep('revokeKey', {
    refreshes: ['listKeys'],
    done: words.keyRevoked,
    onDone: () => setRevoking(null),
  })
  const items = keys.data?.items ?? []
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setMaking(true)}>
      {words.newKey}
    </Button>
  )
  return (
    <Section title={words.keys} about={words.keysAbout} actions={items.length > 0 && create}>
      <Card>
        {keys.isPending && <SkeletonRows rows={3} />}
        {keys.isError && <Failure error={keys.error} onRetry={() => void keys.refetch()} />}
        {keys.isSuccess && items.length === 0 && (
          <Empty icon={KeyRound} title={words.noKeys} action={create}>
            {words.noKeysAbout}
          </Empty>
        )}
        <ul>
          {items.map((key) => (
            <Row key={key.key_id} one={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      </Card>
      {making && <NewKey onClose={() => setMaking(false)} />}
      {revoking !== null && (
        <Confirm
          title={words.revokeTitle(revoking.name)}
          verb={words.revoke}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate({ params: { key_id: revoking.key_id } })}
          onClose={() => setRevoking(null)}
        >
          {words.revokeAbout}
        </Confirm>
      )}
    </Section>
  )
}

function Row({ one, onRevoke }: { readonly one: ApiKey; readonly onRevoke: () => void }): ReactNode {
  const words = usePageWords()
  const now = useNow()
  const expired = one.expires_at !== null && one.expires_at <= now
  const over = one.revoked_at !== null || expired
  return (
    <li className="flex min-h-14 items-center gap-3 border-line border-b px-4 py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={over ? 'truncate font-medium text-ink-soft line-through' : 'truncate font-medium'}>
            {one.name}
          </span>
          {one.scopes.map((scope) => (
            <Badge key={scope} tone={scope === '*' ? 'warn' : 'neutral'}>
              {scope === '*' ? words.everything : scope}
            </Badge>
          ))}
          {one.revoked_at !== null && <Badge tone="danger">{words.revoked}</Badge>}
          {one.revoked_at === null && expired && <Badge tone="danger">{words.expired}</Badge>}
        </p>
        <p className="text-ink-soft text-sm">
          {words.made} <TimeAgo at={one.created_at} />
          {' · '}
          {one.last_used_at === null ? (
            words.neverUsed
          ) : (
            <>
              {words.used} <TimeAgo at={one.last_used_at} />
            </>
          )}
          {!over && one.expires_at !== null && (
            <>
              {' · '}
              {words.expires} <TimeAgo at={one.expires_at} />
            </>
          )}
        </p>
      </div>
      {!over && (
        <Button size="small" aria-label={words.revokeTitle(one.name)} onClick={onRevoke}>
          {words.revoke}
        </Button>
      )}
    </li>
  )
}
