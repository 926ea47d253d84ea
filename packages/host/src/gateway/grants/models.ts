/** Which models a run may ask: those that the operator named or chose in the Runner's settings, for the declared operations. */
import type { JsonObject, ModelOperation, ModelResource } from '@runbound/protocol'
import type { ModelInfo } from '../../models/types.ts'
import type { Explanation } from './explanation.ts'
import type { GrantInput } from './types.ts'

const SELECTORS = new Set([
  'llm-model-selector',
  'select-llm-model',
  'model-fallback-selector',
  'rerank-model-selector',
  'embedding-model-selector',
])

const OPERATIONS: Record<ModelInfo['model_type'], readonly ModelOperation[]> = {
  chat: ['invoke', 'stream', 'count_tokens'],
  embedding: ['invoke'],
  rerank: ['rerank'],
}

/** What a model field says when nothing is chosen. */
const NOTHING = new Set(['', '__none__', '__none'])

export function grantModels(input: GrantInput, explanation: Explanation): readonly ModelResource[] {
  const granted: ModelResource[] = []
  const chosen = chosenModels(input)
  for (const { model_id, model_type, provider } of input.models) {
    if (input.operator.models !== true && !chosen.has(model_id)) continue
    const operations = OPERATIONS[model_type].filter((name) => input.manifest.permissions.models.includes(name))
    // An empty list would mean "all operations" to the SDK: such a model is left out.
    const refusal =
      operations.length > 0
        ? null
        : ({ by: 'manifest', why: 'the Runner declares no permissions.models that fit this kind of model' } as const)
    if (explanation.note(`model:${model_id}`, refusal)) granted.push({ model_id, model_type, provider, operations })
  }
  return granted
}

function chosenModels({ operator, manifest, config }: GrantInput): ReadonlySet<string> {
  const named = Array.isArray(operator.models) ? operator.models : []
  const chosen = new Set<string>(named)
  for (const item of manifest.config_schema) {
    if (!SELECTORS.has(item.type)) continue
    for (const id of idsIn(config[item.name])) if (!NOTHING.has(id)) chosen.add(id)
  }
  return chosen
}

/** A plain id, or `{primary, fallbacks}`. */
function idsIn(value: JsonObject[string]): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const { primary, fallbacks } = value as JsonObject
  const rest = Array.isArray(fallbacks) ? fallbacks : []
  return [primary, ...rest].filter((id): id is string => typeof id === 'string')
}
