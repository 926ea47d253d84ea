/** What a plugin may look up about its workspace outside runs (wire.md §5.3 Information). */
import * as z from 'zod'
import { form, method } from '../method.ts'
import { OwnedManifestSchema, ToolListEntrySchema } from '../schemas/manifests.ts'
import { optionalName } from '../schemas/parameters.ts'
import { JsonObjectSchema } from '../schemas/primitives.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.3'
const nothing = z.object({})

export const getLangbotVersion = method({
  name: 'get_langbot_version',
  from: 'plugin',
  summary: 'Tells the version of the host and which optional features it has.',
  source,
  forms: {
    installation: form('installation', {
      params: nothing,
      result: z.object({ version: z.string(), api_features: z.array(z.string()) }),
      effect: 'none',
      waits: waits.get_langbot_version.installation,
      authorize: ({ installation }) => installation.api('get_langbot_version'),
    }),
  },
})

export const getBots = method({
  name: 'get_bots',
  from: 'plugin',
  summary: 'Lists the bots of the workspace, without their platform settings.',
  source,
  forms: {
    installation: form('installation', {
      params: nothing,
      result: z.object({ bots: z.array(JsonObjectSchema) }),
      effect: 'none',
      waits: waits.get_bots.installation,
      authorize: ({ installation }) => installation.api('get_bots'),
    }),
  },
})

export const getBotInfo = method({
  name: 'get_bot_info',
  from: 'plugin',
  summary: 'Looks up one bot with its run-time values, without its secrets.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ bot_uuid: z.string().min(1) }),
      result: z.object({ bot: JsonObjectSchema }),
      effect: 'none',
      waits: waits.get_bot_info.installation,
      authorize: ({ installation }) => installation.api('get_bot_info'),
    }),
  },
})

export const getLlmModels = method({
  name: 'get_llm_models',
  from: 'plugin',
  summary: 'Lists the ids of the models of the workspace.',
  source,
  forms: {
    installation: form('installation', {
      params: nothing,
      result: z.object({ llm_models: z.array(z.string()) }),
      effect: 'none',
      waits: waits.get_llm_models.installation,
      authorize: ({ installation }) => installation.api('get_llm_models'),
    }),
  },
})

export const listPluginsManifest = method({
  name: 'list_plugins_manifest',
  from: 'plugin',
  summary: 'Lists the manifests of the plugins of the workspace.',
  source,
  forms: {
    installation: form('installation', {
      params: nothing,
      result: z.object({ plugins: z.array(OwnedManifestSchema) }),
      effect: 'none',
      waits: waits.list_plugins_manifest.installation,
      authorize: ({ installation }) => installation.api('list_plugins_manifest'),
    }),
  },
})

export const listCommands = method({
  name: 'list_commands',
  from: 'plugin',
  summary: 'Lists the manifests of the commands of the workspace.',
  source,
  forms: {
    installation: form('installation', {
      params: nothing,
      result: z.object({ commands: z.array(OwnedManifestSchema) }),
      effect: 'none',
      waits: waits.list_commands.installation,
      authorize: ({ installation }) => installation.api('list_commands'),
    }),
  },
})

export const listTools = method({
  name: 'list_tools',
  from: 'plugin',
  summary: 'Lists the plugin tools of the workspace.',
  source,
  forms: {
    installation: form('installation', {
      params: nothing,
      result: z.object({ tools: z.array(ToolListEntrySchema) }),
      effect: 'none',
      waits: waits.list_tools.installation,
      authorize: ({ installation }) => installation.api('list_tools'),
    }),
  },
})

export const listKnowledgeBases = method({
  name: 'list_knowledge_bases',
  from: 'plugin',
  summary: 'Lists the knowledge bases of the workspace.',
  source,
  forms: {
    installation: form('installation', {
      params: nothing,
      result: z.object({
        knowledge_bases: z.array(z.object({ uuid: z.string(), name: z.string(), description: z.string().nullable() })),
      }),
      effect: 'none',
      waits: waits.list_knowledge_bases.installation,
      authorize: ({ installation }) => installation.api('list_knowledge_bases'),
    }),
  },
})

export const listParsers = method({
  name: 'list_parsers',
  from: 'plugin',
  summary: 'Lists the parsers of the workspace, of one MIME type or of all.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ mime_type: optionalName }),
      result: z.object({
        parsers: z.array(
          z.object({
            plugin_id: z.string(),
            plugin_author: z.string(),
            plugin_name: z.string(),
            name: JsonObjectSchema,
            description: JsonObjectSchema,
            supported_mime_types: z.array(z.string()),
          }),
        ),
      }),
      effect: 'none',
      waits: waits.list_parsers.installation,
      authorize: ({ installation }) => installation.api('list_parsers'),
    }),
  },
})

export const getConfigFile = method({
  name: 'get_config_file',
  from: 'plugin',
  summary: 'Reads a file that was uploaded into the settings of this plugin.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ file_key: z.string().min(1) }),
      result: z.object({ file_base64: z.string() }),
      effect: 'none',
      waits: waits.get_config_file.installation,
      authorize: ({ installation }) => installation.api('get_config_file'),
    }),
  },
})
