/** What a house check found: where, which rule, and what to do about it. */

export interface Violation {
  readonly file: string
  /** From 1; 0 when the whole file or folder is meant. */
  readonly line: number
  readonly rule: string
  readonly says: string
}

/** `file:line  rule: sentence`, so that an editor can jump there. */
export function violationText({ file, line, rule, says }: Violation): string {
  return `${line > 0 ? `${file}:${line}` : file}  ${rule}: ${says}`
}

/** A violation that is allowed for a reason; one that no longer happens is itself an error. */
export interface Exception {
  readonly file: string
  readonly rule: string
  readonly why: string
}

/** What is left after the exceptions, plus a violation for each exception that excuses nothing any more. */
export function withoutExceptions(found: readonly Violation[], exceptions: readonly Exception[]): Violation[] {
  const excuses = (exception: Exception, item: Violation) =>
    exception.file === item.file && exception.rule === item.rule
  const left = found.filter((item) => !exceptions.some((exception) => excuses(exception, item)))
  const stale = exceptions.filter((exception) => !found.some((item) => excuses(exception, item)))
  return [
    ...left,
    ...stale.map((exception) => ({
      file: exception.file,
      line: 0,
      rule: 'stale exception',
      says: `"${exception.rule}" is no longer broken here; take the exception off the list.`,
    })),
  ]
}
