/** Where an agent or plugin processor is used: routes that lead to it, bots whose events it gets as well. */
import { Link } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { Section } from '../../parts/page.tsx'
import type { Kind } from './agent-draft.ts'
import { usePageWords } from './words/words.ts'

export interface UsesProps {
  readonly uses: Output<'getProcessor'>['uses']
  readonly kind: Kind
}

export function Uses({ uses, kind }: UsesProps): ReactNode {
  const words = usePageWords()
  return (
    <Section title={words.uses} about={words.usesAbout[kind]}>
      {uses.length === 0 ? (
        <p className="rounded-lg border border-line border-dashed px-4 py-4 text-center text-ink-soft">
          {words.notUsed}{' '}
          <Link to="/bots" className="text-accent underline">
            {words.toBots}
          </Link>
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {uses.map((use, at) => (
            <li key={use.route_id ?? `${use.bot_uuid} ${at}`} className="flex min-h-10 items-center gap-3 px-4">
              <Bot className="icon text-ink-soft" aria-hidden />
              <Link
                to="/bots/$botUuid"
                params={{ botUuid: use.bot_uuid }}
                className="min-w-0 truncate font-medium hover:underline"
              >
                {use.bot_name}
              </Link>
              <code className="min-w-0 flex-1 truncate text-ink-soft">{use.event_pattern ?? words.asWell}</code>
              {!use.enabled && <Badge>{words.off}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
