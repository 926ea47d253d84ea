/** A list and what is chosen in it. Wide: side by side, the border can be moved. Phone: one of them, by what is chosen. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { cx } from './class-names.ts'

const STEP = 16

export interface SplitPaneProps {
  /** Under this name the width is kept in the browser. */
  readonly name: string
  readonly list: ReactNode
  readonly detail: ReactNode
  /** On a phone the detail covers the list. */
  readonly showsDetail: boolean
  /** What the movable border parts, read aloud. */
  readonly label: string
  readonly width?: number
  readonly min?: number
  readonly max?: number
}

export function SplitPane({
  name,
  list,
  detail,
  showsDetail,
  label,
  width = 320,
  min = 240,
  max = 560,
}: SplitPaneProps): ReactNode {
  const key = `runbound-split ${name}`
  const [size, setSize] = useState(() => within(Number(read(key) ?? width) || width))

  function within(value: number): number {
    return Math.min(max, Math.max(min, value))
  }
  function change(value: number): void {
    const next = within(value)
    setSize(next)
    try {
      localStorage.setItem(key, String(next))
    } catch {
      // Without storage the width lasts until the page is left.
    }
  }
  function drag(event: PointerEvent<HTMLDivElement>): void {
    const [from, before] = [event.clientX, size]
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const moved = (at: globalThis.PointerEvent): void => change(before + at.clientX - from)
    handle.addEventListener('pointermove', moved)
    // Capture ends with the button, and when the system takes the pointer away.
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', moved), {
      once: true,
    })
  }
  function move(event: KeyboardEvent): void {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (step === undefined) return
    event.preventDefault()
    change(size + step)
  }

  return (
    <div className="flex min-h-0 flex-1">
      <div
        className={cx('flex min-h-0 flex-none flex-col max-wide:!w-full', showsDetail && 'max-wide:hidden')}
        style={{ width: size }}
      >
        {list}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: an <hr> can't be moved */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={size}
        aria-valuemin={min}
        aria-valuemax={max}
        tabIndex={0}
        onPointerDown={drag}
        onKeyDown={move}
        className="quick relative w-px flex-none cursor-col-resize touch-none bg-line after:absolute after:inset-y-0 after:-left-1 after:w-2 hover:bg-accent focus-visible:bg-accent max-wide:hidden"
      />
      <div className={cx('flex min-h-0 min-w-0 flex-1 flex-col', !showsDetail && 'max-wide:hidden')}>{detail}</div>
    </div>
  )
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
