/** What forms do without a browser: conditions, faults, secrets, YAML with the line of its fault, made-up events. */
import { expect, test } from 'vitest'
import { type EventType, eventItems, flatEvent, startEvent, withField } from './event-fields.ts'
import { configItems } from './items.ts'
import { sameJson } from './json.ts'
import { cleanValues, faultsOf, isDisabled, isShown, maskSecrets, startValues, unmaskSecrets } from './values.ts'
import { en } from './words/en.ts'
import { readSetupEntry, readSetupList, settingsYaml } from './yaml.ts'

const items = configItems(
  [
    { name: 'mode', type: 'select', label: { en_US: 'Mode', zh_Hans: '模式' }, default: 'off', options: [{ name: 'off' }, { name: 'on', label: { en_US: 'On' } }] },
    { name: 'limit', type: 'integer', label: {}, required: true, show_if: { field: 'mode', operator: 'eq', value: 'on' } },
    { name: 'key', type: 'secret', label: {}, disable_if: { field: 'mode', operator: 'in', value: ['off'] } },
    { name: 'odd', type: 'string', label: {}, show_if: { field: 'mode', operator: 'like', value: 'x' } },
    { type: 'string' },
  ],
  'zh-Hans',
) // biome-ignore format: a table

test('items carry texts in the language shown, else in English, else their name; one without a name is none', () => {
  expect(items.map(({ label }) => label)).toEqual(['模式', 'limit', 'key', 'odd'])
  expect(items[0]?.options).toEqual([
    { value: 'off', label: 'off' },
    { value: 'on', label: 'On' },
  ])
})

test('a condition hides, disables, or says nothing; what is hidden is not asked for', () => {
  const [, limit, key, odd] = items
  if (limit === undefined || key === undefined || odd === undefined) throw new Error('items are missing')
  const values = startValues(items)
  expect(values).toEqual({ mode: 'off' })
  expect([isShown(limit, values), isShown(odd, values), isDisabled(key, values)]).toEqual([false, true, true])
  expect(faultsOf(items, values, en.faults).size).toBe(0)
  const on = { mode: 'on', limit: '1.5', key: '' }
  expect(isDisabled(key, on)).toBe(false)
  expect(faultsOf(items, on, en.faults)).toEqual(
    new Map([
      ['limit', en.faults.notWhole],
      ['key', en.faults.newSecret],
    ]),
  )
  expect(faultsOf(items, { mode: 'on' }, en.faults).get('limit')).toBe(en.faults.needed)
  expect(cleanValues(items, { limit: '12', odd: ' a ', key: ' b ' })).toEqual({ limit: 12, odd: 'a', key: ' b ' })
})

test('YAML never has a secret, and gives it back untouched', () => {
  const typed = { mode: 'on', key: 'sk-typed' }
  expect(maskSecrets(items, typed)).toEqual({ mode: 'on', key: '(set)' })
  expect(unmaskSecrets(items, typed, { key: '(set)' })).toEqual({ key: 'sk-typed' })
  const codec = settingsYaml(items, en.yaml)
  expect(codec.write(typed)).not.toContain('sk-typed')
  expect(codec.read(codec.write(typed), typed)).toEqual({ ok: true, value: typed })
  expect(codec.read('mode: on\nkey: other\n', typed)).toMatchObject({ ok: true, value: { key: 'other' } })
})

test.each([
  ['agents:\n  - name: a\n    runner: r\n    colour: blue\n', 4, /no key “colour”/],
  ['agents:\n  - name: a\n    runner: [\n', 4, /./],
  ['agents:\n  - name: a\n', 2, /runner/],
  [`agents:\n  - name: a\n    runner: r\n    config:\n      key: \${KEY}\n`, 5, /runbound apply only/],
  ['agents: []\n', 1, /exactly one/],
  ['agents:\n  - { name: a, runner: r }\nbots: []\n', 3, /nothing beside/],
])('what apply would refuse is refused at its line: %j', (text, line, message) => {
  expect(readSetupEntry(text, 'agents', en.yaml)).toMatchObject({
    ok: false,
    line,
    message: expect.stringMatching(message),
  })
})

test('what a page refuses of an entry stands at its line too', () => {
  const text = 'routes:\n  - { bot: a, event: "*", discard: true }\n  - bot: b\n    event: "*"\n    discard: true\n'
  const refused = readSetupList(text, 'routes', en.yaml, () => ({ path: [1, 'bot'], message: 'another bot' }))
  expect(refused).toEqual({ ok: false, line: 3, message: 'another bot' })
  expect(readSetupList(text, 'routes', en.yaml)).toMatchObject({ ok: true, value: [{ bot: 'a' }, { bot: 'b' }] })
})

test('a made-up message is its text; other events show what their sample has', () => {
  const type: EventType = {
    event_type: 'message.received',
    sample: {
      type: 'message.received', timestamp: 1, chat_type: 'private', sender: { id: 'u', remark: null }, group: null,
      message_chain: [{ type: 'Source', id: 'm' }, { type: 'Plain', text: 'hello' }],
    }, // biome-ignore format: a table
    json_schema: { properties: { chat_type: { enum: ['private', 'group'] } } },
  }
  const { main, more } = eventItems(type, 'Text')
  expect(main.map(({ name }) => name)).toEqual(['message_chain'])
  expect(more.map(({ name, type: kind }) => `${name} ${kind}`)).toEqual([
    'chat_type select',
    'sender.id string',
    'sender.remark string',
    'group string',
  ])
  const event = startEvent(type)
  expect(flatEvent(event, main)).toEqual({ message_chain: 'hello' })
  expect(withField(withField(event, 'message_chain', 'bye'), 'sender.id', 'v')).toMatchObject({
    message_chain: [{ type: 'Source' }, { type: 'Plain', text: 'bye' }],
    sender: { id: 'v', remark: null },
  })
})

test('equal as JSON: the order of keys does not count, a missing key and undefined are the same, a list is no object', () => {
  expect(sameJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1, d: undefined })).toBe(true)
  expect(sameJson({ a: 1 }, { a: 1, b: null })).toBe(false)
  expect(sameJson([], {})).toBe(false)
})
