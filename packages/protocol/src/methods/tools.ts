/** Tools: their details and calling them (wire.md §5.3 Tools). The two forms of `call_tool` have two result keys. */
import * as z from 'zod'
import { form, method } from '../method.ts'
import { queryShape, runShape } from '../schemas/parameters.ts'
import { JsonObjectSchema, JsonSchema, withDefault } from '../schemas/primitives.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.3'
const name = { tool_name: z.string().min(1) }
const detail = z.object({
  tool: z.object({
    name: z.string(),
    description: z.string(),
    human_desc: z.string(),
    parameters: JsonObjectSchema,
  }),
})

export const getToolDetail = method({
  name: 'get_tool_detail',
  from: 'plugin',
  summary: 'Reads what a tool does and which parameters it takes.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...name }),
      result: detail,
      effect: 'none',
      waits: waits.get_tool_detail.run,
      authorize: ({ grant, params }) => grant.tool(params.tool_name, 'detail'),
    }),
    installation: form('installation', {
      params: z.object(name),
      result: detail,
      effect: 'none',
      waits: waits.get_tool_detail.installation,
      authorize: ({ installation }) => installation.api('get_tool_detail'),
    }),
  },
})

/**
 * In a run the answer is an object or null: the Python SDK's own trace holds nothing else, so a host wraps other values.
 * Outside runs a call needs the request that it belongs to.
 */
export const callTool = method({
  name: 'call_tool',
  from: 'plugin',
  summary: 'Calls a tool of the run, or of the workspace for a pipeline request.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...name, parameters: withDefault(JsonObjectSchema, {}) }),
      result: z.object({ result: JsonObjectSchema.nullable() }),
      effect: 'by-tool',
      waits: waits.call_tool.run,
      authorize: ({ grant, params }) => grant.tool(params.tool_name, 'call'),
    }),
    query: form('query', {
      params: z.object({
        ...queryShape,
        ...name,
        tool_parameters: withDefault(JsonObjectSchema, {}),
        session: JsonObjectSchema,
      }),
      result: z.object({ tool_response: JsonSchema }),
      effect: 'by-tool',
      waits: waits.call_tool.query,
      authorize: ({ query, installation, params }) =>
        query.query(params.query_id, params.query_uuid) ?? installation.tool(params.tool_name),
    }),
  },
})
