/** What the event debugger sends: an event, who caused it, and what tools answer in the place of a platform. */
import type { Input } from '../../data/client.ts'
import type { TypedEvent } from '../../forms/event-form.tsx'
import type { Json } from '../../forms/json.ts'

/** How one tool answers: with this JSON, or by failing with this sentence. */
export interface ToolMock {
  readonly tool: string
  readonly answers: 'result' | 'error'
  readonly text: string
}

export interface DebugSetup {
  readonly actorId: string
  readonly actorName: string
  readonly mocks: readonly ToolMock[]
  readonly unsupported: readonly string[]
  readonly streaming: boolean
}

export const START: DebugSetup = {
  actorId: 'debug-user',
  actorName: '',
  mocks: [],
  unsupported: [],
  streaming: true,
}

/** What is wrong with a mock, by the field where it is to be mended. */
export interface MockFaults {
  readonly tool: 'no_name' | null
  readonly text: 'empty_result' | 'empty_error' | 'not_json' | null
}

/** Nothing typed is a fault too: a tool that has no name, or says nothing, would be left out without a word. */
export function mockFaults(mock: ToolMock): MockFaults {
  const empty = mock.text.trim() === ''
  return {
    tool: mock.tool.trim() === '' ? 'no_name' : null,
    text:
      mock.answers === 'error'
        ? empty
          ? 'empty_error'
          : null
        : empty
          ? 'empty_result'
          : resultOf(mock) === undefined
            ? 'not_json'
            : null,
  }
}

/** The JSON of a mock's result; undefined while it can't be read. */
export function resultOf({ text }: ToolMock): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null while a mock is not filled in, or can't be read. */
export function requestOf(
  processorId: string,
  botUuid: string | undefined,
  event: TypedEvent,
  setup: DebugSetup,
): Input<'debugEvent'>['body'] | null {
  const faults = setup.mocks.map(mockFaults)
  if (faults.some(({ tool, text }) => tool !== null || text !== null)) return null
  const mocks = setup.mocks.map((mock) => ({ ...mock, tool: mock.tool.trim() }))
  const results = mocks
    .filter(({ answers }) => answers === 'result')
    .map((mock) => [mock.tool, resultOf(mock)] as const)
  const errors = mocks.filter(({ answers }) => answers === 'error').map(({ tool, text }) => [tool, text] as const)
  return {
    processor_id: processorId,
    event_type: event.event_type,
    event: event.event,
    ...(botUuid === undefined ? {} : { bot_uuid: botUuid }),
    actor: {
      actor_type: 'user',
      actor_id: setup.actorId.trim() || START.actorId,
      actor_name: setup.actorName.trim() || null,
    },
    options: {
      results: Object.fromEntries(results.flatMap(([tool, result]) => (result === undefined ? [] : [[tool, result]]))),
      errors: Object.fromEntries(errors),
      unsupported_apis: setup.unsupported.map((api) => api.trim()).filter((api) => api !== ''),
      streaming: setup.streaming,
    },
  }
}
