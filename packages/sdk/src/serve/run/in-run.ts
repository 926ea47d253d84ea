/** For tests: one call inside a run, and rows that say what a call sends and gives. */
import { formOf, METHODS } from '@runbound/protocol/schemas'
import { expect } from 'vitest'
import { type Answer, type Asked, fakeHost, flags, granted } from '../../fake-host.ts'
import { defineRunner, type FullRunnerContext, type JsonObject } from '../../index.ts'

/** What a call sends, what the host answers, and what the author gets. */
export interface Case {
  readonly does: string
  readonly call: (ctx: FullRunnerContext) => unknown
  readonly action: string
  readonly data: JsonObject
  readonly answer: JsonObject
  readonly gives: unknown
}

/** What came of a call in a run. */
export interface InRun<T> {
  readonly value: T
  readonly asked: readonly Asked[]
}

/** Runs one call inside a run. Every request is checked against the method's own record. */
export async function inRun<T>(
  call: (ctx: FullRunnerContext) => Promise<T> | T,
  answers: Readonly<Record<string, Answer>>,
): Promise<InRun<T>> {
  let value: { given: T } | undefined
  const runner = defineRunner({
    name: 'r',
    usages: ['agent'],
    async run(ctx) {
      value = { given: await call(ctx as FullRunnerContext) }
    },
  })
  const host = await fakeHost(runner, { answers, settings: { key: 'k', list: [1] } })
  try {
    const results = await host.run({ context: { available_apis: flags() }, resources: granted() })
    const failed = results.find(({ type }) => type === 'run.failed')
    if (failed !== undefined)
      throw new Error(`${String(failed.data.error)} after ${host.asked.map(({ action }) => action).join(', ')}`)
    for (const { action, data } of host.asked) {
      const { forms } = METHODS[action as keyof typeof METHODS]
      const form: unknown = Reflect.get(forms, formOf(data))
      const { params } = form as { params: { parse(value: unknown): unknown } }
      params.parse(data)
    }
    if (value === undefined) throw new Error('the runner did not run')
    return { value: value.given, asked: host.asked }
  } finally {
    await host.close()
  }
}

/** Expects a row to hold. */
export async function expectCase({ call, action, data, answer, gives }: Case): Promise<void> {
  const { value, asked } = await inRun(call, { [action]: () => answer })
  expect(value).toEqual(gives)
  expect(asked).toEqual([{ action, data: { run_id: 'run-1', ...data } }])
}
