/** Ctrl/Cmd-K: one field that goes to any page or object. Arrow keys choose, Enter goes, Escape closes. */
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../parts/class-names.ts'
import { useWords } from '../words/words.ts'
import type { PaletteItem } from './providers.ts'
import { useResults } from './use-results.ts'

export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords()
  const router = useRouter()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { groups, searching } = useResults(text, words)
  const items = groups.flatMap((group) => group.items)
  const chosen = Math.min(at, items.length - 1)

  // Before the page is painted, and closed while it still stands in the page: the focus goes back to where it was.
  useLayoutEffect(() => {
    const own = dialog.current
    if (own !== null && !own.open) own.showModal()
    return () => own?.close()
  }, [])
  useEffect(() => {
    dialog.current?.querySelector(`[data-at="${chosen}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  function go(item: PaletteItem | undefined): void {
    if (item === undefined) return
    onClose()
    router.history.push(router.history.createHref(`/console${item.to}`))
  }
  function keys(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) {
      event.preventDefault()
      setAt((chosen + step + items.length) % items.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(items[chosen])
    }
  }

  let index = -1
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes, as Escape does
    <dialog
      ref={dialog}
      aria-label={words.palette.title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="appear mx-auto mt-[12dvh] mb-auto max-h-[70dvh] w-[min(600px,94vw)] flex-col overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-raised open:flex max-wide:mt-4"
    >
      <div className="flex h-12 flex-none items-center gap-3 border-line border-b px-4">
        <Search className="icon text-ink-soft" aria-hidden />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-label={words.palette.title}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-results`}
          aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={words.palette.placeholder}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={keys}
          className="min-w-0 flex-1 bg-transparent text-[15px] outline-none max-wide:text-lg"
        />
        <kbd className="text-ink-soft">Esc</kbd>
      </div>
      <div
        id={`${id}-results`}
        role="listbox"
        tabIndex={-1}
        aria-label={words.palette.title}
        className="min-h-24 overflow-y-auto p-2"
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset does not belong in a listbox
          <div key={group.title} role="group" aria-label={group.title}>
            <p className="px-2 pt-2 pb-1 font-medium text-ink-soft text-xs" aria-hidden>
              {group.title}
            </p>
            {group.items.map((item) => {
              index += 1
              const own = index
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys of the whole list
                <div
                  key={item.id}
                  id={`${id}-${own}`}
                  data-at={own}
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === chosen}
                  onClick={() => go(item)}
                  onPointerMove={() => setAt(own)}
                  className={cx(
                    'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 max-wide:min-h-11',
                    own === chosen && 'bg-accent-soft',
                  )}
                >
                  <span className="min-w-0 truncate">{item.title}</span>
                  {item.about !== undefined && (
                    <span className="ml-auto min-w-0 flex-none truncate text-ink-soft text-sm">{item.about}</span>
                  )}
                </div>
              )
            })}
          </div>
        ))}
        {items.length === 0 && (
          <p className="px-2 py-6 text-center text-ink-soft">
            {searching ? words.palette.searching : words.palette.nothing(text.trim())}
          </p>
        )}
      </div>
      <p role="status" className="sr-only">
        {searching ? words.palette.searching : words.palette.results(items.length)}
      </p>
    </dialog>
  )
}
