/** Checks settings of a Runner or a plugin against their schema and fills in defaults (entities.md §1.6). Every fault names its field. */
import type { Condition, ConfigItem, Json, JsonObject } from '@runbound/protocol'
import { isJsonObject } from '@runbound/protocol/schemas'
import { HostError } from './errors.ts'

/** Keys that forms add beside the declared ones, and the Runner's own deadline. */
const BESIDE = ['timeout', 'enable-all-tools', 'mcp-resources', 'mcp-resource-agent-read-enabled']

/** Shown in a form, without a value. */
const SHOWN_ONLY = new Set(['webhook-url', 'embed-code', 'qr-code-login', 'download-link'])

type Check = (value: Json, item: ConfigItem) => string | null

const text: Check = (value) => (typeof value === 'string' ? null : 'expected text')
const number: Check = (value) => (typeof value === 'number' || typeof value === 'bigint' ? null : 'expected a number')
const boolean: Check = (value) => (typeof value === 'boolean' ? null : 'expected true or false')
const texts: Check = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? null : 'expected a list of texts'
const file: Check = (value) =>
  isJsonObject(value) && typeof value.file_key === 'string' ? null : 'expected an uploaded file: {file_key, mimetype}'
const files: Check = (value, item) =>
  Array.isArray(value) && value.every((entry) => file(entry, item) === null)
    ? null
    : 'expected a list of uploaded files'
const select: Check = (value, { options, allow_custom }) => {
  if (typeof value !== 'string') return 'expected text'
  const names = (options ?? []).map((option) => option.name)
  if (allow_custom || names.length === 0 || names.includes(value)) return null
  return `expected one of ${names.join(', ')}`
}
const models: Check = (value) =>
  typeof value === 'string' || (isJsonObject(value) && typeof value.primary === 'string')
    ? null
    : 'expected a model id or {primary, fallbacks}'
const prompt: Check = (value) =>
  Array.isArray(value) && value.every((entry) => isJsonObject(entry) && typeof entry.role === 'string')
    ? null
    : 'expected a list of {role, content}'

/** Any other type is kept as it is: public plugins use names of their own. */
const CHECKS: Readonly<Record<string, Check>> = {
  string: text,
  secret: text,
  text,
  integer: number,
  float: number,
  number,
  boolean,
  'array[string]': texts,
  select,
  file,
  'array[file]': files,
  'llm-model-selector': text,
  'select-llm-model': text,
  'embedding-model-selector': text,
  'rerank-model-selector': text,
  'model-fallback-selector': models,
  'knowledge-base-selector': text,
  'knowledge-base-multi-selector': texts,
  'select-knowledge-bases': texts,
  'bot-selector': text,
  'plugin-selector': text,
  'tools-selector': texts,
  'rich-tools-selector': texts,
  'resources-selector': texts,
  'prompt-editor': prompt,
}

/**
 * The settings with defaults filled in. Null and absent mean "not given". A Runner without a schema takes any settings.
 * Throws HostError `invalid_config` with `at` = `config.<field>`.
 */
export function configValues(schema: readonly ConfigItem[], given: JsonObject): JsonObject {
  if (schema.length === 0) return given
  const values: Record<string, Json> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!schema.some((item) => item.name === name) && !BESIDE.includes(name)) {
      throw fault(name, 'there is no such setting', schema)
    }
    if (value !== undefined) values[name] = value
  }
  for (const item of schema) {
    const value = values[item.name] ?? item.default
    if (value !== null && value !== undefined) values[item.name] = value
  }
  for (const item of schema) {
    if (isShownOnly(item) || isHidden(item, values)) continue
    const value = values[item.name] ?? null
    if (value === null) {
      if (item.required) throw fault(item.name, 'it is required', schema)
      continue
    }
    const problem = CHECKS[item.type]?.(value, item) ?? null
    if (problem !== null) throw fault(item.name, problem, schema)
    if (item.required && isEmpty(value)) throw fault(item.name, 'it is required and must not be empty', schema)
  }
  return values
}

function isShownOnly({ type }: ConfigItem): boolean {
  return SHOWN_ONLY.has(type) || type.startsWith('__system.')
}

/** A hidden field keeps its value and is not checked. An operator that is not known never hides. */
function isHidden({ show_if }: ConfigItem, values: Readonly<Record<string, Json>>): boolean {
  if (show_if === undefined || show_if.field.startsWith('__system.')) return false
  return !holds(show_if, values[show_if.field] ?? null)
}

function holds({ operator, value = null }: Condition, actual: Json): boolean {
  switch (operator) {
    case 'eq':
      return actual === value
    case 'neq':
      return actual !== value
    case 'in':
      return !Array.isArray(value) || value.includes(actual)
    default:
      return true
  }
}

function isEmpty(value: Json): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

function fault(name: string, problem: string, schema: readonly ConfigItem[]): HostError {
  const label = schema.find((item) => item.name === name)?.label.en_US
  const shown = label === undefined ? `"${name}"` : `"${label}" (${name})`
  return new HostError('invalid_config', `The setting ${shown}: ${problem}.`, { at: `config.${name}` })
}
