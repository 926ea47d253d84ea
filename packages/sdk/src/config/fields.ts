/** `field.*`: makes configuration fields, one maker per documented type (entities.md §1.6). */
import type { Json } from '@runbound/protocol'
import type { OnlyKeysOf } from '../rights.ts'
import type { LocalText } from '../text.ts'
import type {
  ConfigFile,
  Field,
  FieldOptions,
  Filled,
  ModelFallback,
  PromptEntry,
  RefersOf,
  ValueOptions,
} from './field.ts'
import { fieldItem } from './item.ts'

/** A choice: its value, or its value with a label. */
export type Choice<V extends string = string> = V | { readonly name: V; readonly label?: LocalText }
type ChoiceName<C> = C extends string ? C : C extends { readonly name: infer V extends string } ? V : never

/** Options of a `string` field; `options` are suggestions, free text stays possible. */
export interface StringOptions extends ValueOptions<string> {
  readonly options?: readonly Choice[]
}

/** Options of a `select` field; `allow_custom: true` also takes free text. */
export interface SelectOptions extends ValueOptions<string> {
  readonly options: readonly Choice[]
  readonly allow_custom?: boolean
}

/** Options of a file field; `accept` lists MIME types or endings, as in HTML. At most 10 MiB a file. */
export interface FileOptions extends FieldOptions {
  readonly accept?: string
}

/** Options of a `plugin-selector`. */
export interface PluginSelectorOptions extends ValueOptions<string> {
  readonly scopes?: readonly string[]
}

/** Options of the display-only fields. */
export interface DisplayOptions extends FieldOptions {
  readonly url?: string
  readonly download_filename?: string
  readonly login_platform?: string
  readonly help_links?: Json
  readonly help_label?: LocalText
}

type Maker<T, Type extends string, Options extends FieldOptions> = <const O extends Options = Options>(
  options?: O & OnlyKeysOf<O, Options>,
) => Field<Filled<T, O>, Type, RefersOf<O>>

function maker<T, Type extends string, Options extends FieldOptions = ValueOptions<T>>(
  type: Type,
): Maker<T, Type, Options> {
  return (options) => ({ type, item: fieldItem(type, options ?? {}) })
}

function select<const O extends SelectOptions>(
  options: O &
    OnlyKeysOf<O, SelectOptions> & {
      readonly default?: O extends { readonly allow_custom: true } ? string : ChoiceName<O['options'][number]>
    },
): Field<
  Filled<O extends { readonly allow_custom: true } ? string : ChoiceName<O['options'][number]>, O>,
  'select',
  RefersOf<O>
> {
  return { type: 'select', item: fieldItem('select', options) }
}

function display<Type extends string>(
  type: Type,
): <const O extends DisplayOptions = DisplayOptions>(
  options?: O & OnlyKeysOf<O, DisplayOptions>,
) => Field<never, Type, RefersOf<O>> {
  return (options) => ({ type, item: fieldItem(type, options ?? {}) })
}

/**
 * Makes the fields of `config` in `defineRunner` and `definePlugin`. The value's type flows into `ctx.config`: with
 * `default` or `required: true` it is there, else it may be undefined. The host fills in defaults.
 *
 * @example
 * ```ts
 * import { defineRunner, field } from '@runbound/sdk'
 *
 * export const greeter = defineRunner({
 *   name: 'greeter',
 *   usages: ['agent'],
 *   config: {
 *     tone: field.select({ options: ['short', 'long'], default: 'short' }),
 *     signature: field.string({ show_if: { field: 'tone', operator: 'eq', value: 'long' } }),
 *   },
 *   run: (ctx) => (ctx.config.tone === 'long' ? `Hello! ${ctx.config.signature ?? ''}` : 'Hi!'),
 * })
 * ```
 */
export const field = {
  /** One line of text, trimmed when saved; `options` are suggestions. */
  string: maker<string, 'string', StringOptions>('string'),
  /** One line of text that is shown as dots and never logged by the host. */
  secret: maker<string, 'secret'>('secret'),
  /** Text in a large box. */
  text: maker<string, 'text'>('text'),
  /** A whole number. The form does not force it to be whole; round where it matters. */
  integer: maker<number, 'integer'>('integer'),
  /** A number. */
  float: maker<number, 'float'>('float'),
  /** Yes or no. */
  boolean: maker<boolean, 'boolean'>('boolean'),
  /** A list of texts (`array[string]`). */
  arrayOfStrings: maker<readonly string[], 'array[string]'>('array[string]'),
  /** One of `options`; the type of the value is the union of their names. */
  select,
  /** An uploaded file, at most 10 MiB. Read it with `host.getConfigFile(value.file_key)`. */
  file: maker<ConfigFile, 'file', FileOptions>('file'),
  /** Uploaded files (`array[file]`), at most 10 MiB each. */
  arrayOfFiles: maker<readonly ConfigFile[], 'array[file]', FileOptions>('array[file]'),
  /** UUID of a language model; choosing one grants it to the runs, within `permissions.models`. */
  llmModelSelector: maker<string, 'llm-model-selector'>('llm-model-selector'),
  /** UUID of an embedding model. */
  embeddingModelSelector: maker<string, 'embedding-model-selector'>('embedding-model-selector'),
  /** UUID of a rerank model; choosing one grants it to the runs. */
  rerankModelSelector: maker<string, 'rerank-model-selector'>('rerank-model-selector'),
  /** A language model with replacements; all of them are granted. */
  modelFallbackSelector: maker<ModelFallback, 'model-fallback-selector'>('model-fallback-selector'),
  /** UUID of a knowledge base. */
  knowledgeBaseSelector: maker<string, 'knowledge-base-selector'>('knowledge-base-selector'),
  /** UUIDs of knowledge bases; choosing them grants them to the runs. */
  knowledgeBaseMultiSelector: maker<readonly string[], 'knowledge-base-multi-selector'>(
    'knowledge-base-multi-selector',
  ),
  /** UUID of a bot. */
  botSelector: maker<string, 'bot-selector'>('bot-selector'),
  /** A plugin, as `author/name`. */
  pluginSelector: maker<string, 'plugin-selector', PluginSelectorOptions>('plugin-selector'),
  /** Names of tools. */
  toolsSelector: maker<readonly string[], 'tools-selector'>('tools-selector'),
  /** Names of tools; adds the setting `enable-all-tools` (default true). */
  richToolsSelector: maker<readonly string[], 'rich-tools-selector'>('rich-tools-selector'),
  /** Names of MCP resources; adds the settings `mcp-resources` and `mcp-resource-agent-read-enabled`. */
  resourcesSelector: maker<readonly string[], 'resources-selector'>('resources-selector'),
  /** A prompt: what `ctx.getPrompt()` starts from. */
  promptEditor: maker<readonly PromptEntry[], 'prompt-editor'>('prompt-editor'),
  /** Any JSON value. */
  json: maker<Json, 'json'>('json'),
  /** Shows the bot's webhook address; has no value. */
  webhookUrl: display('webhook-url'),
  /** Shows a code snippet to embed; has no value. */
  embedCode: display('embed-code'),
  /** Shows a QR code to log in with; has no value. */
  qrCodeLogin: display('qr-code-login'),
  /** Shows a link to a download; has no value. */
  downloadLink: display('download-link'),
}
