/** Compares records and handlers before the host starts: what is said on the wire and what answers it are the same list. */
import type { FormName, MethodRecord } from '@runbound/protocol'
import type { HandlerTable } from './types.ts'

const FORMS: readonly FormName[] = ['run', 'query', 'installation']

/** One sentence per record without a handler and per handler without a record; empty when all is well. */
export function sealProblems(
  methods: Readonly<Record<string, MethodRecord>>,
  handlers: HandlerTable,
  elsewhere: readonly string[],
): readonly string[] {
  const problems: string[] = []
  for (const record of Object.values(methods)) {
    if (record.from !== 'plugin' || elsewhere.includes(record.name)) continue
    for (const form of FORMS) {
      if (record.forms[form] === undefined) continue
      if (handlers[record.name]?.[form] === undefined) problems.push(`${record.name} (${form}) has no handler`)
    }
  }
  for (const [name, forms] of Object.entries(handlers)) {
    for (const form of FORMS) {
      if (forms[form] === undefined) continue
      if (methods[name]?.forms[form] === undefined) problems.push(`a handler for ${name} (${form}) has no record`)
    }
  }
  return problems
}
