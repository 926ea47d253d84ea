/** Received files in memory: the default store, bounded by the peer's file limits. */
import type { FileStore } from '../types.ts'

/** Makes a store that keeps files in memory until they are taken. */
export function memoryFiles(): FileStore {
  const files = new Map<string, Uint8Array[]>()
  return {
    append(key, bytes) {
      const pieces = files.get(key)
      if (pieces === undefined) files.set(key, [bytes])
      else pieces.push(bytes)
    },
    async take(key) {
      const pieces = files.get(key) ?? []
      files.delete(key)
      return joined(pieces)
    },
    clear() {
      files.clear()
    },
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
