/** What happens to the plugin while it is developed: reloads, what it prints, that it died. */
import { existsSync, realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Client, LiveChange } from '@runbound/api'
import { CliError } from '../errors.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'

/** News of one plugin. */
type News =
  | { readonly event: 'reload'; readonly ok: boolean; readonly message: string }
  | { readonly event: 'log'; readonly level: string; readonly text: string }
  | { readonly event: 'state'; readonly state: string; readonly message: string | null }

/** Which plugin, and where its author works. */
export interface FollowedPlugin {
  readonly installation_uuid: string
  readonly folder: string
}

/** An open connection to what the host tells. */
export interface Following {
  /** Prints news of this installation from now on; `reloaded` is called after each new version. */
  start(plugin: FollowedPlugin, terminal: Terminal, reloaded: () => Promise<void>): void
  /** Rejects when the host has gone. */
  readonly lost: Promise<never>
}

/** Resolves when the host tells of changes, so that none is missed after. */
export async function followPlugin(client: Client, signal: AbortSignal): Promise<Following> {
  let listener: (change: LiveChange) => void = () => undefined
  const opened = Promise.withResolvers<void>()
  const lost = pump(client, signal, opened.resolve, (change) => listener(change))
  lost.catch(opened.reject)
  signal.addEventListener('abort', () => opened.resolve(), { once: true })
  await opened.promise
  return {
    lost,
    start({ installation_uuid, folder }, terminal, reloaded) {
      const own = pathToFileURL(existsSync(folder) ? realpathSync.native(folder) : folder).href
      // One after the other: what a reload brought is set up before the next is looked at.
      let work: Promise<unknown> = Promise.resolve()
      listener = (change) => {
        const news = newsOf(change, installation_uuid, own)
        if (news === null) return
        work = work
          .then(() => (news.event === 'reload' && news.ok ? reloaded() : undefined))
          .catch((error: unknown) =>
            terminal.note(paint('red', error instanceof Error ? error.message : String(error))),
          )
          .then(() => terminal.event({ ...news, at: Date.now() }, () => newsText(news)))
      }
    },
  }
}

async function pump(
  client: Client,
  signal: AbortSignal,
  opened: () => void,
  take: (change: LiveChange) => void,
): Promise<never> {
  try {
    for await (const change of client.live(signal, opened)) take(change)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  // Ended by the person: whoever waits has another end to wait for.
  if (signal.aborted) return new Promise<never>(() => undefined)
  throw new CliError('failed', 'The host has stopped; the development session is over.')
}

/** Of a stack only the author's own lines are news: the error stands before them, and `runbound plugin logs` has the rest. */
function newsOf({ kind, data }: LiveChange, installationUuid: string, own: string): News | null {
  const of = fieldsOf(data)
  if (of.installation_uuid !== installationUuid) return null
  if (kind === 'log') {
    const { level, text } = fieldsOf(of.line)
    // The reload tells it, too.
    if (String(text).startsWith('[ERROR] Cannot load the plugin')) return null
    if (/^\s+at /.test(String(text)) && !String(text).includes(own)) return null
    return { event: 'log', level: String(level), text: String(text) }
  }
  if (kind !== 'plugin') return null
  if (of.reload !== undefined) {
    const { ok, message } = fieldsOf(of.reload)
    return { event: 'reload', ok: ok === true, message: String(message) }
  }
  const { state, message } = of
  if (state !== 'failed' && state !== 'backing_off') return null
  return { event: 'state', state, message: typeof message === 'string' ? message : null }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function newsText(news: News): string {
  const at = paint('dim', new Date().toLocaleTimeString('en-GB'))
  switch (news.event) {
    case 'reload':
      return `${at} ${news.ok ? paint('green', `✓ ${news.message}`) : paint('red', `✗ ${news.message}`)}`
    case 'state':
      return `${at} ${paint('red', `✗ ${news.state}: ${news.message ?? ''}`)}`
    case 'log':
      return `${at} ${news.level === 'error' ? paint('red', news.text) : news.text}`
  }
}
