/** The host as a whole: status, database. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as s from '../schemas.ts'

export const HOST_ENDPOINTS = {
  status: endpoint({ method: 'get', path: '/api/v1/status', summary: 'What runs: version, bots, plugins, runners', scope: 'read', response: s.StatusSchema }),
  inspect: endpoint({ method: 'get', path: '/api/v1/store', summary: 'Facts of the database: schema, integrity, sizes', scope: 'read', response: s.FactsSchema }),
  backup: endpoint({
    method: 'post', path: '/api/v1/backup', summary: 'Copies the database to a file on the host while it runs', scope: '*',
    body: z.strictObject({ file: s.NameSchema }), response: z.object({ file: z.string(), bytes: z.number() }),
  }),
} // biome-ignore format: a table
