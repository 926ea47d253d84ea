/** The approval: names the plugin and exactly what is approved, and asks for each thing that needs a yes of its own. */
import { type ReactNode, useState } from 'react'
import { useRead, useStep } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { Switch } from '../../parts/switch.tsx'
import { useWords } from '../../words/words.ts'
import { grantOf } from './grant.ts'
import { type Installation, isBare, type Permission, type PluginStatus, sentence } from './state.tsx'
import { usePageWords } from './words/words.ts'

export interface ApproveDialogProps {
  readonly installation: Installation
  readonly status: PluginStatus
  readonly onClose: () => void
}

export function ApproveDialog({ installation, status, onClose }: ApproveDialogProps): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const params = { installation_uuid: installation.installation_uuid }
  const read = useRead('pluginPermissions', { params })
  const outside = (read.data?.items ?? []).filter(({ group }) => group === 'outside')
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [bare, setBare] = useState(installation.isolation === 'accepted_none')
  const allows = (one: Permission): boolean => changed.get(one.thing) ?? one.allowed
  const approve = useStep('approvePlugin', {
    quiet: true,
    done: words.approved,
    refreshes: ['listPlugins', 'getPlugin', 'pluginPermissions', 'listRunners', 'status'],
    onDone: onClose,
  })
  const { manifest_digest, package_digest } = installation
  const ownYes = outside.filter((one) => one.own_yes)
  const listed = outside.filter((one) => !one.own_yes)
  const set = (one: Permission, on: boolean): void => setChanged((before) => new Map(before).set(one.thing, on))

  function submit(): void {
    const chosen = outside.filter((one) => !one.fixed && allows(one)).map(({ thing }) => thing)
    approve.mutate({
      params,
      body: {
        manifest_digest,
        package_digest,
        // Left as it was shown, the plugin keeps the defaults, which follow its later versions.
        ...(changed.size === 0 ? {} : { grant: grantOf(chosen, installation.installation_grant) }),
        ...(bare ? { accept_not_isolated: true } : {}),
      },
    })
  }

  return (
    <Dialog
      wide
      title={
        installation.approved
          ? words.changeTitle(installation.plugin_id)
          : words.approveTitle(installation.plugin_id, installation.version)
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{shell.parts.cancel}</Button>
          <Button kind="primary" busy={approve.isPending} disabled={!read.isSuccess} onClick={submit}>
            {installation.approved ? words.save : words.approve}
          </Button>
        </>
      }
    >
      {approve.isError && <Failure error={approve.error} />}
      <p className="mb-3 text-ink-soft">{words.approveAbout}</p>
      <dl className="mb-5 flex flex-col gap-1">
        <Digest label={words.manifestDigest} digest={manifest_digest} />
        <Digest label={words.packageDigest} digest={package_digest} />
      </dl>
      {read.isPending && <SkeletonRows rows={3} />}
      {read.isError && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isSuccess && (
        <div className="flex flex-col gap-5">
          {outside.length === 0 && <p>{words.asksNothing}</p>}
          <Choices title={words.listTitle} items={listed} allows={allows} set={set} />
          <Choices title={words.ownYesTitle} items={ownYes} allows={allows} set={set} />
          {isBare(status) && (
            <div className="rounded-md border border-line bg-warn-soft p-3">
              <Switch
                label={words.acceptNotIsolated}
                help={words.acceptNotIsolatedHelp}
                checked={bare}
                onChange={setBare}
              />
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}

function Digest({ label, digest }: { readonly label: string; readonly digest: string }): ReactNode {
  return (
    <div className="flex items-center gap-2">
      <dt className="w-24 flex-none text-ink-soft">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center">
        <code className="min-w-0 truncate" title={digest}>
          {digest}
        </code>
        <CopyButton text={digest} label={label} className="!h-7 !w-7" />
      </dd>
    </div>
  )
}

interface ChoicesProps {
  readonly title: string
  readonly items: readonly Permission[]
  readonly allows: (one: Permission) => boolean
  readonly set: (one: Permission, on: boolean) => void
}

function Choices({ title, items, allows, set }: ChoicesProps): ReactNode {
  const words = usePageWords()
  if (items.length === 0) return null
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">{title}</legend>
      <ul className="flex flex-col gap-3">
        {items.map((one) => (
          <li key={one.thing} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <Switch
                label={sentence(one.label)}
                help={
                  <>
                    <code>{one.thing}</code> {one.why}
                  </>
                }
                checked={allows(one)}
                disabled={one.fixed}
                onChange={(on) => set(one, on)}
              />
            </div>
            {one.asked && <Badge tone="info">{words.asked}</Badge>}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
