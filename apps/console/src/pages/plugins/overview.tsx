/** How a plugin is, in facts, and the components that it brings. */
import type { ReactNode } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { useLanguage } from '../../words/languages.ts'
import { type Component, componentsOf } from './components.ts'
import { BareBadge, type Installation, type PluginStatus } from './state.tsx'
import { usePageWords } from './words/words.ts'

export interface OverviewProps {
  readonly installation: Installation
  readonly status: PluginStatus
}

export function Overview({ installation, status }: OverviewProps): ReactNode {
  const words = usePageWords()
  const { about, components } = componentsOf(installation.manifest, useLanguage())
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [words.facts.version, installation.version],
    [words.facts.source, words.sources[installation.source]],
    [words.facts.since, <TimeAgo key="since" at={status.since} />],
    [words.facts.restarts, String(status.restarts)],
    [words.facts.process, status.pid === null ? words.noProcess : words.processOf(status.pid)],
    [
      words.facts.isolation,
      <span key="isolation" className="flex min-w-0 flex-wrap items-center gap-x-2">
        <BareBadge {...status} />
        <span className="min-w-0 break-words">{status.isolation}</span>
      </span>,
    ],
    [words.facts.limits, status.limits],
    ...(installation.folder === null
      ? []
      : [[words.facts.folder, <Code key="folder" text={installation.folder} />] as const]),
    [words.manifestDigest, <Code key="manifest" text={installation.manifest_digest} />],
    [words.packageDigest, <Code key="package" text={installation.package_digest} />],
    [words.facts.id, <Code key="id" text={installation.installation_uuid} />],
  ]
  return (
    <div className="mx-auto w-full max-w-[880px]">
      {about !== null && <p className="mb-6 max-w-[70ch] text-ink-soft">{about}</p>}
      <Section title={words.components}>
        {components.length === 0 ? (
          <p className="text-ink-soft">{words.noComponents}</p>
        ) : (
          <Card>
            <ul aria-label={words.components}>
              {components.map((one) => (
                <ComponentRow key={`${one.kind} ${one.name}`} one={one} />
              ))}
            </ul>
          </Card>
        )}
      </Section>
      <Section title={words.about}>
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="flex min-h-7 items-center text-ink-soft">{label}</dt>
              <dd className="flex min-h-7 min-w-0 items-center">{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  )
}

function ComponentRow({ one }: { readonly one: Component }): ReactNode {
  const words = usePageWords()
  return (
    <li className="flex items-start gap-3 border-line border-b px-4 py-2.5 last:border-b-0 max-wide:px-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{one.label}</span>
          <code className="text-ink-soft">{one.name}</code>
        </p>
        {one.about !== null && <p className="break-words text-ink-soft text-sm">{one.about}</p>}
        {one.kind === 'Runner' && (
          <p className="break-words text-ink-soft text-xs">
            {one.events.length === 0 ? words.everyEvent : one.events.join(', ')}
          </p>
        )}
      </div>
      <span className="flex flex-none flex-wrap justify-end gap-1">
        <Badge>{one.kind}</Badge>
        {one.usages.map((usage) => (
          <Badge key={usage} tone="accent">
            {words.usages[usage as keyof typeof words.usages] ?? usage}
          </Badge>
        ))}
      </span>
    </li>
  )
}

function Code({ text }: { readonly text: string }): ReactNode {
  return (
    <>
      <code className="min-w-0 truncate text-ink-soft" title={text}>
        {text}
      </code>
      <CopyButton text={text} className="!h-7 !w-7" />
    </>
  )
}
