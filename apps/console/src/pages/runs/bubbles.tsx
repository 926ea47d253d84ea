/** What was said, as people read it: bubbles with text, mentions, pictures and files. */
import { FileText, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../parts/class-names.ts'
import type { Part, Said } from './readable.ts'
import { usePageWords } from './words/words.ts'

/** Longer talks show their end: it is what the call was about. */
const MOST = 30

export function Bubbles({ said, own }: { readonly said: readonly Said[]; readonly own: boolean }): ReactNode {
  const words = usePageWords()
  const shown = said.slice(-MOST)
  return (
    <div className="flex flex-col gap-2">
      {said.length > shown.length && (
        <p className="text-ink-soft text-xs">{words.earlier(said.length - shown.length)}</p>
      )}
      {shown.map((one, at) => {
        const role = one.role === null ? null : (words.roles[one.role as keyof typeof words.roles] ?? one.role)
        const isOwn = one.role === null ? own : one.role === 'assistant'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stored list never changes
          <div key={at} className={cx('flex max-w-[90%] flex-col gap-0.5', isOwn && 'items-end self-end')}>
            {role !== null && <span className="px-1 text-ink-soft text-xs">{role}</span>}
            <div
              className={cx(
                'min-w-0 max-w-full rounded-xl px-3 py-2',
                isOwn ? 'rounded-br-sm bg-accent-soft' : 'rounded-bl-sm bg-ground-hover',
              )}
            >
              <Parts parts={one.parts} />
            </div>
          </div>
        )
      })}
    </div>
  )
}

function Parts({ parts }: { readonly parts: readonly Part[] }): ReactNode {
  const words = usePageWords()
  return parts.map((part, at) => {
    const key = `${part.is}-${at}`
    switch (part.is) {
      case 'text':
        return (
          <span key={key} className="whitespace-pre-wrap break-words">
            {part.text}
          </span>
        )
      case 'mention':
        return (
          <span key={key} className="font-medium text-accent">
            @{part.name}{' '}
          </span>
        )
      case 'quote':
        return (
          <blockquote key={key} className="mb-1 border-line-strong border-l-2 pl-2 text-ink-soft text-sm">
            <Parts parts={part.parts} />
          </blockquote>
        )
      case 'image':
        return part.src === null ? (
          <span key={key} className="inline-flex max-w-full items-center gap-1.5 text-ink-soft text-sm">
            <ImageOff className="icon" aria-hidden />
            <span className="min-w-0 break-all">{part.name === '' ? words.imageElsewhere : part.name}</span>
          </span>
        ) : (
          <img key={key} src={part.src} alt={words.image} className="my-1 max-h-64 max-w-full rounded-md" />
        )
      default:
        return (
          <span key={key} className="inline-flex max-w-full items-center gap-1.5">
            <FileText className="icon text-ink-soft" aria-hidden />
            <span className="min-w-0 break-all">{part.name}</span>
          </span>
        )
    }
  })
}
