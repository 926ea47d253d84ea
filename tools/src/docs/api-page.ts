/** `docs/api.md`: the endpoints of the host's HTTP API, from the records of `@runbound/api`. */
import { ENDPOINTS, type Endpoint, LIVE_PATH, SCOPES } from '@runbound/api'
import { type Page, page, table } from './page.ts'
import { schemaText } from './schema-text.ts'

const READING = `Send an API key as \`Authorization: Bearer KEY\`, or use the session of a browser that signed in. Requests need the host's own
\`Host\` header, and from browsers its own \`Origin\`. An error is \`{ error: { code, message, at } }\`. \`GET /api/v1/openapi.json\`
is the same as an OpenAPI document; \`createClient\` of \`@runbound/api\` is typed from the same records.`

/** Builds the page. */
export function apiPage(): Page {
  const rows = Object.entries(ENDPOINTS).map(([name, record]: [string, Endpoint]) => [
    `\`${record.method.toUpperCase()} ${record.path}\``,
    record.summary,
    record.scope,
    [record.query, record.body]
      .map((schema) => (schema === undefined ? '' : schemaText(schema, 'input')))
      .filter(Boolean)
      .join('<br>'),
    `\`${name}\``,
  ])
  return page('api.md', 'The HTTP API', 'packages/api/src/endpoints.ts', [
    READING,
    `Scopes: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. Changes as they happen: \`GET ${LIVE_PATH}\` (server-sent events, scope \`read\`).`,
    table(['endpoint', 'what', 'scope', 'query and body', 'client method'], rows),
  ])
}
