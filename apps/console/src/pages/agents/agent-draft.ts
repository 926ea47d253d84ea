/** An agent or plugin processor as it is edited: what is saved of it, and the same as YAML. */
import { SECRET_IS_SET } from '@runbound/api'
import type { Input, Output } from '../../data/client.ts'
import type { FormItem } from '../../forms/items.ts'
import { isObject, type JsonObject } from '../../forms/json.ts'
import { cleanValues, type FaultWords, faultsOf, maskSecrets, startValues, unmaskSecrets } from '../../forms/values.ts'
import type { FormWords } from '../../forms/words/words.ts'
import { readSetupEntry, writeYaml, type YamlCodec } from '../../forms/yaml.ts'

export type ProcessorInput = Input<'putProcessor'>['body']
export type Kind = 'agent' | 'plugin_processor'
export type Grants = NonNullable<ProcessorInput['grants']>
export type RunnerItem = Output<'listRunners'>['items'][number]
export type ItemsOf = (runnerId: string) => readonly FormItem[]

export interface AgentDraft {
  readonly kind: Kind
  readonly name: string
  readonly runner_id: string
  readonly config: JsonObject
  readonly grants: Grants
  readonly options: JsonObject
  readonly enabled: boolean
}

/** What a stored one is edited as. The host wrote grants and options by their schemas. */
export function draftOf(stored: Output<'getProcessor'>): AgentDraft {
  const { kind, name, runner_id, config, grants, options, enabled } = stored
  return {
    kind: kind === 'plugin_processor' ? kind : 'agent',
    name,
    runner_id,
    config: isObject(config) ? config : {},
    grants: (isObject(grants) ? grants : {}) as Grants,
    options: isObject(options) ? options : {},
    enabled,
  }
}

/** What is sent: what was cleared is left out. */
export function inputOf(
  draft: AgentDraft,
  items: readonly FormItem[],
  options: readonly FormItem[],
  processorId?: string,
): ProcessorInput {
  return {
    ...(processorId === undefined ? {} : { processor_id: processorId }),
    ...draft,
    config: given(cleanValues(items, draft.config)),
    options: given(cleanValues(options, draft.options)),
  }
}

/** What is wrong before the host is asked, by path. */
export function agentFaults(
  draft: AgentDraft,
  items: readonly FormItem[],
  options: readonly FormItem[],
  words: FaultWords,
): ReadonlyMap<string, string> {
  const below = (path: string, faults: ReadonlyMap<string, string>) =>
    [...faults].map(([name, fault]) => [`${path}.${name}`, fault] as const)
  return new Map([
    ...(draft.name.trim() === '' ? [['name', words.needed] as const] : []),
    ...(draft.runner_id === '' ? [['runner_id', words.needed] as const] : []),
    ...below('config', faultsOf(items, draft.config, words)),
    ...below('options', faultsOf(options, draft.options, words)),
  ])
}

/** The draft with another Runner: settings of the same name stay, but no secret is handed from one to the other. */
export function withRunner(draft: AgentDraft, runnerId: string, itemsOf: ItemsOf): AgentDraft {
  const before = new Map(itemsOf(draft.runner_id).map((item) => [item.name, item.type]))
  const kept = itemsOf(runnerId).filter(({ name, type }) => type !== 'secret' && before.get(name) === type)
  const values = Object.fromEntries(
    kept.flatMap(({ name }) => (draft.config[name] === undefined ? [] : [[name, draft.config[name]]])),
  )
  return { ...draft, runner_id: runnerId, config: startValues(itemsOf(runnerId), values) }
}

/** As `runbound apply` takes it. `attached`: the sentence for `bots`, which are edited with the bot here. */
export function agentYaml(
  kind: Kind,
  itemsOf: ItemsOf,
  words: FormWords['yaml'],
  attached: string,
): YamlCodec<AgentDraft> {
  const list = kind === 'agent' ? 'agents' : 'plugin_processors'
  return {
    applies: true,
    write: (draft) => {
      const config = given(maskSecrets(itemsOf(draft.runner_id), draft.config))
      const options = given(draft.options)
      return writeYaml({
        [list]: [
          {
            name: draft.name,
            runner: draft.runner_id,
            ...(isEmpty(config) ? {} : { config }),
            ...(isEmpty(draft.grants) ? {} : { grants: draft.grants }),
            ...(isEmpty(options) ? {} : { options }),
            enabled: draft.enabled,
          },
        ],
      })
    },
    read: (text, before) => {
      const read = readSetupEntry(text, list, words, (entries) => {
        const at = entries.findIndex((entry) => 'bots' in entry && entry.bots !== undefined)
        return at === -1 ? null : { path: [at, 'bots'], message: attached }
      })
      if (!read.ok) return read
      const { name, runner, config, grants, options, enabled } = read.value
      const same = runner === before.runner_id
      return {
        ok: true,
        value: {
          kind,
          name,
          runner_id: runner,
          config: same ? unmaskSecrets(itemsOf(runner), before.config, config) : unset(config),
          grants,
          options: { ...options },
          enabled,
        },
      }
    },
  }
}

/** Without what is null. */
function given(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))
}

/** A mark that stands for a secret of another Runner means nothing. */
function unset(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== SECRET_IS_SET))
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
