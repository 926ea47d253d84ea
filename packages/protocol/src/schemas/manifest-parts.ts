/** What all manifests share: localised text, metadata, execution, Runner capabilities and permissions (entities.md §1.3, §1.4, §1.10). */
import * as z from 'zod'
import { PERMISSIONS, RUNNER_USAGES } from '../names.ts'
import { BooleanSchema, orNull } from './primitives.ts'

const optionalText = orNull(z.string())

/** Localised text. Other locales are dropped here; the raw manifest keeps them. */
export const I18nStringSchema = z.object({
  en_US: z.string(),
  zh_Hans: optionalText,
  zh_Hant: optionalText,
  ja_JP: optionalText,
  th_TH: optionalText,
  vi_VN: optionalText,
  es_ES: optionalText,
})

export const MetadataSchema = z.object({
  name: z.string(),
  label: I18nStringSchema,
  description: orNull(I18nStringSchema),
  version: optionalText,
  icon: optionalText,
  author: optionalText,
  repository: optionalText,
})

/** True for a path that stays inside the folder it is relative to: not empty, not absolute, no drive, no `..`, no NUL. */
export function isInsidePath(path: string): boolean {
  const unified = path.replaceAll('\\', '/')
  if (unified === '' || unified.includes('\0') || unified.startsWith('/')) return false
  const parts = unified.split('/')
  return !parts.includes('..') && !(parts[0] ?? '').includes(':') && parts.some((part) => part !== '' && part !== '.')
}

const insidePath = z
  .string()
  .refine(isInsidePath, 'Expected a path inside the plugin folder: relative, no drive letter, no ".." part')
  .transform((path) => path.replace(/^(?:\.\/)+/, ''))

export const PythonExecutionSchema = z.object({ path: insidePath, attr: z.string() })

/** How the Python SDK starts a component. Input keys are camelCase; a present key must have exactly that value. */
export const ExecutionSchema = z.object({
  python: PythonExecutionSchema,
  sharedRuntime: z.literal('shared-runtime-v1').optional(),
  componentModel: z.literal('stateless-v1').optional(),
})

/** How a TypeScript plugin starts: the module whose default export is the plugin. */
export const NodeExecutionSchema = z.object({ node: z.object({ path: insidePath }) })

/** Unknown names are refused: a misspelt capability must not become a silent "no". */
export const RunnerCapabilitiesSchema = z.strictObject({
  streaming: BooleanSchema.default(false),
  tool_calling: BooleanSchema.default(false),
  knowledge_retrieval: BooleanSchema.default(false),
  multimodal_input: BooleanSchema.default(false),
  skill_authoring: BooleanSchema.default(false),
  interrupt: BooleanSchema.default(false),
  steering: BooleanSchema.default(false),
  interactions: BooleanSchema.default(false),
})

/** What a Runner asks for: an upper bound that the operator and the event cut down. */
export const RunnerPermissionsSchema = z.strictObject({
  models: z.array(z.enum(PERMISSIONS.models)).default([]),
  tools: z.array(z.enum(PERMISSIONS.tools)).default([]),
  knowledge_bases: z.array(z.enum(PERMISSIONS.knowledge_bases)).default([]),
  history: z.array(z.enum(PERMISSIONS.history)).default([]),
  events: z.array(z.enum(PERMISSIONS.events)).default([]),
  storage: z.array(z.enum(PERMISSIONS.storage)).default([]),
  interactions: z.array(z.enum(PERMISSIONS.interactions)).default([]),
})

export const RunnerUsagesSchema = z.array(z.enum(RUNNER_USAGES)).min(1)
