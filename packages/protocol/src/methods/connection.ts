/** The first call of every plugin process. */
import * as z from 'zod'
import { form, method } from '../method.ts'
import { PluginContainerSchema } from '../schemas/manifests.ts'
import { emptyResult } from '../schemas/parameters.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

// The link's own registration (one-use capability, debug key) decides here; there is no grant yet.
export const registerPlugin = method({
  name: 'register_plugin',
  from: 'plugin',
  summary: 'Says which plugin this process is and what it brings.',
  source: 'wire.md §3.2, §5.1',
  forms: {
    installation: form('installation', {
      params: z.object({
        plugin_container: PluginContainerSchema,
        prod_mode: z.boolean().default(false),
        plugin_debug_key: z.string().default(''),
        registration_capability: z.string().default(''),
      }),
      result: emptyResult,
      effect: 'none',
      waits: waits.register_plugin.installation,
      authorize: () => null,
    }),
  },
})
