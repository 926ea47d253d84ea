/** The shape of one configuration field, and how fields become the type of `ctx.config` (entities.md §1.6). */
import type { ConditionOperator, Json, JsonObject } from '@runbound/protocol'
import type { LocalText } from '../text.ts'

declare const VALUE: unique symbol
declare const REFERS: unique symbol

/**
 * One field of a form that the operator fills in. Made by `field.*`; `T` is the type of its value,
 * `Type` its documented type name and `Refers` the fields that its conditions name.
 */
export interface Field<T, Type extends string = string, Refers extends string = string> {
  readonly type: Type
  /** Everything of the item but its name, which is its key in `config`. */
  readonly item: JsonObject
  /** Types only; never there at run time. */
  readonly [VALUE]?: () => T
  /** Types only; never there at run time. */
  readonly [REFERS]?: () => Refers
}

/** Fields by name, in the order in which the form shows them. */
export type Fields = { readonly [name: string]: Field<unknown> }

/** When a field is shown or disabled: another field of the same form (or `__system.*`) compared with a value. */
export interface Condition {
  readonly field: string
  readonly operator: ConditionOperator
  /** For `in` a list. */
  readonly value: Json
}

/** What every field takes. */
export interface FieldOptions {
  /** Default: the field's name. */
  readonly label?: LocalText
  readonly description?: LocalText
  /** True: the form does not save without a value. Default false. */
  readonly required?: boolean
  /** Shown only if this holds; a hidden field keeps its value. Default: always shown. */
  readonly show_if?: Condition
  /** Disabled if this holds. Default: never. */
  readonly disable_if?: Condition
  /** Says why the field is disabled. */
  readonly disabled_tooltip?: LocalText
}

/** A field that holds a value: the host fills in `default` where the operator gave nothing. */
export interface ValueOptions<T> extends FieldOptions {
  readonly default?: T
}

/** The value's type: without `default` and without `required: true` it may be undefined. */
export type Filled<T, O> = O extends { readonly default: unknown }
  ? T
  : O extends { readonly required: true }
    ? T
    : T | undefined

type RefersTo<O, Key extends string> = O extends { readonly [K in Key]: { readonly field: infer N extends string } }
  ? N
  : never
/** Names of the fields that the conditions of an option object mention. */
export type RefersOf<O> = RefersTo<O, 'show_if'> | RefersTo<O, 'disable_if'>

/** A model chosen with replacements; `reasoning` maps a chosen model to a reasoning level. */
export interface ModelFallback {
  readonly primary: string
  readonly fallbacks: readonly string[]
  readonly reasoning?: { readonly [model: string]: string }
}

/** An uploaded file: read its bytes with `host.getConfigFile(file_key)`. */
export interface ConfigFile {
  readonly file_key: string
  readonly mimetype: string
}

/** One entry of a prompt as the form edits it. */
export interface PromptEntry {
  readonly role: string
  readonly content: string
}

/** Keys that some selectors add beside their own value. */
interface AddedKeys {
  'rich-tools-selector': { readonly 'enable-all-tools': boolean }
  'resources-selector': {
    readonly 'mcp-resources': readonly Json[]
    readonly 'mcp-resource-agent-read-enabled': boolean
  }
}
type Added<F extends Fields, Type extends keyof AddedKeys> = Type extends F[keyof F]['type'] ? AddedKeys[Type] : unknown

/** The type of the settings that these fields make. Display-only fields have no value and do not appear. */
export type ConfigOf<F extends Fields> = {
  readonly [N in keyof F as F[N] extends Field<infer T>
    ? [T] extends [never]
      ? never
      : N
    : never]: F[N] extends Field<infer T> ? T : never
} & Added<F, 'rich-tools-selector'> &
  Added<F, 'resources-selector'>

/** Refuses fields whose conditions name a field that is not in the same form. */
export type KnownReferences<F extends Fields> = {
  readonly [N in keyof F]: F[N] extends Field<unknown, string, infer R>
    ? [R] extends [(keyof F & string) | `__system.${string}`]
      ? unknown
      : { readonly show_if: 'names a field that this form does not have' }
    : unknown
}
