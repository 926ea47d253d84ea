/** Violations of the arrows that are allowed, each with its reason. Keep it empty if you can. */
import type { Exception } from './violation.ts'

export const LAYERING_EXCEPTIONS: readonly Exception[] = [
  {
    file: 'tools/src/requirements-reporter.ts',
    rule: 'default export',
    why: 'vitest takes reporters by default export',
  },
]
