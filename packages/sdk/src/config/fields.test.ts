/** There is a maker for every documented field type, and what it makes fits the documented item. */
import { CONFIG_ITEM_TYPES } from '@runbound/protocol'
import { ConfigItemSchema } from '@runbound/protocol/schemas'
import { expect, test } from 'vitest'
import { type Field, field } from '../index.ts'
import { configItems } from './item.ts'

/** Other spellings of a type that has a maker under its first name. */
const ALIASES = ['number', 'select-llm-model', 'select-knowledge-bases']

// One call shape for all makers: only `select` needs options, the others take them or ignore the type here.
const makers = Object.values(field) as unknown as readonly ((options: object) => Field<unknown>)[]
const made = makers.map((make) => make({ options: ['a'] }))

test('one maker per type', () => {
  expect(made.map(({ type }) => type).sort()).toEqual(
    CONFIG_ITEM_TYPES.filter((type) => !ALIASES.includes(type)).sort(),
  )
})

test('items fit the schema and carry type, name and label first', () => {
  for (const one of made) {
    const [item] = configItems({ n: one }, 'test')
    expect(Object.keys(item ?? {}).slice(0, 3)).toEqual(['type', 'name', 'label'])
    ConfigItemSchema.parse(item)
  }
})

test('a system value may stand in a condition', () => {
  const condition = { field: '__system.cloud', operator: 'eq', value: true } as const
  expect(configItems({ a: field.string({ show_if: condition }) }, 'test')).toMatchObject([{ show_if: condition }])
})
