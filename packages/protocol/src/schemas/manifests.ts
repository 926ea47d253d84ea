/**
 * Manifests of plugins and of every kind of component (entities.md §1.1-§1.10), and the listing entry of a Runner.
 * `spec` keeps keys it does not know: the raw manifest is what an operator approves.
 */
import * as z from 'zod'
import { PIPELINE_EVENT_NAMES } from '../names.ts'
import { ConfigItemSchema } from './config-items.ts'
import {
  ExecutionSchema,
  isInsidePath,
  MetadataSchema,
  NodeExecutionSchema,
  RunnerCapabilitiesSchema,
  RunnerPermissionsSchema,
  RunnerUsagesSchema,
} from './manifest-parts.ts'
import { JsonObjectSchema, orNull, TextMapSchema } from './primitives.ts'

const execution = z.union([ExecutionSchema, NodeExecutionSchema]).optional()
const configItems = z.array(ConfigItemSchema).default([])
const nonEmpty = z.string().min(1)

/** Where component manifests are found, for Python packages. */
export const ComponentGroupSchema = z.object({
  fromFiles: z.array(z.string()).default([]),
  fromDirs: z.array(z.object({ path: z.string(), maxDepth: z.int().min(1).default(1) })).default([]),
})

export const PageEntrySchema = z.object({ id: z.string(), label: TextMapSchema, path: z.string().refine(isInsidePath) })

/** `kind: Plugin`. Author, name and version are required at installation, so they are here. */
export const PluginManifestSchema = z.object({
  apiVersion: z.string(),
  kind: z.literal('Plugin'),
  metadata: MetadataSchema.extend({ author: nonEmpty, name: nonEmpty, version: nonEmpty }),
  spec: z.looseObject({
    config: configItems,
    components: z.record(z.string(), ComponentGroupSchema),
    pages: z.array(PageEntrySchema).default([]),
  }),
  execution,
})

const component = { apiVersion: z.string(), metadata: MetadataSchema, execution }

/** `events`: the pipeline events it handles, where known beforehand (TypeScript); absent: not known. */
export const EventListenerManifestSchema = z.object({
  ...component,
  kind: z.literal('EventListener'),
  spec: orNull(z.looseObject({ events: z.array(z.enum(PIPELINE_EVENT_NAMES)).optional() })),
})

export const CommandManifestSchema = z.object({
  ...component,
  kind: z.literal('Command'),
  spec: orNull(z.looseObject({})),
})

/**
 * `parameters` is a JSON Schema; `llm_prompt` what a model reads. `effect` is ours: what a call does beyond answering;
 * without it a call counts as leaving the host.
 */
export const ToolManifestSchema = z.object({
  ...component,
  kind: z.literal('Tool'),
  spec: z.looseObject({
    parameters: JsonObjectSchema.default({ type: 'object', properties: {} }),
    llm_prompt: z.string().default(''),
    effect: z.enum(['none', 'host', 'outside']).default('outside'),
  }),
})

/** `usages` is required; with usage `event` so is `events`. */
export const RunnerManifestFileSchema = z.object({
  ...component,
  kind: z.literal('Runner'),
  spec: z
    .looseObject({
      usages: RunnerUsagesSchema,
      events: z.array(nonEmpty).optional(),
      capabilities: RunnerCapabilitiesSchema.prefault({}),
      permissions: RunnerPermissionsSchema.prefault({}),
      config: configItems,
    })
    .refine((spec) => !spec.usages.includes('event') || spec.events !== undefined, {
      path: ['events'],
      message: 'A Runner with usage "event" needs "events"; use ["*"] for all',
    }),
})

/** `capabilities`: `doc_ingestion`, `doc_parsing`, where known beforehand (TypeScript). */
export const KnowledgeEngineManifestSchema = z.object({
  ...component,
  kind: z.literal('KnowledgeEngine'),
  spec: z
    .looseObject({
      creation_schema: configItems,
      retrieval_schema: configItems,
      capabilities: z.array(z.string()).optional(),
    })
    .prefault({}),
})

export const KnowledgeRetrieverManifestSchema = z.object({
  ...component,
  kind: z.literal('KnowledgeRetriever'),
  spec: z.looseObject({ config: configItems }).prefault({}),
})

export const ParserManifestSchema = z.object({
  ...component,
  kind: z.literal('Parser'),
  spec: z.looseObject({ supported_mime_types: z.array(z.string()).default([]) }).prefault({}),
})

export const PageManifestSchema = z.object({
  ...component,
  kind: z.literal('Page'),
  spec: z.looseObject({ path: z.string().refine(isInsidePath).default('index.html') }).prefault({}),
})

/** A component's manifest; `kind` picks the shape. */
export const ComponentManifestSchema = z.discriminatedUnion('kind', [
  EventListenerManifestSchema,
  CommandManifestSchema,
  ToolManifestSchema,
  RunnerManifestFileSchema,
  KnowledgeEngineManifestSchema,
  KnowledgeRetrieverManifestSchema,
  ParserManifestSchema,
  PageManifestSchema,
])

/** A manifest as it travels: the raw document, who brought it, and where it lay. */
export const OwnedManifestSchema = z.object({ owner: z.string(), manifest: JsonObjectSchema, rel_path: z.string() })

/** The flat form of tool lists. */
export const ToolListEntrySchema = z.object({
  name: z.string(),
  label: JsonObjectSchema,
  description: JsonObjectSchema.default({ en_US: '' }),
  icon: z.string().default(''),
  spec: JsonObjectSchema,
})

/** A Runner as it is listed; `id` is `plugin:<author>/<plugin>/<runner>`. Unknown keys are refused. */
export const RunnerManifestSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  label: TextMapSchema,
  component_kind: z.literal('Runner').default('Runner'),
  usages: RunnerUsagesSchema,
  supported_event_patterns: z.array(z.string()).default(['*']),
  description: orNull(TextMapSchema),
  capabilities: RunnerCapabilitiesSchema.prefault({}),
  permissions: RunnerPermissionsSchema.prefault({}),
  config_schema: configItems,
  metadata: JsonObjectSchema.default({}),
})

/** What `register_plugin` brings and `get_plugin_container` answers (wire.md §3.2). */
export const PluginContainerSchema = z.looseObject({
  debug: z.boolean().default(false),
  install_source: z.string().default(''),
  install_info: JsonObjectSchema.default({}),
  manifest: OwnedManifestSchema,
  enabled: z.boolean().default(true),
  priority: z.int().default(0),
  plugin_config: JsonObjectSchema.default({}),
  status: z.enum(['unmounted', 'mounted', 'initialized']),
  components: z
    .array(z.looseObject({ manifest: OwnedManifestSchema, component_config: JsonObjectSchema.default({}) }))
    .default([]),
})
