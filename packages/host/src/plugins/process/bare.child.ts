/** A host's view on a machine without bubblewrap: `PATH=/nowhere node bare.child.ts FOLDER`. Prints what it says as JSON. */
import { LogBuffer } from '../log-buffer.ts'
import { processStarter } from '../starters.ts'
import type { Installation } from '../types.ts'

const folder = process.argv[2] ?? ''
const log = new LogBuffer(() => undefined)
const starter = processStarter({
  runtime: { node: process.execPath, processEntry: '/nowhere/process.ts', roots: [] },
  folder,
  mark: 'bare',
  now: () => Date.now(),
  log: () => log,
  request: () => ({}),
})
const installation: Installation = {
  installation_uuid: 'i-1',
  workspace_uuid: 'w-1',
  plugin_id: 'acme/demo',
  version: '1.0.0',
  source: 'dev',
  folder,
  manifest: { manifest: {}, components: [], sdk: { name: 'x', version: '1' } },
  manifest_digest: '',
  package_digest: '',
  approved: true,
  installation_grant: {},
  settings: {},
  isolation: 'required',
  enabled: true,
  priority: 0,
  revision: 1,
}
const why = (isolation: Installation['isolation']): Promise<string> =>
  starter.start({ ...installation, isolation }, new AbortController().signal).then(
    () => 'started',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
console.log(
  JSON.stringify({
    isolation: starter.isolation,
    required: await why('required'),
    accepted: await why('accepted_none'),
  }),
)
process.exit(0)
