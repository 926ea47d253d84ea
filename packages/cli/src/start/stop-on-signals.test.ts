/** Signals: one Ctrl-C that three programs pass on is one; the next interrupts. */
import { expect, test, vi } from 'vitest'
import { stopOnSignals } from './stop-on-signals.ts'

function fakeHost() {
  const stopped = Promise.withResolvers<void>()
  const cancel = vi.fn(async (_run: string) => true)
  const stop = vi.fn(() => stopped.promise)
  return { stopped, cancel, stop, host: { runs: { running: () => ['r1', 'r2'], cancel }, stop } }
}

test('the first signal drains, its echoes count as the same one, a later one interrupts', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { host, stop, cancel, stopped } = fakeHost()
  const notes: string[] = []
  const begin = vi.fn()
  const ended = stopOnSignals(host, { drainMs: 5_000, begin, note: (text) => notes.push(text) })
  process.emit('SIGINT', 'SIGINT')
  process.emit('SIGINT', 'SIGINT')
  process.emit('SIGTERM', 'SIGTERM')
  expect(stop).toHaveBeenCalledExactlyOnceWith({ drainMs: 5_000 })
  expect(begin).toHaveBeenCalledTimes(1)
  expect(cancel).not.toHaveBeenCalled()
  vi.advanceTimersByTime(600)
  process.emit('SIGINT', 'SIGINT')
  expect(cancel.mock.calls.map(([run]) => run)).toEqual(['r1', 'r2'])
  stopped.resolve()
  await ended
  expect(notes).toEqual([
    'SIGINT: draining, 2 runs may take up to 5 s. Again to interrupt.',
    'Interrupting what still runs.',
    'Stopped.',
  ])
  expect(process.listenerCount('SIGINT')).toBe(0)
  vi.useRealTimers()
})
