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

/** The JSON of a mock's result; undefined while it can't be read. */
export function resultOf({ text }: ToolMock): Json | undefined {
  try {
    return text.trim() === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null while something in it can't be read. */
export function requestOf(
  processorId: string,
  botUuid: string | undefined,
  event: TypedEvent,
  setup: DebugSetup,
): Input<'debugEvent'>['body'] | null {
  const mocks = setup.mocks.filter(({ tool }) => tool.trim() !== '')
  const results = mocks
    .filter(({ answers }) => answers === 'result')
    .map((mock) => [mock.tool, resultOf(mock)] as const)
  if (results.some(([, result]) => result === undefined)) return null
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
