/** The fields of a form, read from what Runners, plugins and platforms declare; texts in the language shown. */
import type { Output } from '../data/client.ts'
import type { Language } from '../words/languages.ts'
import { isObject, type Json, type JsonObject, listOf } from './json.ts'

/** `show_if` and `disable_if`: another field of the same form compared with a value. */
export interface Condition {
  readonly field: string
  readonly operator: string
  readonly value: Json
}

export interface FormOption {
  readonly value: string
  readonly label: string
}

/** One field. `type` is the documented name; what is not known is edited as text or JSON. */
export interface FormItem {
  readonly name: string
  readonly type: string
  readonly label: string
  readonly help: string | null
  readonly required: boolean
  readonly default: Json
  readonly options: readonly FormOption[]
  /** A select that also takes free text. */
  readonly allowCustom: boolean
  readonly showIf: Condition | null
  readonly disableIf: Condition | null
  readonly disabledWhy: string | null
  /** Of display-only fields. */
  readonly url: string | null
}

/** Shown, without a value of their own. */
const SHOWN_ONLY = new Set(['webhook-url', 'embed-code', 'qr-code-login', 'download-link'])
/** Keys of locale maps by the language shown, best first. */
const LOCALES: Readonly<Record<Language, readonly string[]>> = {
  en: ['en_US'],
  'zh-Hans': ['zh_Hans', 'zh_CN', 'en_US'],
  ja: ['ja_JP', 'en_US'],
}

/** Display-only: nothing of it is saved. */
export function isShownOnly({ type }: FormItem): boolean {
  return SHOWN_ONLY.has(type) || type.startsWith('__system.')
}

/** From documented config items; what has no name is left out. */
export function configItems(schema: readonly JsonObject[], language: Language): readonly FormItem[] {
  return schema.flatMap((item) => {
    const { name, type } = item
    if (typeof name !== 'string' || typeof type !== 'string') return []
    return [
      {
        name,
        type,
        label: localText(item.label, language) ?? name,
        help: localText(item.description, language),
        required: item.required === true,
        default: item.default ?? null,
        options: listOf(item.options).flatMap((option) => optionOf(option, language)),
        allowCustom: item.allow_custom === true,
        showIf: conditionOf(item.show_if),
        disableIf: conditionOf(item.disable_if),
        disabledWhy: localText(item.disabled_tooltip, language),
        url: typeof item.url === 'string' ? item.url : null,
      },
    ]
  })
}

/** From the settings that a platform declares. */
export function platformItems(settings: Output<'listPlatforms'>['items'][number]['settings']): readonly FormItem[] {
  return settings.map((setting) => ({
    name: setting.name,
    type: setting.type,
    label: setting.label,
    help: setting.description,
    required: setting.required,
    default: setting.default,
    options: setting.options.map((value) => ({ value, label: value })),
    allowCustom: false,
    showIf: null,
    disableIf: null,
    disabledWhy: null,
    url: null,
  }))
}

/** The text of a locale map, or a bare text; null for none. */
export function localText(value: unknown, language: Language): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (!isObject(value)) return null
  const texts = [...LOCALES[language].map((key) => value[key]), ...Object.values(value)]
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? null
}

function optionOf(option: Json, language: Language): readonly FormOption[] {
  if (typeof option === 'string') return [{ value: option, label: option }]
  if (!isObject(option) || typeof option.name !== 'string') return []
  return [{ value: option.name, label: localText(option.label, language) ?? option.name }]
}

function conditionOf(value: unknown): Condition | null {
  if (!isObject(value) || typeof value.field !== 'string' || typeof value.operator !== 'string') return null
  return { field: value.field, operator: value.operator, value: value.value ?? null }
}
