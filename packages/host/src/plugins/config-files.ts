/** Files that belong to the settings of an installation: found only by the keys that its own settings hold. */
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Installation } from './types.ts'

/** Undefined when the settings do not name the key: another plugin's file is not told from one that never was. */
export async function readConfigFile(
  folder: string | null,
  installation: Installation | undefined,
  fileKey: string,
): Promise<Uint8Array | undefined> {
  if (folder === null || installation === undefined || !mentions(installation.settings, fileKey)) return undefined
  const own = join(folder, 'plugin-settings', installation.installation_uuid)
  try {
    const file = realpathSync(join(own, fileKey))
    return file.startsWith(realpathSync(own) + sep) ? await readFile(file) : undefined
  } catch {
    return undefined
  }
}

function mentions(settings: unknown, key: string): boolean {
  if (settings === key) return true
  return (
    typeof settings === 'object' && settings !== null && Object.values(settings).some((part) => mentions(part, key))
  )
}
