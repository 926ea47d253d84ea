/** Defaults of every receive limit (wire.md §1.1, §1.8, §2.1) and how a caller's own values are merged. */
import { LinkError } from './errors.ts'
import type { LinkLimits } from './types.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** The default of each limit; bytes are UTF-8. See {@link LinkLimits} for what each one bounds. */
export const DEFAULT_LIMITS: LinkLimits = Object.freeze({
  messageBytes: 16 * MIB,
  lineBytes: 16 * MIB + 64 * KIB,
  depth: 128,
  digits: 1024,
  chunkLines: 4096,
  requests: 128,
  streamFrames: 128,
  frameBytes: MIB,
  streamBytes: 8 * MIB,
  files: 128,
  fileBytes: 64 * MIB,
  filesBytes: 256 * MIB,
  noiseBytes: 8 * KIB,
  queueBytes: 64 * MIB,
})

/**
 * The defaults with the given values in their place.
 * Throws LinkError `invalid` for a value that is no whole number above 0.
 */
export function resolveLimits(own: Partial<LinkLimits> = {}): LinkLimits {
  const limits = { ...DEFAULT_LIMITS, ...own }
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new LinkError('invalid', `The limit ${name} must be a whole number above 0, not ${String(value)}.`)
    }
  }
  return limits
}
