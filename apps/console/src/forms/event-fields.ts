/** The fields of a made-up event, from the sample that the host has of its type. */
import type { Output } from '../data/client.ts'
import type { FormItem } from './items.ts'
import { isObject, type Json, type JsonObject, listOf } from './json.ts'

export type EventType = Output<'listEventTypes'>['items'][number]

/** What the host fills in itself. */
const BY_HOST = new Set([
  'instance_uuid', 'workspace_uuid', 'placement_generation', 'source_platform_object', 'timestamp', 'bot_uuid',
  'adapter_name', 'type',
]) // biome-ignore format: a list
const CHAINS = new Set(['message_chain', 'new_content'])

/** The sample without what the host fills in: where a made-up event begins. */
export function startEvent({ sample }: EventType): JsonObject {
  return Object.fromEntries(Object.entries(sample).filter(([key]) => !BY_HOST.has(key)))
}

/** Fields by dotted path; `more` are those that one seldom changes, such as what the sample leaves empty. */
export function eventItems(type: EventType, textLabel: string): { main: FormItem[]; more: FormItem[] } {
  const main: FormItem[] = []
  const more: FormItem[] = []
  for (const [key, value] of Object.entries(startEvent(type))) {
    if (isChain(key, value)) main.unshift(item(key, 'text', textLabel))
    else if (isObject(value)) {
      for (const [inner, leaf] of Object.entries(value)) {
        const one = item(`${key}.${inner}`, kindOf(leaf), `${key}.${inner}`, optionsAt(type.json_schema, [key, inner]))
        ;(leaf === null ? more : main).push(one)
      }
    } else {
      const one = item(key, kindOf(value), key, optionsAt(type.json_schema, [key]))
      ;(value === null ? more : main).push(one)
    }
  }
  // Of a message it is the text that one wants to change; all else has a sample that fits.
  const texts = main.filter(({ type: kind }) => kind === 'text')
  return texts.length === 0
    ? { main, more }
    : { main: texts, more: [...main.filter((one) => !texts.includes(one)), ...more] }
}

/** The event's values by the names of {@link eventItems}. */
export function flatEvent(event: JsonObject, items: readonly FormItem[]): JsonObject {
  return Object.fromEntries(
    items.map(({ name }) => {
      const value = at(event, name)
      return [name, isChain(name, value) ? chainText(value) : (value ?? null)]
    }),
  )
}

/** The event with one field changed. */
export function withField(event: JsonObject, name: string, value: Json): JsonObject {
  if (isChain(name, event[name])) return { ...event, [name]: withText(event[name] ?? [], value) }
  const [first = '', rest] = name.split('.', 2)
  if (rest === undefined) return { ...event, [first]: value }
  const inner = event[first]
  return { ...event, [first]: { ...(isObject(inner) ? inner : {}), [rest]: value } }
}

function at(event: JsonObject, name: string): Json | undefined {
  const [first = '', rest] = name.split('.', 2)
  const value = event[first]
  return rest === undefined ? value : isObject(value) ? value[rest] : undefined
}

/** A message chain that is only text, beside where it came from. */
function isChain(name: string, value: Json | undefined): boolean {
  return (
    CHAINS.has(name) &&
    Array.isArray(value) &&
    value.every((part) => isObject(part) && (part.type === 'Plain' || part.type === 'Source'))
  )
}

function chainText(chain: Json | undefined): string {
  return listOf(chain)
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('')
}

function withText(chain: Json, text: Json): Json {
  const source = listOf(chain).filter((part) => isObject(part) && part.type === 'Source')
  return [...source, { type: 'Plain', text: typeof text === 'string' ? text : '' }]
}

function kindOf(value: Json): string {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'float'
  return value === null || typeof value === 'string' ? 'string' : 'json'
}

function optionsAt(schema: JsonObject, path: readonly string[]): readonly string[] {
  let here: Json | undefined = schema
  for (const key of path) {
    const properties: Json | undefined = isObject(here) ? here.properties : undefined
    here = isObject(properties) ? properties[key] : undefined
  }
  return isObject(here) ? listOf(here.enum).filter((one) => typeof one === 'string') : []
}

function item(name: string, type: string, label: string, options: readonly string[] = []): FormItem {
  return {
    name,
    type: options.length > 0 ? 'select' : type,
    label,
    help: null,
    required: false,
    default: null,
    options: options.map((value) => ({ value, label: value })),
    allowCustom: false,
    showIf: null,
    disableIf: null,
    disabledWhy: null,
    url: null,
  }
}
