/** The table of result kinds. */
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../limits.ts'
import type { Denial, RunGrant } from '../method.ts'
import { RESULT_TYPES } from '../names.ts'
import { RESULTS, resultRecord } from '../schemas.ts'

const denial: Denial = { reason: 'permission_denied', message: 'no' }

function grant(deny: string | null) {
  const asked: string[] = []
  const note = (what: string) => {
    asked.push(what)
    return what === deny ? denial : null
  }
  const given: RunGrant = {
    flag: (name) => note(`flag ${name}`),
    tool: (name) => note(`tool ${name}`),
    model: (id) => note(`model ${id}`),
    knowledgeBase: (id) => note(`base ${id}`),
    storage: (area) => note(`storage ${area}`),
    stateScope: (scope) => note(`scope ${scope}`),
    platform: ({ action }) => note(`platform ${action}`),
    interaction: () => note('interaction'),
  }
  return { asked, given }
}

describe('result kinds', () => {
  test('each documented type has its record, others have none', () => {
    expect(Object.keys(RESULTS)).toEqual([...RESULT_TYPES])
    for (const [type, record] of Object.entries(RESULTS)) {
      expect(record.type).toBe(type)
      for (const limit of record.limits) expect(LIMITS).toHaveProperty(limit)
    }
    expect(resultRecord('my.own')).toBeUndefined()
    expect(resultRecord('toString')).toBeUndefined()
  })
  test('exactly the two ends are terminal', () => {
    expect(
      Object.values(RESULTS)
        .filter(({ terminal }) => terminal)
        .map(({ type }) => type),
    ).toEqual(['run.completed', 'run.failed'])
  })
  test('every payload refuses a key that it does not know', () => {
    for (const { type, payload } of Object.values(RESULTS)) {
      const issues = payload.safeParse({ not_a_known_key: 1 }).error?.issues ?? []
      expect({ type, codes: issues.map(({ code }) => code) }).toMatchObject({
        codes: expect.arrayContaining(['unrecognized_keys']),
      })
    }
  })

  const state = { scope: 'actor', key: 'k', value: 1 } as const
  test.each(['flag state', 'scope actor'])('state.updated is refused without %s', (deny) => {
    expect(RESULTS['state.updated'].authorize({ grant: grant(null).given, payload: state })).toBeNull()
    expect(RESULTS['state.updated'].authorize({ grant: grant(deny).given, payload: state })).toBe(denial)
  })
  test('action.requested asks for the interaction grant only where an interaction is shown', () => {
    const { authorize } = RESULTS['action.requested']
    const shown = { action: 'interaction.requested', target: null, payload: {} }
    expect(authorize({ grant: grant(null).given, payload: shown })).toBeNull()
    expect(authorize({ grant: grant('interaction').given, payload: shown })).toBe(denial)
    expect(authorize({ grant: grant('interaction').given, payload: { ...shown, action: 'custom.action' } })).toBeNull()
  })
  test('files of a message need the box', () => {
    const { authorize, payload } = RESULTS['message.completed']
    const message = { role: 'assistant', content: 'hi' }
    const read = (ids: string[]) => payload.parse({ message, file_ids: ids })
    expect(authorize({ grant: grant('flag box').given, payload: read([]) })).toBeNull()
    expect(authorize({ grant: grant('flag box').given, payload: read(['f']) })).toBe(denial)
    expect(authorize({ grant: grant(null).given, payload: read(['f']) })).toBeNull()
    expect(payload.safeParse({ message, file_ids: Array.from({ length: 101 }, () => 'f') }).success).toBe(false)
  })
})
