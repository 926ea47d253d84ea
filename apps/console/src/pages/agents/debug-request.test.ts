import { expect, test } from 'vitest'
import { mockFaults, requestOf, START, type ToolMock } from './debug-request.ts'

const EVENT = { event_type: 'message.received', event: {} }
const sent = (...mocks: ToolMock[]) => requestOf('p', undefined, EVENT, { ...START, mocks })

test.each([
  [
    { tool: ' ', answers: 'result', text: '1' },
    { tool: 'no_name', text: null },
  ],
  [
    { tool: 'sky', answers: 'result', text: ' ' },
    { tool: null, text: 'empty_result' },
  ],
  [
    { tool: 'sky', answers: 'result', text: '{' },
    { tool: null, text: 'not_json' },
  ],
  [
    { tool: 'sky', answers: 'error', text: '' },
    { tool: null, text: 'empty_error' },
  ],
] as const)('%j is refused at its field and never sent', (mock, faults) => {
  expect(mockFaults(mock)).toEqual(faults)
  expect(sent({ tool: 'sky', answers: 'result', text: '1' }, mock)).toBeNull()
})

test('what is filled in is sent, null as the result of a tool that gives nothing', () => {
  const request = sent(
    { tool: ' sky ', answers: 'result', text: 'null' },
    { tool: 'sea', answers: 'error', text: 'No.' },
  )
  expect(request?.options).toMatchObject({ results: { sky: null }, errors: { sea: 'No.' } })
})
