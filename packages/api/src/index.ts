/** Request and response schemas of the host's HTTP API, and its typed client. */
export { ApiError, type Client, type ClientOptions, createClient, type LiveChange } from './client.ts'
export {
  type Endpoint,
  type EndpointAnswer,
  type EndpointInput,
  type EndpointOutput,
  type EndpointRequest,
  endpoint,
  SCOPES,
  type Scope,
} from './endpoint.ts'
export { ENDPOINTS, type EndpointName, type Endpoints, LIVE_PATH } from './endpoints.ts'
export { CLI_KEY_FILE, HOST_FILE, type HostFile, HostFileSchema } from './local-files.ts'
export * as schemas from './schemas.ts'
export { SECRET_IS_SET } from './schemas.ts'
export { type SetupFile, SetupFileSchema } from './setup-file.ts'
