/** Arguments of a tool against the JSON Schema that the run was given: checked before anything is done. */
import { type JsonObject, WireError } from '@runbound/protocol'
import { Ajv, type ValidateFunction } from 'ajv'

const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false, addUsedSchema: false })
/** Compiled once for each schema object; grants of later runs share the tables' objects. */
const compiled = new WeakMap<object, ValidateFunction | null>()

/**
 * Throws WireError `invalid_params` that names the argument. A text `_call` given to a tool without arguments is left out,
 * as some models add one.
 */
export function checkArguments(tool: string, schema: JsonObject, given: JsonObject): JsonObject {
  const args = withoutMark(schema, given)
  const validate = validatorOf(tool, schema)
  if (validate(args)) return args
  const [error] = validate.errors ?? []
  const place = error?.instancePath.replaceAll('/', '.').slice(1) ?? ''
  const extra = typeof error?.params.additionalProperty === 'string' ? ` ("${error.params.additionalProperty}")` : ''
  const missing = typeof error?.params.missingProperty === 'string' ? ` ("${error.params.missingProperty}")` : ''
  const message = `Tool "${tool}": parameters${place === '' ? '' : `.${place}`} ${error?.message ?? 'do not fit'}${extra || missing}. ctx.getAvailableTools() shows the schema.`
  throw new WireError('invalid_params', message, { details: { tool_name: tool, field: place } })
}

function validatorOf(tool: string, schema: JsonObject): ValidateFunction {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    try {
      validate = ajv.compile(schema)
    } catch {
      validate = null
    }
    compiled.set(schema, validate)
  }
  if (validate === null)
    throw new WireError(
      'tool_failed',
      `The parameter schema of tool "${tool}" can't be used; its author has to mend it.`,
    )
  return validate
}

function withoutMark(schema: JsonObject, given: JsonObject): JsonObject {
  const { properties } = schema
  const none = typeof properties !== 'object' || properties === null || Object.keys(properties).length === 0
  if (!none || typeof given._call !== 'string') return given
  const { _call, ...rest } = given
  return rest
}
