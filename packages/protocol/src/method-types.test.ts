/** Types read off the records: what these lines assign is the promise; tsc is the judge, the values are checked beside. */
import { expect, expectTypeOf, test } from 'vitest'
import type {
  FormsOf,
  HostResult,
  MessageChain,
  MessageChainInput,
  Params,
  ParamsInput,
  PlatformEventOf,
  Result,
  RunnerContext,
  RunnerContextInput,
} from './index.ts'
import { METHODS, MessageChainSchema, RunnerContextSchema } from './schemas.ts'

test('parameters and answers of a method', () => {
  expectTypeOf<FormsOf<'call_tool'>>().toEqualTypeOf<'run' | 'query'>()
  expectTypeOf<FormsOf<'history_page'>>().toEqualTypeOf<'run'>()
  expectTypeOf<Params<'history_page', 'run'>['limit']>().toEqualTypeOf<number>()
  expectTypeOf<Params<'history_page', 'run'>['before_cursor']>().toEqualTypeOf<string | null>()
  expectTypeOf<Params<'state_set', 'run'>['scope']>().toEqualTypeOf<'conversation' | 'actor' | 'subject' | 'runner'>()
  expectTypeOf<Result<'call_tool', 'run'>>().toHaveProperty('result')
  expectTypeOf<Result<'call_tool', 'query'>>().toHaveProperty('tool_response')
  expectTypeOf<HostResult<'emit_event'>['emitted']>().toEqualTypeOf<boolean>()

  const sent: ParamsInput<'history_page', 'run'> = { run_id: 'r' }
  expect(METHODS.history_page.forms.run.params.parse(sent).limit).toBe(50)
})

test('a writer leaves out what has a default, a reader has it all', () => {
  const written: MessageChainInput = [
    { type: 'Plain', text: 'hi' },
    { type: 'Image', url: 'https://e.org/a.png' },
  ]
  const read: MessageChain = MessageChainSchema.parse(written)
  expect(read).toEqual([
    { type: 'Plain', text: 'hi' },
    { type: 'Image', url: 'https://e.org/a.png', image_id: '', path: '', base64: '' },
  ])
  // @ts-expect-error a Plain needs its text
  const missing: MessageChainInput = [{ type: 'Plain' }]
  expect(MessageChainSchema.safeParse(missing).success).toBe(false)

  const context: RunnerContextInput = {
    run_id: 'r',
    trigger: { type: 'message.received' },
    event: { event_id: 'e', event_type: 'message.received', source: 'platform' },
    input: {},
    delivery: { surface: 'platform' },
    resources: {},
    runtime: {},
  }
  const filled: RunnerContext = RunnerContextSchema.parse(context)
  expect(filled.context.available_apis.history_page).toBe(false)
})

test('an event is known by its id', () => {
  expectTypeOf<PlatformEventOf<'group.member_joined'>['join_type']>().toEqualTypeOf<string | null>()
  expectTypeOf<PlatformEventOf<'interaction.submitted'>>().toEqualTypeOf<never>()
})
