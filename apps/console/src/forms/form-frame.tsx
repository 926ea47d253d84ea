/** The frame of a form: fields at the left, the YAML of the same object beside them, and a bar while something is unsaved. */
import { CircleAlert, FileCode2 } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { cx } from '../parts/class-names.ts'
import { useWords } from '../words/words.ts'
import type { Draft } from './draft.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { useFormWords } from './words/words.ts'
import type { YamlCodec } from './yaml.ts'
import { YamlPane } from './yaml-pane.tsx'

/** A field, or the sentence of a group of fields, that says what is wrong with it. */
const AT_FIELD = '[aria-invalid=true], [data-fault]'

export interface FormFrameProps<T> {
  readonly draft: Draft<T>
  readonly codec: YamlCodec<T>
  readonly yaml: boolean
  readonly onYaml: (open: boolean) => void
  /** The verb of the button; default "Save". */
  readonly verb?: string
  /** Called after the host took it; where it leads elsewhere, `navigate` needs `ignoreBlocker: true`. */
  readonly onSaved?: () => void
  /** True: something else on the page is unsaved too, so leaving asks as well. */
  readonly othersDirty?: boolean
  /** Without the measure of a form: tables and lists need more room. */
  readonly wide?: boolean
  readonly children: ReactNode
}

export function FormFrame<T>(props: FormFrameProps<T>): ReactNode {
  const { draft, codec, yaml, onYaml, verb, onSaved, othersDirty = false, wide = false, children } = props
  const body = useRef<HTMLDivElement>(null)
  const [refusals, setRefusals] = useState(0)
  // After the faults are on the page, the first of them takes the focus.
  useEffect(() => {
    if (refusals > 0) body.current?.querySelector<HTMLElement>(AT_FIELD)?.focus()
  }, [refusals])

  async function save(): Promise<void> {
    if (!(draft.dirty || draft.fresh) || draft.saving) return
    if (await draft.save()) onSaved?.()
    else setRefusals((before) => before + 1)
  }
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const keys = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      void latest.current()
    }
    window.addEventListener('keydown', keys)
    return () => window.removeEventListener('keydown', keys)
  }, [])

  return (
    <>
      <div className="flex min-h-0 flex-1">
        <div ref={body} className={cx('min-h-0 min-w-0 flex-1 overflow-y-auto', yaml && 'max-[1099px]:hidden')}>
          <div className={cx('px-4 py-6 max-wide:px-3 max-wide:py-4', !wide && 'mx-auto w-full max-w-[760px]')}>
            {children}
          </div>
        </div>
        {yaml && (
          <div className="flex min-h-0 min-w-0 flex-1 border-line broad:max-w-[46%] broad:border-l">
            <YamlPane draft={draft} codec={codec} onClose={() => onYaml(false)} />
          </div>
        )}
      </div>
      <SaveBar draft={draft} {...(verb === undefined ? {} : { verb })} onSave={() => void save()} body={body} />
      <LeaveGuard dirty={draft.dirty || othersDirty} />
    </>
  )
}

/** Opens and closes the YAML; belongs into the page's header. */
export function YamlButton({
  open,
  onOpen,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const words = useFormWords()
  return (
    <Button icon={FileCode2} aria-expanded={open} onClick={() => onOpen(!open)} className="max-wide:!h-9">
      {words.yaml.open}
    </Button>
  )
}

interface SaveBarProps<T> {
  readonly draft: Draft<T>
  readonly verb?: string
  readonly onSave: () => void
  readonly body: { readonly current: HTMLDivElement | null }
}

function SaveBar<T>({ draft, verb, onSave, body }: SaveBarProps<T>): ReactNode {
  const words = useFormWords()
  const shell = useWords()
  const { failure } = draft
  // A failure whose field is on the page is said there; here only that it was not saved.
  const [atField, setAtField] = useState(false)
  useLayoutEffect(() => {
    setAtField(failure !== null && body.current?.querySelector(AT_FIELD) != null)
  }, [failure, body])
  if (!draft.dirty && !draft.fresh && failure === null) return null
  return (
    <section
      aria-label={words.save.bar}
      className="appear flex flex-none flex-wrap items-center gap-x-3 gap-y-2 border-line border-t bg-raised px-4 py-2 max-wide:px-3"
    >
      <div className="min-w-0 flex-1 basis-60">
        {failure !== null ? (
          <p role="alert" className="flex items-start gap-2 text-danger">
            <CircleAlert className="icon mt-0.5" aria-hidden />
            <span className="min-w-0 break-words">
              {atField ? words.save.seeField : `${words.save.notSaved} ${failure.message}`}
            </span>
          </p>
        ) : (
          <p className="text-ink-soft">
            {draft.unreadable
              ? words.save.unreadable
              : draft.outdated
                ? words.save.outdated
                : draft.fresh
                  ? words.save.fresh
                  : words.save.dirty}
          </p>
        )}
      </div>
      <div className="ml-auto flex gap-2">
        {draft.dirty && (
          <Button onClick={draft.reset} disabled={draft.saving} className="max-wide:!h-10">
            {draft.outdated ? words.save.takeStored : words.save.discard}
          </Button>
        )}
        <Button
          kind="primary"
          busy={draft.saving}
          disabled={draft.unreadable}
          onClick={onSave}
          className="max-wide:!h-10"
        >
          {verb ?? shell.parts.save}
        </Button>
      </div>
    </section>
  )
}
