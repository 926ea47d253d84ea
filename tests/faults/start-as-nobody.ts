/** Starts a host as a user without rights, on a folder inside one that it may not write: `node start-as-nobody.ts FOLDER`. */
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createLogger, startHost } from '@runbound/host'
import { StoreError } from '@runbound/store'

const [, , folder = ''] = process.argv
mkdirSync(dirname(folder), { recursive: true })
chmodSync(dirname(folder), 0o555)
try {
  // Root may write anywhere.
  if (process.getuid?.() === 0) process.setuid?.(65_534)
  await startHost({ folder, platforms: {}, runtime: null, logger: createLogger({ level: 'silent' }) })
  console.log('started')
} catch (error) {
  console.log(StoreError.is(error) ? `${error.code}: ${error.message}` : String(error))
}
process.exit(0)
