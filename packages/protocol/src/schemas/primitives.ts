/**
 * Scalars as the Python SDK reads them (entities.md §0.1): integral floats, booleans and numeric text pass for numbers.
 * Everything else here is a short way to say "null means absent" and "any JSON value".
 */
import * as z from 'zod'
import type { Json, JsonObject } from '../json.ts'
import { exceedsCharacters } from '../text.ts'

const INTEGER_TEXT = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/
const NUMBER_TEXT = /^\s*[+-]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/
const BOOLEAN_TEXT: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  t: true,
  y: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  f: false,
  n: false,
  '0': false,
}

function readInteger(value: unknown): unknown {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && INTEGER_TEXT.test(value)) return Number(value.replaceAll('_', ''))
  return value
}

function readNumber(value: unknown): unknown {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string' && NUMBER_TEXT.test(value)) return Number(value.replaceAll('_', ''))
  return value
}

function readBoolean(value: unknown): unknown {
  if (value === 1) return true
  if (value === 0) return false
  if (typeof value === 'string') return BOOLEAN_TEXT[value.toLowerCase()] ?? value
  return value
}

/** Ids keep their JSON type; only what pydantic turns into an integer is turned. */
function readId(value: unknown): unknown {
  return typeof value === 'boolean' ? (value ? 1 : 0) : value
}

function readIntegerId(value: unknown): unknown {
  if (typeof value !== 'string' || !INTEGER_TEXT.test(value)) return readId(value)
  const digits = value.replaceAll('_', '').trim().replace(/\.0+$/, '')
  const exact = BigInt(digits.startsWith('+') ? digits.slice(1) : digits)
  const short = Number(exact)
  return Number.isSafeInteger(short) ? short : exact
}

/**
 * Gives a reading function in front of a schema the input type that a writer should use: tolerance is for what comes in,
 * never for what we send. This is the one place where an input type is asserted.
 */
function reading<Out, In>(read: (value: unknown) => unknown, schema: z.ZodType<Out>): z.ZodType<Out, In> {
  return z.preprocess(read, schema) as unknown as z.ZodType<Out, In>
}

/** A whole number that is exact in JavaScript; `12.0`, `true` and `"12"` are read too. */
export const IntegerSchema = reading<number, number>(readInteger, z.int())

/** A whole number from `min` to `max`, both allowed. */
export function integerBetween(min: number, max = Number.MAX_SAFE_INTEGER): z.ZodType<number, number> {
  return reading<number, number>(readInteger, z.int().min(min).max(max))
}

/** A finite number; whole numbers, booleans and numeric text are read too. */
export const NumberSchema = reading<number, number>(readNumber, z.number())

/** A boolean; 0, 1 and the usual words are read too. */
export const BooleanSchema = reading<boolean, boolean>(readBoolean, z.boolean())

// A float is no id: 1.5 is refused, 1.0 is the number 1 already.
const ExactInteger = z.union([z.int(), z.bigint().meta({ type: 'integer' })])

/** An id of a platform: text or a whole number of any size, kept as it came. */
export const PlatformIdSchema = reading<string | number | bigint, string | number | bigint>(
  readId,
  z.union([z.string(), ExactInteger]),
)

/** An id that is a whole number of any size; digits as text are read too. */
export const IntegerIdSchema = reading<number | bigint, number | bigint>(readIntegerId, ExactInteger)

/** Any JSON value, taken as it is: the link has already parsed it. Absent is refused. */
export const JsonSchema = z
  .custom<Json>((value) => value !== undefined, 'Expected a JSON value, but the key is absent')
  .meta({
    description: 'any JSON value',
  })

/** True for a JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON object, taken as it is: its keys are not looked at and not copied. */
export const JsonObjectSchema = z.custom<JsonObject>(isJsonObject, 'Expected a JSON object').meta({ type: 'object' })

/** Text of at least `min` and at most `max` characters, counted as code points. */
export function textUpTo(max: number, min = 0) {
  return z
    .string()
    .min(min)
    .refine((text) => !exceedsCharacters(text, max), `Expected at most ${max} characters`)
    .meta({ maxLength: max })
}

/** An object whose values are all text. */
export const TextMapSchema = z.record(z.string(), z.string())

/** `X | null`, and null when the key is absent. */
export function orNull<S extends z.ZodType>(schema: S) {
  return schema.nullable().default(null)
}

/** An option of a call: absent and null both mean "not given" and become null. */
export function optional<Out, In>(schema: z.ZodType<Out, In>) {
  return schema.nullish().transform((value) => value ?? null)
}

/**
 * An option of a call with a default: absent and null both mean the default. Printed as `x-default`, because zod leaves
 * `default` out where it prints what a writer may give.
 */
export function withDefault<Out, In>(schema: z.ZodType<Out, In>, value: NoInfer<Out>) {
  return schema
    .nullish()
    .transform((given) => given ?? value)
    .meta({ 'x-default': value })
}

/** Where something runs. Grants nothing (entities.md §0.4). */
export const scopeShape = {
  instance_uuid: orNull(z.string()),
  workspace_uuid: orNull(z.string()),
  placement_generation: orNull(IntegerSchema),
}

/** The same in types that leave out what is not set. */
export const sparseScopeShape = {
  instance_uuid: z.string().nullish(),
  workspace_uuid: z.string().nullish(),
  placement_generation: IntegerSchema.nullish(),
}
