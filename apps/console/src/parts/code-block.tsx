/** Text that a machine reads: monospaced, scrolls by itself, can be copied. */
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { CopyButton } from './copy.tsx'

export interface CodeBlockProps {
  readonly text: string
  /** What it is, such as `YAML`: shown above, and read aloud. */
  readonly label: string
  readonly wrap?: boolean
  /** Tallest it gets before it scrolls; default 384 px. */
  readonly tall?: boolean
}

export function CodeBlock({ text, label, wrap = false, tall = false }: CodeBlockProps): ReactNode {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-ground-soft" aria-label={label}>
      <figcaption className="flex h-9 items-center border-line border-b pr-1 pl-3 font-medium text-ink-soft text-xs">
        <span className="flex-1">{label}</span>
        <CopyButton text={text} className="!h-7 !w-7" />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className={cx(
          'overflow-auto p-3 leading-[18px] focus-visible:outline-offset-[-2px]',
          wrap && 'whitespace-pre-wrap break-words',
          !tall && 'max-h-96',
        )}
      >
        <code>{text}</code>
      </pre>
    </figure>
  )
}
