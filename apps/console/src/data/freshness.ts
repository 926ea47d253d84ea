/**
 * Reads again what live changes make old. Changes of a quarter second are taken together, and the next are taken only once
 * the answers are here: a busy host is asked as fast as it answers, and no faster.
 */
import { onChange, onReopened } from './live.ts'
import { concerns, madeOld, type Old } from './made-old.ts'
import { queryClient } from './queries.ts'

const TOGETHER_MS = 250

/** Starts looking; returns what ends it. */
export function keepFresh(): () => void {
  const waiting = new Map<string, Old>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let reading = false

  async function flush(): Promise<void> {
    timer = undefined
    reading = true
    const all = [...waiting.values()]
    waiting.clear()
    await Promise.allSettled(
      all.map(({ name, about }) =>
        queryClient.invalidateQueries({ queryKey: [name], predicate: ({ queryKey }) => concerns(queryKey[1], about) }),
      ),
    )
    reading = false
    if (waiting.size > 0) timer = setTimeout(() => void flush(), TOGETHER_MS)
  }
  const offChange = onChange((change) => {
    for (const old of madeOld(change)) waiting.set(`${old.name} ${old.about?.value ?? ''}`, old)
    if (!reading && waiting.size > 0) timer ??= setTimeout(() => void flush(), TOGETHER_MS)
  })
  const offReopened = onReopened(() => void queryClient.invalidateQueries())
  return () => {
    offChange()
    offReopened()
    clearTimeout(timer)
  }
}
