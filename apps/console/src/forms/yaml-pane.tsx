/** The YAML beside a form: typed here it changes the form, and the form changes it. A fault stands at its line. */
import { CircleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import { cx } from '../parts/class-names.ts'
import { CopyButton } from '../parts/copy.tsx'
import type { Draft } from './draft.ts'
import { sameJson } from './json.ts'
import { useFormWords } from './words/words.ts'
import type { YamlCodec, YamlFault } from './yaml.ts'

/** Under this path the draft keeps that the YAML can't be read. */
const PATH = '(yaml)'
/** Height of a line in px, the same in the numbers and in the text. */
const LINE = 20

export interface YamlPaneProps<T> {
  readonly draft: Draft<T>
  readonly codec: YamlCodec<T>
  readonly onClose: () => void
}

export function YamlPane<T>({ draft, codec, onClose }: YamlPaneProps<T>): ReactNode {
  const words = useFormWords()
  const id = useId()
  const { value, set, refuse } = draft
  const [text, setText] = useState(() => codec.write(value))
  const [shown, setShown] = useState(value)
  const [wrong, setWrong] = useState<YamlFault | null>(null)
  const numbers = useRef<HTMLDivElement>(null)

  // The form was changed, and not by this text: the text follows.
  if (!sameJson(value, shown)) {
    setShown(value)
    setText(codec.write(value))
    setWrong(null)
  }
  const unread = wrong === null ? null : words.yaml.line(wrong.line, wrong.message)
  useEffect(() => refuse(PATH, unread), [unread, refuse])
  useEffect(() => () => refuse(PATH, null), [refuse])

  function change(next: string): void {
    setText(next)
    const reading = codec.read(next, value)
    if (!reading.ok) {
      setWrong(reading)
      return
    }
    setWrong(null)
    setShown(reading.value)
    if (!sameJson(reading.value, value)) set(reading.value)
  }

  const count = text.split('\n').length
  return (
    <section aria-label={words.yaml.open} className="flex min-h-0 min-w-0 flex-1 flex-col bg-ground-soft">
      <header className="flex h-10 flex-none items-center gap-1 border-line border-b pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-medium">{words.yaml.open}</h2>
        <CopyButton text={text} />
        <IconButton icon={X} label={words.yaml.close} onClick={onClose} />
      </header>
      <p id={`${id}-about`} className="flex-none border-line border-b px-4 py-2 text-ink-soft text-xs">
        {codec.applies ? words.yaml.about : words.yaml.aboutPlain} {text.includes('(set)') && words.yaml.secrets}
      </p>
      <div className="flex min-h-40 flex-1 overflow-hidden font-mono text-xs">
        <div
          ref={numbers}
          aria-hidden
          className="w-10 flex-none select-none overflow-hidden py-3 pr-2 text-right text-ink-soft tabular-nums"
          style={{ lineHeight: `${LINE}px` }}
        >
          {Array.from({ length: count }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line's number is what it is
            <div key={at} className={cx(wrong?.line === at + 1 && 'rounded-sm bg-danger-soft font-medium text-danger')}>
              {at + 1}
            </div>
          ))}
        </div>
        <textarea
          aria-label={words.yaml.open}
          aria-describedby={`${id}-about${wrong === null ? '' : ` ${id}-wrong`}`}
          aria-invalid={wrong !== null || undefined}
          spellCheck={false}
          autoComplete="off"
          wrap="off"
          value={text}
          onChange={(event) => change(event.target.value)}
          onScroll={({ currentTarget }) => {
            if (numbers.current !== null) numbers.current.scrollTop = currentTarget.scrollTop
          }}
          className="min-w-0 flex-1 resize-none overflow-auto bg-transparent py-3 pr-4 pl-2 outline-none max-wide:text-[16px]"
          style={{ lineHeight: `${LINE}px`, tabSize: 2 }}
        />
      </div>
      {unread !== null && (
        <p
          id={`${id}-wrong`}
          role="alert"
          className="flex flex-none items-start gap-2 border-line border-t bg-danger-soft px-4 py-2 text-danger text-sm"
        >
          <CircleAlert className="icon mt-0.5" aria-hidden />
          <span className="min-w-0 break-words">{unread}</span>
        </p>
      )}
    </section>
  )
}
