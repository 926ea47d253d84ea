/** JSON as a tree: folds, shows counts, cuts long texts, and copies the whole. */
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWords } from '../words/words.ts'
import { cx } from './class-names.ts'
import { CopyButton } from './copy.tsx'

/** Longer texts are cut until they are asked for. */
const LONG_TEXT = 400
/** More children than this are shown in steps. */
const MANY = 100

export interface JsonViewProps {
  readonly value: unknown
  readonly label: string
  /** How many levels are open at first. */
  readonly open?: number
}

export function JsonView({ value, label, open = 2 }: JsonViewProps): ReactNode {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-ground-soft" aria-label={label}>
      <figcaption className="flex h-9 items-center border-line border-b pr-1 pl-3 font-medium text-ink-soft text-xs">
        <span className="flex-1">{label}</span>
        <CopyButton text={() => JSON.stringify(value, null, 2)} className="!h-7 !w-7" />
      </figcaption>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto p-2 font-mono text-xs leading-[18px] focus-visible:outline-offset-[-2px]"
      >
        <Node value={value} name={null} open={open} />
      </div>
    </figure>
  )
}

function Node({
  value,
  name,
  open,
}: {
  readonly value: unknown
  readonly name: string | null
  readonly open: number
}): ReactNode {
  const words = useWords()
  const [isOpen, setOpen] = useState(open > 0)
  const [shown, setShown] = useState(MANY)
  const key = name === null ? null : <span className="text-ink-soft">{name}: </span>
  if (typeof value !== 'object' || value === null)
    return (
      <div className="break-words pl-5">
        {key}
        <Leaf value={value} />
      </div>
    )
  const entries = Object.entries(value)
  const [before, after] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (entries.length === 0)
    return (
      <div className="pl-5">
        {key}
        {before}
        {after}
      </div>
    )
  const count = Array.isArray(value) ? words.parts.items(entries.length) : words.parts.keys(entries.length)
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex items-center rounded-sm text-left hover:bg-ground-hover"
      >
        <ChevronRight
          aria-hidden
          className={cx(
            'mr-1 size-4 flex-none text-ink-soft transition-transform duration-[var(--quick)]',
            isOpen && 'rotate-90',
          )}
        />
        {key}
        <span className="ml-1 text-ink-soft">{isOpen ? before : `${before} ${count} ${after}`}</span>
      </button>
      {isOpen && (
        <>
          <div className="ml-2 border-line border-l pl-2">
            {entries.slice(0, shown).map(([inner, child]) => (
              <Node key={inner} value={child} name={inner} open={open - 1} />
            ))}
            {entries.length > shown && (
              <button type="button" className="pl-5 text-accent underline" onClick={() => setShown(entries.length)}>
                {words.parts.showAll(entries.length)}
              </button>
            )}
          </div>
          <div className="pl-5 text-ink-soft">{after}</div>
        </>
      )}
    </div>
  )
}

function Leaf({ value }: { readonly value: unknown }): ReactNode {
  const words = useWords()
  const [whole, setWhole] = useState(false)
  if (typeof value === 'string') {
    const cut = !whole && value.length > LONG_TEXT
    return (
      <>
        <span className="whitespace-pre-wrap text-ok">"{cut ? `${value.slice(0, LONG_TEXT)}…` : value}"</span>
        {cut && (
          <button type="button" className="ml-1 text-accent underline" onClick={() => setWhole(true)}>
            {words.parts.showAll(value.length)}
          </button>
        )}
      </>
    )
  }
  return <span className={value === null ? 'text-ink-soft' : 'text-info'}>{String(value)}</span>
}
