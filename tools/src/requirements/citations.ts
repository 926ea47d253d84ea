/** Reads which ids a test cites: `[runner.reply] [D29] sends to the chat of the event`, on the test or a group around it. */
import { LANGUAGES, type Language, type Requirement } from './ids.ts'

/** What one test cites. `unknown` are ids that nothing has: typos. */
export interface Citations {
  readonly language: Language
  readonly requirements: readonly string[]
  readonly reports: readonly string[]
  readonly unknown: readonly string[]
}

/** What looks like an id or a language; other words in brackets, such as the values of a table of cases, are just text. */
const LEADING = /^\s*\[([A-Za-z][\w-]*(?:\.[\w-]+)+|[Dd]\d+|py|ts)\]/

/** The ids and languages that a title begins with, each in brackets. */
export function leadingMarks(title: string): string[] {
  const marks: string[] = []
  let rest = title
  for (let match = LEADING.exec(rest); match !== null; match = LEADING.exec(rest)) {
    marks.push(match[1] ?? '')
    rest = rest.slice(match[0].length)
  }
  return marks
}

/**
 * Citations of a test from its own title and those of its groups. `[py]` marks a run in Python; without it, it is
 * TypeScript. An id whose promise is not made for that language is unknown there.
 */
export function citationsOf(
  titles: readonly string[],
  known: { readonly requirements: ReadonlyMap<string, Requirement>; readonly reports: ReadonlySet<string> },
): Citations {
  const marks = titles.flatMap(leadingMarks)
  const language = marks.includes('py') ? 'py' : 'ts'
  const requirements = new Set<string>()
  const reports = new Set<string>()
  const unknown = new Set<string>()
  for (const mark of marks) {
    if ((LANGUAGES as readonly string[]).includes(mark)) continue
    if (known.requirements.get(mark)?.languages.includes(language)) requirements.add(mark)
    else if (known.reports.has(mark)) reports.add(mark)
    else unknown.add(mark)
  }
  return { language, requirements: [...requirements], reports: [...reports], unknown: [...unknown] }
}
