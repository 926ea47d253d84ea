/** One message: who said it, when, by which run and how it went out. */
import { Link } from '@tanstack/react-router'
import { Paperclip, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { cx } from '../../parts/class-names.ts'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { Face } from './face.tsx'
import { usePageWords } from './words/words.ts'

export type ChatMessage = Output<'listMessages'>['items'][number]

/** Messages of one person within this time stand under one name. */
const TOGETHER_MS = 5 * 60_000
/** So many characters tell runs apart: their ids begin with the time. */
const ID_SHOWN = 13

export interface MessageProps {
  readonly message: ChatMessage
  readonly before: ChatMessage | undefined
  /** Its run has said something below, where the link to it stands. */
  readonly answered: boolean
}

export function Message({ message, before, answered }: MessageProps): ReactNode {
  const words = usePageWords()
  const own = message.role === 'assistant'
  const name = own ? (message.processor_name ?? words.bot) : (message.actor_name ?? message.actor_id ?? words.someone)
  const together =
    before !== undefined &&
    before.role === message.role &&
    before.actor_id === message.actor_id &&
    before.run_id === message.run_id &&
    message.at - before.at < TOGETHER_MS
  const began = before !== undefined && before.in_history !== message.in_history
  const how = message.how === null ? null : (words.how[message.how as keyof typeof words.how] ?? message.how)
  const files = attachmentsOf(message.chain)
  const running = message.run_status === 'running' || message.run_status === 'created'
  return (
    <>
      {began && (
        <p className="my-4 flex items-center gap-3 text-ink-soft text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {words.beganAnew}
        </p>
      )}
      <article
        data-role={message.role}
        className={cx('group flex gap-3', together ? 'mt-1' : 'mt-4 first:mt-0', !message.in_history && 'opacity-75')}
      >
        <div className="w-7 flex-none">{!together && <Face name={name} small bot={own} />}</div>
        <div className="min-w-0 flex-1">
          {!together && (
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-semibold">{name}</span>
              <span className="text-ink-soft text-xs">
                <TimeAgo at={message.at} />
              </span>
            </p>
          )}
          {message.text !== '' && <p className="whitespace-pre-wrap break-words">{message.text}</p>}
          {files.length > 0 && (
            <ul className="mt-1 flex flex-wrap gap-1">
              {files.map((file) => (
                <li key={file}>
                  <Badge icon={Paperclip}>{file}</Badge>
                </li>
              ))}
            </ul>
          )}
          {message.run_id !== null && !(answered && !own) && (
            <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-ink-soft text-xs">
              <Link
                to="/runs/$runId"
                params={{ runId: message.run_id }}
                className="inline-flex items-center gap-1 hover:text-ink hover:underline"
              >
                <Zap className="size-3" aria-hidden />
                {words.run} {message.run_id.slice(0, ID_SHOWN)}
              </Link>
              {own ? how !== null && <span>{how}</span> : <span>{running ? words.stillRunning : words.noAnswer}</span>}
            </p>
          )}
        </div>
      </article>
    </>
  )
}

/** Names of what a message carries besides text. */
function attachmentsOf(chain: unknown): string[] {
  if (!Array.isArray(chain)) return []
  return chain.flatMap((part: unknown) => {
    if (typeof part !== 'object' || part === null || !('type' in part)) return []
    if (!['Image', 'Voice', 'File'].includes(String(part.type))) return []
    const name = 'name' in part && typeof part.name === 'string' && part.name !== '' ? part.name : String(part.type)
    return [name]
  })
}
