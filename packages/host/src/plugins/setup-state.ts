/** Asks a plugin how far its `setup` is. Python plugins have none and say nothing of it. */
import type { Peer } from '@runbound/link'
import type { SetupState } from './supervised.ts'

const TIMEOUT_MS = 5_000

/** Null: it does not say. Rejects when the plugin does not answer. */
export async function setupStateOf(peer: Peer): Promise<SetupState | null> {
  const { setup } = await peer.call('get_plugin_container', {}, { timeoutMs: TIMEOUT_MS })
  if (typeof setup !== 'object' || setup === null || Array.isArray(setup)) return null
  const { state, error } = setup as { readonly state?: unknown; readonly error?: unknown }
  return typeof state === 'string' ? { state, error: typeof error === 'string' ? error : null } : null
}
