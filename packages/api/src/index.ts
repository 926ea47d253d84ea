/** Request and response schemas of the host's HTTP API, and its typed client. */
export { ApiError, type Client, type ClientOptions, createClient, type LiveChange, type LiveFilter } from './client.ts'
export {
  type Access,
  type Endpoint,
  type EndpointAnswer,
  type EndpointInput,
  type EndpointOutput,
  type EndpointRequest,
  endpoint,
  SCOPES,
  type Scope,
} from './endpoint.ts'
export { BOT_ENDPOINTS } from './endpoints/bots.ts'
export { EVENT_ENDPOINTS } from './endpoints/events.ts'
export { HOST_ENDPOINTS } from './endpoints/host.ts'
export { IDENTITY_ENDPOINTS } from './endpoints/identity.ts'
export { PLUGIN_ENDPOINTS } from './endpoints/plugins.ts'
export { RUN_ENDPOINTS } from './endpoints/runs.ts'
export { ENDPOINTS, type EndpointName, type Endpoints, LIVE_PATH, METRICS_PATH } from './endpoints.ts'
export { CLI_KEY_FILE, HOST_FILE, type HostFile, HostFileSchema } from './local-files.ts'
export * as schemas from './schemas.ts'
export { PASSWORD_MIN, SECRET_IS_SET } from './schemas.ts'
export { type SetupFile, SetupFileSchema } from './setup-file.ts'
