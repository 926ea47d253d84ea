/** What would change, one thing after the other: each change has its lines for a person and the call that makes it. */
import { isDeepStrictEqual } from 'node:util'
import { ApiError, type Client, SECRET_IS_SET, type SetupFile } from '@runbound/api'
import { CliError } from '../errors.ts'
import { type Change, processorKey } from './change.ts'
import type { HostState, KnownBot, KnownProcessor } from './host-state.ts'
import { planRoutes } from './plan-routes.ts'
import type { ReadFile } from './read-file.ts'

/** CliError `invalid_file` with place for what the host would refuse, or what nothing is known of. */
export async function makePlan(client: Client, file: ReadFile, state: HostState): Promise<readonly Change[]> {
  refuseTwice(file)
  const { content } = file
  const changes: Change[] = []
  for (const [index, bot] of content.bots.entries()) {
    const known = state.bots.find(({ name }) => name === bot.name)
    const change = await located(file, ['bots', index], () => planBot(client, bot, known))
    if (change !== null) changes.push(change)
  }
  for (const list of ['agents', 'plugin_processors'] as const) {
    const kind = list === 'agents' ? 'agent' : 'plugin_processor'
    for (const [index, wanted] of content[list].entries()) {
      const known = state.processors.find((one) => one.kind === kind && one.name === wanted.name)
      const change = await located(file, [list, index], () => planProcessor(client, kind, wanted, known))
      if (change !== null) changes.push(change)
    }
  }
  return [...changes, ...planRoutes(file, state)]
}

async function planBot(client: Client, bot: SetupFile['bots'][number], known: KnownBot | undefined) {
  const body = { ...bot, ...(known === undefined ? {} : { bot_uuid: known.bot_uuid }) }
  const { changed } = await client.compareBot({ body })
  // What the file leaves out stays as it is, or at its default.
  const named = changed.filter((name) => bot.settings[name] !== undefined)
  const lines = named.map((name) => botSettingLine(name, known?.settings[name], bot.settings[name]))
  if (known !== undefined) {
    lines.push(
      ...fieldLines(known, bot, ['platform', 'enabled', ...(bot.admins === undefined ? [] : ['admins' as const])]),
    )
    if (lines.length === 0) return null
  }
  return changeOf(
    'bot',
    bot.name,
    known === undefined,
    known === undefined ? [`platform: ${bot.platform}`, ...lines] : lines,
    async (host, ids) => {
      ids.bots.set(bot.name, (await host.putBot({ body })).bot_uuid)
    },
  )
}

async function planProcessor(
  client: Client,
  kind: 'agent' | 'plugin_processor',
  wanted: SetupFile['agents'][number],
  known: KnownProcessor | undefined,
) {
  const { name, runner, config, grants, options, enabled } = wanted
  const processor_id = known?.processor_id ?? crypto.randomUUID()
  const body = { processor_id, kind, name, runner_id: runner, config, grants, options, enabled }
  const { changed, processor } = await client.compareProcessor({ body })
  if (changed.length === 0) return null
  const lines = changed
    .filter((field) => known !== undefined || !isDefault(field, valueAt(processor, field)))
    .map((field) => settingLine(field.replace('runner_id', 'runner'), valueAt(known, field), valueAt(processor, field)))
  return changeOf(kind, name, known === undefined, lines, async (host, ids) => {
    await host.putProcessor({ body })
    ids.processors.set(processorKey(kind, name), processor_id)
  })
}

function changeOf(
  what: Change['what'],
  name: string,
  fresh: boolean,
  lines: readonly string[],
  carryOut: Change['carryOut'],
): Change {
  return { what, name, kind: fresh ? 'new' : 'changed', lines, carryOut }
}

/** What goes without saying for something new. */
function isDefault(field: string, value: unknown): boolean {
  return field === 'kind' || field === 'name' || value === true || isDeepStrictEqual(value, {})
}

/** A text that was not there before may be a secret: nothing here says whether it is. */
function botSettingLine(name: string, before: unknown, after: unknown): string {
  if (before === undefined && typeof after === 'string') return `${name}: (given)`
  return settingLine(name, before, after)
}

/** What a view may show: a secret that was or is set is never its value. */
function settingLine(name: string, before: unknown, after: unknown): string {
  if (before === SECRET_IS_SET) return `${name}: ${SECRET_IS_SET} -> (another)`
  if (after === SECRET_IS_SET) return `${name}: ${SECRET_IS_SET}`
  return before === undefined ? `${name}: ${show(after)}` : `${name}: ${show(before)} -> ${show(after)}`
}

function fieldLines<K extends string>(
  before: { readonly [N in K]?: unknown },
  after: { readonly [N in K]?: unknown },
  fields: readonly K[],
): string[] {
  return fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => `${field}: ${show(before[field])} -> ${show(after[field])}`)
}

function valueAt(processor: KnownProcessor | undefined, field: string): unknown {
  const [first = '', rest] = field.split(/\.(.*)/s)
  const value: unknown = processor === undefined ? undefined : Reflect.get(processor, first)
  return rest === undefined || typeof value !== 'object' || value === null ? value : Reflect.get(value, rest)
}

function show(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value)
}

/** The host names fields of its own; here it is the file that has to be changed. */
async function located<T>(file: ReadFile, path: readonly PropertyKey[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!ApiError.is(error) || error.status === 0) throw error
    const field = (error.at ?? '').replace(/^body\./, '').replace(/^runner_id$/, 'runner')
    const place = file.place(field === '' ? path : [...path, ...field.split('.')])
    throw new CliError('invalid_file', `${place}: ${error.message}`, { cause: error })
  }
}

function refuseTwice({ content, place }: ReadFile): void {
  for (const list of ['bots', 'agents', 'plugin_processors'] as const) {
    const seen = new Set<string>()
    for (const [index, { name }] of content[list].entries()) {
      if (seen.has(name))
        throw new CliError('invalid_file', `${place([list, index, 'name'])}: "${name}" stands there twice.`)
      seen.add(name)
    }
  }
}
