/** One filter as a chip: says what it is set to, opens its choices, and is taken away by its cross. All by keyboard. */
import { Check, ChevronDown, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { cx } from '../../parts/class-names.ts'
import { TextInput } from '../../parts/field.tsx'
import { usePageWords } from './words/words.ts'

export interface FilterChoice {
  readonly value: string
  readonly label: string
  /** Smaller, behind the label. */
  readonly about?: string
}

export interface FilterMenuProps {
  readonly name: string
  readonly choices: readonly FilterChoice[]
  readonly chosen: readonly string[]
  /** The whole new choice; empty: not filtered by. */
  readonly onChosen: (chosen: readonly string[]) => void
  /** Several at once. */
  readonly several?: boolean
  /** A value that is not among the choices can be typed: what the field asks for. */
  readonly typed?: string
  /** Below the choices. */
  readonly foot?: (close: () => void) => ReactNode
  /** What stands on the chip in the place of the chosen labels. */
  readonly shown?: string
}

/** From this many on the choices can be narrowed by typing. */
const MANY = 8

export function FilterMenu(props: FilterMenuProps): ReactNode {
  const { name, choices, chosen, onChosen, several = false, typed, foot } = props
  const words = usePageWords()
  const id = `filter${useId().replace(/[^\w-]/g, '')}`
  const ref = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const set = chosen.length > 0 || props.shown !== undefined
  const shown =
    props.shown ?? chosen.map((value) => choices.find((one) => one.value === value)?.label ?? value).join(', ')
  const wanted = text.trim().toLowerCase()
  const fitting = choices.filter(({ label, about = '', value }) =>
    `${label} ${about} ${value}`.toLowerCase().includes(wanted),
  )
  const hasField = typed !== undefined || choices.length >= MANY

  function close(): void {
    ref.current?.hidePopover()
  }
  function choose(value: string): void {
    const others = chosen.filter((one) => one !== value)
    const off = others.length < chosen.length
    if (several) onChosen(off ? others : [...chosen, value])
    else {
      onChosen(off ? [] : [value])
      close()
    }
  }
  function keys(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const own = [...(ref.current?.querySelectorAll<HTMLElement>('input,button') ?? [])]
    const at = own.findIndex((one) => one.matches(':focus'))
    own[(at + step + own.length) % own.length]?.focus()
  }

  return (
    <div className="flex flex-none items-center">
      <button
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={open}
        style={{ anchorName: `--${id}` }}
        className={cx(
          'quick inline-flex h-7 items-center gap-1 whitespace-nowrap border pl-2.5 text-sm max-wide:h-9',
          set
            ? 'rounded-l-full border-transparent bg-accent-soft pr-1 text-accent'
            : 'rounded-full border-line pr-2 text-ink-soft hover:bg-ground-hover hover:text-ink',
        )}
      >
        {set ? `${name}:` : name}
        {set && <span className="max-w-40 truncate font-medium">{shown}</span>}
        {!set && <ChevronDown className="size-3.5" aria-hidden />}
      </button>
      {set && (
        <button
          type="button"
          aria-label={words.filters.clear(name)}
          title={words.filters.clear(name)}
          onClick={() => onChosen([])}
          className="quick inline-flex h-7 items-center rounded-r-full bg-accent-soft pr-2 pl-1 text-accent hover:bg-ground-hover max-wide:h-9 max-wide:px-2"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
      <div
        ref={ref}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={name}
        onKeyDown={keys}
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          if (event.newState !== 'open') return setText('')
          ref.current?.querySelector<HTMLElement>('input,[aria-pressed=true],button')?.focus()
        }}
        style={{
          positionAnchor: `--${id}`,
          positionArea: 'bottom span-right',
          positionTryFallbacks: 'flip-inline, flip-block',
        }}
        className="m-1 max-h-[70dvh] w-64 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ink shadow-raised"
      >
        {open && (
          <>
            {hasField && (
              <form
                className="p-1"
                onSubmit={(event) => {
                  event.preventDefault()
                  const [only] = fitting
                  if (typed !== undefined && text.trim() !== '' && only === undefined) choose(text.trim())
                  else if (only !== undefined && wanted !== '') choose(only.value)
                }}
              >
                <TextInput
                  aria-label={typed ?? words.filters.narrow}
                  placeholder={typed ?? words.filters.narrow}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              </form>
            )}
            {fitting.map(({ value, label, about }) => (
              <Choice
                key={value}
                label={label}
                about={about}
                on={chosen.includes(value)}
                onClick={() => choose(value)}
              />
            ))}
            {typed !== undefined && wanted !== '' && !choices.some((one) => one.value === text.trim()) && (
              <Choice label={words.filters.use(text.trim())} on={false} onClick={() => choose(text.trim())} />
            )}
            {fitting.length === 0 && typed === undefined && (
              <p className="px-2 py-2 text-ink-soft text-sm">{words.filters.none}</p>
            )}
            {foot !== undefined && <div className="mt-1 border-line border-t pt-1">{foot(close)}</div>}
          </>
        )}
      </div>
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly about?: string | undefined
  readonly on: boolean
  readonly onClick: () => void
}

export function Choice({ label, about, on, onClick }: ChoiceProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className="flex min-h-8 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-ground-hover focus-visible:bg-ground-hover focus-visible:outline-offset-[-2px] max-wide:min-h-10"
    >
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {about !== undefined && <span className="max-w-28 flex-none truncate text-ink-soft text-xs">{about}</span>}
      <Check className={cx('icon text-accent', !on && 'invisible')} aria-hidden />
    </button>
  )
}
