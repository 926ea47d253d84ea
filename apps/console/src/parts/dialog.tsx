/** Dialogs on the browser's own `<dialog>`: focus stays inside, Escape closes, and the page behind can't be reached. */
import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useWords } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { cx } from './class-names.ts'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** `side` is a sheet at the right edge; on phones every dialog is a sheet at the bottom. */
  readonly shape?: 'middle' | 'side'
  readonly wide?: boolean
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** Open while it is rendered. */
export function Dialog({ title, onClose, shape = 'middle', wide = false, footer, children }: DialogProps): ReactNode {
  const words = useWords()
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before the page is painted, and closed while it still stands in the page: the focus goes back to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog !== null && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes, as Escape does
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={cx(
        'appear fixed flex-col overflow-hidden border border-line bg-raised p-0 text-ink shadow-raised open:flex',
        'max-wide:inset-x-0 max-wide:top-auto max-wide:bottom-0 max-wide:m-0 max-wide:max-h-[88dvh] max-wide:w-full max-wide:max-w-none max-wide:rounded-t-xl',
        shape === 'middle'
          ? cx(
              'wide:m-auto wide:max-h-[min(80dvh,720px)] wide:rounded-xl',
              wide ? 'wide:w-[min(720px,92vw)]' : 'wide:w-[min(480px,92vw)]',
            )
          : 'wide:inset-y-0 wide:right-0 wide:left-auto wide:m-0 wide:h-dvh wide:max-h-none wide:w-[min(560px,92vw)]',
      )}
    >
      <header className="flex h-12 flex-none items-center gap-2 border-line border-b pr-2 pl-4">
        <h2 id={id} className="min-w-0 flex-1 truncate font-semibold">
          {title}
        </h2>
        <IconButton icon={X} label={words.parts.close} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
      {footer !== undefined && (
        <footer className="flex flex-none justify-end gap-2 border-line border-t px-4 py-3">{footer}</footer>
      )}
    </dialog>
  )
}

export interface ConfirmProps {
  /** Asks, and names the object: “Remove bot “Web chat”?” */
  readonly title: string
  /** What will be gone. */
  readonly children: ReactNode
  /** The verb of the button: “Remove”. */
  readonly verb: string
  readonly danger?: boolean
  readonly busy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** A dangerous step asks once; the safe way out has the focus. */
export function Confirm({
  title,
  children,
  verb,
  danger = true,
  busy = false,
  onConfirm,
  onClose,
}: ConfirmProps): ReactNode {
  const words = useWords()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            {words.parts.cancel}
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
