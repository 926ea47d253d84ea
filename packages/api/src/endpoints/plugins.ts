/** Plugins: installations, approval, settings, logs, development sessions. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as s from '../schemas.ts'

const one = s.params('installation_uuid')

export const PLUGIN_ENDPOINTS = {
  listPlugins: endpoint({ method: 'get', path: '/api/v1/plugins', summary: 'Installations and how they are', scope: 'read', response: z.object({ items: z.array(s.PluginStatusSchema.extend({ approved: z.boolean() })) }) }),
  getPlugin: endpoint({ method: 'get', path: '/api/v1/plugins/{installation_uuid}', summary: 'One installation with its manifest', scope: 'read', params: one, response: s.InstallationSchema }),
  pluginStatus: endpoint({ method: 'get', path: '/api/v1/plugins/{installation_uuid}/status', summary: 'How one installation is', scope: 'read', params: one, response: s.PluginStatusSchema }),
  pluginPermissions: endpoint({ method: 'get', path: '/api/v1/plugins/{installation_uuid}/permissions', summary: 'What a plugin asks for, and what of it is allowed', scope: 'read', params: one, response: z.object({ items: z.array(s.PluginPermissionSchema) }) }),
  installPlugin: endpoint({
    method: 'post', path: '/api/v1/plugins/install', summary: 'Installs a packed folder on the host; nothing runs before the approval', scope: 'plugins',
    body: z.strictObject({ path: s.NameSchema }), response: s.InstallationSchema,
  }),
  approvePlugin: endpoint({
    method: 'post', path: '/api/v1/plugins/{installation_uuid}/approve', summary: 'Approves exactly this manifest and these files', scope: 'plugins', params: one,
    body: z.strictObject({ manifest_digest: z.string(), package_digest: z.string(), grant: s.InstallationGrantSchema.optional(), accept_not_isolated: z.boolean().optional() }),
    response: s.InstallationSchema,
  }),
  setPluginSettings: endpoint({ method: 'put', path: '/api/v1/plugins/{installation_uuid}/settings', summary: 'Settings of a plugin', scope: 'plugins', params: one, body: s.JsonObjectSchema, response: s.InstallationSchema }),
  enablePlugin: endpoint({ method: 'post', path: '/api/v1/plugins/{installation_uuid}/enable', summary: 'Switches a plugin on', scope: 'plugins', params: one, response: s.OkSchema }),
  disablePlugin: endpoint({ method: 'post', path: '/api/v1/plugins/{installation_uuid}/disable', summary: 'Switches a plugin off', scope: 'plugins', params: one, response: s.OkSchema }),
  restartPlugin: endpoint({ method: 'post', path: '/api/v1/plugins/{installation_uuid}/restart', summary: 'Starts a plugin anew', scope: 'operate', params: one, response: s.OkSchema }),
  removePlugin: endpoint({
    method: 'delete', path: '/api/v1/plugins/{installation_uuid}', summary: 'Removes a plugin; its data only when asked', scope: 'plugins', params: one,
    query: z.object({ data: z.enum(['true', 'false']).default('false') }), response: s.OkSchema,
  }),
  pluginLogs: endpoint({
    method: 'get', path: '/api/v1/plugins/{installation_uuid}/logs', summary: 'The newest lines that a plugin wrote', scope: 'read', params: one,
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(200) }), response: z.object({ items: z.array(s.LogLineSchema) }),
  }),
  listRunners: endpoint({ method: 'get', path: '/api/v1/runners', summary: 'Runners that can be chosen, with what a form needs', scope: 'read', response: z.object({ items: z.array(s.RunnerDetailSchema) }) }),
  devPlugin: endpoint({ method: 'post', path: '/api/v1/dev', summary: 'Loads a plugin from its author\'s folder and reloads it on each save', scope: 'plugins', body: z.strictObject({ folder: s.NameSchema }), response: s.InstallationSchema }),
  endDevPlugin: endpoint({ method: 'delete', path: '/api/v1/dev/{installation_uuid}', summary: 'Ends a development session', scope: 'plugins', params: one, response: s.OkSchema }),
  debugKey: endpoint({ method: 'post', path: '/api/v1/debug-key', summary: 'A key for debug connections; ends after two hours', scope: 'plugins', response: z.object({ key: z.string(), expires_at: z.number(), url: z.string() }) }),
} // biome-ignore format: a table
