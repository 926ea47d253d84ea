/** Keeps a stream of frames alive while its model is silent: the SDK gives up after 15 s without a frame (wire.md §5.3). */
import type { JsonObject } from '@runbound/protocol'

/** Passes the frames on, with `{usage: null}` after each `ms` of silence: a frame that carries nothing. */
export async function* keepAlive(frames: AsyncIterable<JsonObject>, ms: number): AsyncGenerator<JsonObject> {
  const iterator = frames[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = iterator.next()
      for (;;) {
        const result = await orSilence(next, ms)
        if (result === null) {
          yield { usage: null }
          continue
        }
        if (result.done === true) return
        yield result.value
        break
      }
    }
  } finally {
    await iterator.return?.()
  }
}

async function orSilence<T>(next: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  try {
    return await Promise.race([next, silence])
  } finally {
    clearTimeout(timer)
  }
}
