/** Which installation is meant: by id, by `author/name`, or by the name alone where that is clear. */
import type { Client } from '@runbound/api'
import { CliError } from '../errors.ts'

/** One line of the host's list. */
export type PluginLine = Awaited<ReturnType<Client['listPlugins']>>['items'][number]

/** CliError `failed` when there is none, or more than one. */
export async function findPlugin(client: Client, name: string): Promise<PluginLine> {
  const { items } = await client.listPlugins()
  const byId = items.filter((one) => one.installation_uuid === name || one.plugin_id === name)
  const found = byId.length > 0 ? byId : items.filter((one) => one.plugin_id.split('/')[1] === name)
  const [first, second] = found
  if (first === undefined) {
    const known = items.map((one) => one.plugin_id).join(', ') || 'none'
    throw new CliError('failed', `There is no plugin "${name}" on this host. There are: ${known}.`)
  }
  if (second !== undefined) {
    const all = found.map((one) => `${one.installation_uuid} (${one.plugin_id}, ${one.source})`).join(', ')
    throw new CliError('failed', `"${name}" may be one of ${found.length}: ${all}. Name it by its id.`)
  }
  return first
}
