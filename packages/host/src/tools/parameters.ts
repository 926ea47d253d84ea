/** Checks the arguments of a tool call against the granted schema. Each schema is compiled once. */
import { type JsonObject, WireError } from '@runbound/protocol'
import { Ajv, type ValidateFunction } from 'ajv'
import { RE2JS } from 're2js'

/** Compiled schemas kept; beyond that the oldest is compiled again when it is needed. */
const KEPT = 512

/** Patterns of a schema come from plugins: matched in linear time, so that none can hold the host up. */
const linearPattern = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    return { test: (text: string) => compiled.matcher(text).find() }
  },
  { code: 'linearPattern' },
)

const ajv = new Ajv({ strict: false, validateFormats: false, code: { regExp: linearPattern } })
const bySchema = new WeakMap<JsonObject, ValidateFunction>()
const byText = new Map<string, ValidateFunction>()

/**
 * The arguments as the tool gets them. Throws `invalid_params` that names the argument, `tool_failed` when the tool's own
 * schema can't be used.
 */
export function checkParameters(tool: string, schema: JsonObject, given: JsonObject): JsonObject {
  const parameters = takesNothing(schema) ? withoutCallNote(given) : given
  const validate = compiled(tool, schema)
  if (validate(parameters)) return parameters
  const [fault] = validate.errors ?? []
  const extra: unknown = fault?.params.additionalProperty ?? fault?.params.missingProperty
  const path = [...(fault?.instancePath ?? '').split('/').slice(1), ...(typeof extra === 'string' ? [extra] : [])]
  const field = ['parameters', ...path].join('.')
  throw new WireError('invalid_params', `${tool}: "${field}" ${fault?.message ?? 'does not fit'}.`, {
    details: { field, tool },
  })
}

function compiled(tool: string, schema: JsonObject): ValidateFunction {
  const known = bySchema.get(schema)
  if (known !== undefined) return known
  const text = JSON.stringify(schema)
  let validate = byText.get(text)
  if (validate === undefined) {
    validate = compile(tool, schema)
    if (byText.size >= KEPT) byText.delete(byText.keys().next().value ?? '')
    byText.set(text, validate)
  }
  bySchema.set(schema, validate)
  return validate
}

function compile(tool: string, schema: JsonObject): ValidateFunction {
  try {
    const validate = ajv.compile(schema)
    // Ajv would keep every schema that it ever saw.
    ajv.removeSchema(schema)
    return validate
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    throw new WireError('tool_failed', `The parameter schema of ${tool} can't be used: ${why}`, { cause: error })
  }
}

function takesNothing({ properties }: JsonObject): boolean {
  return typeof properties === 'object' && properties !== null && Object.keys(properties).length === 0
}

/** Models that must call a tool without arguments write a note instead; the documented host overlooks it. */
function withoutCallNote(given: JsonObject): JsonObject {
  return Object.keys(given).length === 1 && typeof given._call === 'string' ? {} : given
}
