/** Turns the options of a field into the configuration item that manifests carry. */
import type { Json, JsonObject } from '@runbound/protocol'
import { SdkError } from '../errors.ts'
import { localised } from '../text.ts'
import type { Fields } from './field.ts'

// One fixed order of keys, so that equal declarations give equal manifests.
const KEYS = [
  'label',
  'description',
  'required',
  'default',
  'options',
  'allow_custom',
  'show_if',
  'disable_if',
  'disabled_tooltip',
  'accept',
  'scopes',
  'url',
  'download_filename',
  'login_platform',
  'help_links',
  'help_label',
] as const

const LOCALISED: ReadonlySet<string> = new Set(['label', 'description', 'disabled_tooltip', 'help_label'])

/** Gives the item without its name. Throws SdkError `invalid_definition` for an option that no field has. */
export function fieldItem(type: string, options: object): JsonObject {
  const given = new Map<string, unknown>(Object.entries(options))
  const item: Record<string, Json | undefined> = { type }
  for (const key of KEYS) {
    const value = given.get(key)
    given.delete(key)
    if (value === undefined) continue
    item[key] = key === 'options' ? choices(value) : LOCALISED.has(key) ? localised(value as string) : (value as Json)
  }
  const [unknown] = given.keys()
  if (unknown !== undefined) {
    throw new SdkError(
      'invalid_definition',
      `A ${type} field has no option "${unknown}". Options are: ${KEYS.join(', ')}.`,
    )
  }
  return item
}

function choices(value: unknown): Json {
  const list = Array.isArray(value) ? value : []
  return list.map((choice: string | { name: string; label?: string }) =>
    typeof choice === 'string'
      ? { name: choice, label: localised(choice) }
      : { name: choice.name, label: localised(choice.label ?? choice.name) },
  )
}

/**
 * Gives the items of a form, in order of declaration, and checks that conditions name fields of the same form.
 * Throws SdkError `invalid_definition`.
 */
export function configItems(fields: Fields, owner: string): readonly JsonObject[] {
  return Object.entries(fields).map(([name, { type, item }]) => {
    for (const key of ['show_if', 'disable_if'] as const) checkCondition(item[key], { fields, owner, name, key })
    const { type: _type, ...rest } = item
    return { type, name, label: localised(name), ...rest }
  })
}

function checkCondition(
  condition: Json | undefined,
  at: { readonly fields: Fields; readonly owner: string; readonly name: string; readonly key: string },
): void {
  if (condition === undefined) return
  const target =
    typeof condition === 'object' && condition !== null && 'field' in condition ? condition.field : undefined
  if (typeof target === 'string' && (target.startsWith('__system.') || Object.hasOwn(at.fields, target))) return
  throw new SdkError(
    'invalid_definition',
    `${at.owner}: ${at.key} of the field "${at.name}" names "${String(target)}", which is no field of this form. Its fields are: ${Object.keys(at.fields).join(', ')}.`,
  )
}
