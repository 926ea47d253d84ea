/** The first load of a plugin: one that does not load yet is tried again at each save. */
import { ApiError, type Client } from '@runbound/api'
import { watchTree } from '@runbound/host'
import { paint, type Terminal } from '../terminal/terminal.ts'

/** An installation as the host shows it. */
export type Loaded = Awaited<ReturnType<Client['devPlugin']>>

/** What is the author's to mend; everything else ends the command. */
const MENDABLE = new Set(['plugin_failed', 'invalid_manifest'])

/** What a first load needs; the signal gives up. */
export interface FirstLoad {
  readonly client: Client
  readonly folder: string
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Resolves with the installation; undefined: the signal came first. */
export async function loadFirst(options: FirstLoad): Promise<Loaded | undefined> {
  const { client, folder, terminal, signal } = options
  while (!signal.aborted) {
    const change = nextChange(folder, signal)
    try {
      return await client.devPlugin({ body: { folder } })
    } catch (error) {
      if (!ApiError.is(error) || !MENDABLE.has(error.code)) throw error
      const { message } = error
      terminal.event({ event: 'reload', ok: false, message }, () => paint('red', message))
      terminal.note(paint('dim', 'Waiting for the next save.'))
      await change.happened
    } finally {
      change.end()
    }
  }
  return undefined
}

/** Watches from now on, so that a save during the attempt counts. */
function nextChange(folder: string, signal: AbortSignal): { readonly happened: Promise<void>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = watchTree(folder, resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return { happened: promise, end }
}
