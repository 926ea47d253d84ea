/** What real Python plugins and hosts said to each other, recorded, fits the records: parameters and answers, both ways. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AnyForm, MethodRecord } from '../method.ts'
import { formOf, HOST_METHODS, isJsonObject, isMethod, issuesText, METHODS } from '../schemas.ts'

interface Recorded {
  readonly recording: string
  readonly from: 'plugin' | 'host'
  readonly action: string
  readonly data: Readonly<Record<string, unknown>>
  readonly answers: readonly unknown[]
}

const file = join(import.meta.dirname, '../../fixtures/recordings.json')
const calls: Recorded[] = JSON.parse(readFileSync(file, 'utf8'))
const hostMethods: Readonly<Record<string, MethodRecord>> = HOST_METHODS

function formRecord(call: Recorded): AnyForm {
  const record: MethodRecord | undefined =
    call.from === 'host' ? hostMethods[call.action] : isMethod(call.action) ? METHODS[call.action] : undefined
  const form = record?.forms[call.from === 'host' ? 'installation' : formOf(call.data)]
  if (form === undefined) throw new Error(`No record for ${call.action} as ${formOf(call.data)}`)
  return form
}

/** Recorded on purpose or by a fault of the reference: each must *not* fit, so that the list stays true. */
const UNFIT: readonly { readonly why: string; readonly is: (call: Recorded) => boolean }[] = [
  { why: 'a page call without a page', is: ({ action, data }) => action === 'page_api' && data.page_id === undefined },
  {
    why: 'the reference answered a tool call of a run with a list or text, which breaks its own SDK (wire.md §6.5)',
    is: ({ action, data, answers }) =>
      action === 'call_tool' &&
      formOf(data) === 'run' &&
      answers.some((answer) => isJsonObject(answer) && !isJsonObject(answer.result)),
  },
]
const unfit = (call: Recorded) => UNFIT.some(({ is }) => is(call))

describe('recorded calls', () => {
  test.each(calls.filter(unfit))('$from $action in $recording is unfit', (call) => {
    const form = formRecord(call)
    const fits = [form.params.safeParse(call.data), ...call.answers.map((answer) => form.result.safeParse(answer))]
    expect(fits.every(({ success }) => success)).toBe(false)
  })

  test.each(calls.filter((call) => !unfit(call)))('$from $action in $recording', (call) => {
    const form = formRecord(call)
    const params = form.params.safeParse(call.data)
    expect(params.success ? '' : issuesText(params.error)).toBe('')
    // Reading must not lose what a caller gave: every key that was sent with a value is still there.
    const sent = Object.keys(call.data).filter((key) => call.data[key] !== null)
    if (isJsonObject(params.data)) expect(Object.keys(params.data)).toEqual(expect.arrayContaining(sent))
    for (const answer of call.answers) {
      const result = form.result.safeParse(answer)
      expect(result.success ? '' : issuesText(result.error)).toBe('')
    }
  })

  test('every method of a plugin was recorded, but those that no recording plugin uses', () => {
    const recorded = new Set(calls.filter(({ from }) => from === 'plugin').map(({ action }) => action))
    expect(Object.keys(METHODS).filter((name) => !recorded.has(name))).toEqual([])
  })
})
