/** What an operator reads before approving a plugin: who it is, what it brings, what it asks for. */
import { at, list } from '../dev/runners.ts'
import { paint } from '../terminal/terminal.ts'

/** A plugin's manifest as text, without colours of meaning: nothing here is trusted. */
export function describePlugin(manifest: unknown): string {
  const plugin = at(manifest, 'manifest')
  const metadata = at(plugin, 'metadata')
  const title = `${plain(at(metadata, 'author'))}/${plain(at(metadata, 'name'))} ${plain(at(metadata, 'version'))}`
  const about = localText(at(metadata, 'description'))
  const settings = list(at(at(plugin, 'spec'), 'config')).map((item) => plain(at(item, 'name')))
  return [
    paint('bold', title) + (about === '' ? '' : `: ${about}`),
    ...list(at(manifest, 'components')).map(componentText),
    ...(settings.length === 0 ? [] : [`  settings: ${settings.join(', ')}`]),
  ].join('\n')
}

function componentText(component: unknown): string {
  const spec = at(component, 'spec')
  const events = list(at(spec, 'events')).map(plain)
  const asked = permissionsOf(spec)
  const what = [
    `${list(at(spec, 'usages')).map(plain).join(' and ')}`,
    events.length === 0 ? '' : `events ${events.join(', ')}`,
    asked.length === 0 ? 'asks for nothing' : `asks for ${asked.join(', ')}`,
  ].filter((part) => part !== '')
  return `  ${plain(at(component, 'kind'))} ${plain(at(at(component, 'metadata'), 'name'))}: ${what.join('; ')}`
}

function permissionsOf(spec: unknown): string[] {
  const permissions = at(spec, 'permissions')
  if (typeof permissions !== 'object' || permissions === null) return []
  return Object.entries(permissions).flatMap(([group, operations]) =>
    list(operations).map((operation) => `${plain(group)}:${plain(operation)}`),
  )
}

function localText(value: unknown): string {
  const text = typeof value === 'string' ? value : at(value, 'en_US')
  return typeof text === 'string' ? plain(text) : ''
}

/** Text of a stranger on a terminal: no control characters, bounded. */
function plain(value: unknown): string {
  return String(value ?? '')
    .replaceAll(/\p{C}/gu, ' ')
    .slice(0, 300)
}
