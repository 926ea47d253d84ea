/** The promises of the specification and the ids of users' reports: what a test's title may cite. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources/tree.ts'

/** Parts of the work, in the order in which they are built. */
export const PARTS = ['spine', 'bound', 'python', 'pipelines', 'models', 'knowledge', 'box', 'pages'] as const
export type Part = (typeof PARTS)[number]

export const LANGUAGES = ['ts', 'py'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Parts that stand: from then on an id of theirs without a passing test fails `npm test`. In Python an id is due when its
 * own part and `python` both stand.
 */
export const BUILT_PARTS: readonly Part[] = ['spine']

/** One promise, as `requirements.json` has it. */
export interface Requirement {
  readonly id: string
  readonly area: string
  readonly says: string
  readonly source: string
  readonly languages: readonly Language[]
  readonly since: Part
}

export const REQUIREMENTS_FILE = join(ROOT, 'tools/requirements.json')
export const REPORTS_FILE = join(ROOT, 'tools/report-ids.json')

/** All promises by id. */
export function readRequirements(): Map<string, Requirement> {
  const list: readonly Requirement[] = JSON.parse(readFileSync(REQUIREMENTS_FILE, 'utf8'))
  return new Map(list.map((requirement) => [requirement.id, requirement]))
}

/** The ids of users' reports, such as `D29`. */
export function readReportIds(): Set<string> {
  const list: readonly string[] = JSON.parse(readFileSync(REPORTS_FILE, 'utf8'))
  return new Set(list)
}

/** True for the name of a part. */
export function isPart(name: string): name is Part {
  return (PARTS as readonly string[]).includes(name)
}
