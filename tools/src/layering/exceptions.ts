/** Violations of the arrows that are allowed, each with its reason. Keep it empty if you can. */
import type { Exception } from './violation.ts'

export const LAYERING_EXCEPTIONS: readonly Exception[] = []
