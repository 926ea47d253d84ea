/** Turns what zod found into one sentence for an error answer. */
import type { z } from 'zod'

/** At most three problems are named: an author fixes one at a time, and the text travels in an error of bounded size. */
const NAMED = 3

type Issue = z.core.$ZodIssue

/** A union is refused with one list of issues for each option; the option that got furthest is the one that was meant. */
function leaf(issue: Issue, path: PropertyKey[] = []): { path: PropertyKey[]; message: string } {
  const here = [...path, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const best = issue.errors.toSorted((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0]?.[0]
    if (best !== undefined && best.path.length > 0) return leaf(best, here)
  }
  return { path: here, message: issue.message }
}

/**
 * One sentence on what does not fit, with the place of each fault.
 *
 * @example
 * issuesText(parsed.error) // 'limit: Too small: expected number to be >=1'
 */
export function issuesText(error: { readonly issues: readonly Issue[] }): string {
  const named = error.issues.slice(0, NAMED).map((issue) => {
    const { path, message } = leaf(issue)
    return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
  })
  const more = error.issues.length - named.length
  return more > 0 ? `${named.join('; ')}; and ${more} more` : named.join('; ')
}
