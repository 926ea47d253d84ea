/** Switching one thing: the default is written out, the rest stays as it is. */
import { expect, test } from 'vitest'
import { type GrantThing, switched } from './grant-switch.ts'

const yes = { says: 'yes', why: null } as const
const no = { says: 'no', why: 'It is not granted.' } as const
const thing = (grant: string, item: string | null, on: boolean): GrantThing => ({
  thing: `${grant}:${item}`,
  group: 'event_tools',
  label: item ?? grant,
  allowed: on,
  by: on ? null : 'operator',
  why: '',
  manifest: yes,
  operator: on ? yes : no,
  event: yes,
  platform: yes,
  actor: yes,
  switch: { grant, item },
})

test('what was left to its default is written out with the change', () => {
  const reply = thing('event_tools', 'event_reply', true)
  const kick = thing('event_tools', 'event_kick_member', false)
  expect(switched({}, [reply, kick], kick, true)).toEqual({ event_tools: ['event_reply', 'event_kick_member'] })
  expect(switched({}, [reply, kick], reply, false)).toEqual({ event_tools: [] })
  expect(switched({ event_tools: true }, [reply, { ...kick, operator: yes }], reply, false)).toEqual({
    event_tools: ['event_kick_member'],
  })
})

test('names that nothing explains now stay; other grants are not touched', () => {
  const found = thing('tools', 'acme/search', true)
  expect(switched({ tools: ['acme/search', 'gone/tool'], history: false }, [found], found, false)).toEqual({
    tools: ['gone/tool'],
    history: false,
  })
})

test('storage and plain switches; what has no switch of its own changes nothing', () => {
  const workspace = thing('storage', 'workspace', false)
  expect(switched({ storage: { plugin: true } }, [workspace], workspace, true)).toEqual({
    storage: { plugin: true, workspace: true },
  })
  const history = thing('history', null, true)
  expect(switched({}, [history], history, false)).toEqual({ history: false })
  const fixed = { ...history, switch: null }
  expect(switched({ prompt: true }, [fixed], fixed, false)).toEqual({ prompt: true })
})
