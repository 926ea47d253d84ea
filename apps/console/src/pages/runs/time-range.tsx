/** From and until as people write them, for the filter of time. */
import { type ReactNode, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { useWords } from '../../words/words.ts'
import { usePageWords } from './words/words.ts'

export interface TimeRangeProps {
  /** Epoch milliseconds. */
  readonly from: number | null
  readonly until: number | null
  readonly onRange: (from: number | null, until: number | null) => void
  readonly onClose: () => void
}

const MINUTE_MS = 60_000

export function TimeRange({ from, until, onRange, onClose }: TimeRangeProps): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const [begin, setBegin] = useState(() => written(from))
  const [end, setEnd] = useState(() => written(until))
  const isBackwards = begin !== '' && end !== '' && begin > end

  return (
    <Dialog
      title={words.filters.time}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{shell.parts.cancel}</Button>
          <Button
            kind="primary"
            disabled={isBackwards || (begin === '' && end === '')}
            onClick={() => {
              // The last minute is meant with all its seconds.
              onRange(read(begin), end === '' ? null : (read(end) ?? 0) + MINUTE_MS - 1)
              onClose()
            }}
          >
            {words.filters.show}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={words.filters.from}>
          {(control) => (
            <TextInput
              {...control}
              type="datetime-local"
              value={begin}
              onChange={(event) => setBegin(event.target.value)}
            />
          )}
        </Field>
        <Field label={words.filters.until} error={isBackwards ? words.filters.backwards : null}>
          {(control) => (
            <TextInput
              {...control}
              type="datetime-local"
              value={end}
              onChange={(event) => setEnd(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  )
}

/** In the zone of the browser, to the minute, as the field wants it. */
function written(at: number | null): string {
  if (at === null) return ''
  const here = new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS)
  return here.toISOString().slice(0, 16)
}

function read(text: string): number | null {
  return text === '' ? null : new Date(text).getTime()
}
