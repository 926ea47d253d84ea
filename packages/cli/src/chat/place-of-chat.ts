/** Which bot, which person and which chat are meant by what was typed. */
import type { Client } from '@runbound/api'
import { CliError } from '../errors.ts'
import type { ChatKey, ChatLink, Welcome } from './chat-link.ts'

/** The bot that `dev` makes. */
export const DEV_BOT = 'dev'

type Bot = Awaited<ReturnType<Client['status']>>['bots'][number]

/** Where a message goes. */
export interface Place {
  readonly user_id: string
  readonly user_name: string
  readonly chat: ChatKey
  readonly chat_name: string
}

/**
 * The named bot (name or id); else the one of a running development session; else the first web chat.
 * CliError `failed` when there is none.
 */
export async function chooseBot(client: Client, name: string | undefined): Promise<Bot> {
  const { bots, plugins } = await client.status()
  const chats = bots.filter((bot) => bot.platform === 'webchat')
  if (name !== undefined) {
    const found = chats.find((bot) => bot.bot_uuid === name || same(bot.name, name))
    if (found !== undefined) return running(found)
    throw new CliError('failed', `There is no web chat bot "${name}". There are: ${names(chats)}.`)
  }
  const developing = plugins.some((plugin) => plugin.source === 'dev' && plugin.state !== 'stopped')
  const live = chats.filter((bot) => bot.enabled)
  const chosen =
    (developing ? live.find((bot) => bot.name === DEV_BOT) : undefined) ??
    live.find((bot) => bot.name !== DEV_BOT) ??
    live[0]
  if (chosen === undefined) throw new CliError('failed', 'This host has no web chat bot that is switched on.')
  return running(chosen)
}

/** The person by id or name, made when unknown; the private chat with the bot, or the group by id or name. */
export async function findPlace(link: ChatLink, as: string | undefined, group: string | undefined): Promise<Place> {
  const person = await findPerson(link, as)
  if (group === undefined) return { ...person, chat: `private:${person.user_id}`, chat_name: link.welcome.bot.name }
  const { groups } = link.welcome
  const found = groups.find((one) => one.id === group || same(one.name, group))
  if (found === undefined) throw new CliError('failed', `There is no group "${group}". There are: ${names(groups)}.`)
  return { ...person, chat: `group:${found.id}`, chat_name: found.name }
}

async function findPerson(link: ChatLink, as: string | undefined): Promise<Pick<Place, 'user_id' | 'user_name'>> {
  const { people }: Welcome = link.welcome
  const found = as === undefined ? people[0] : people.find((one) => one.id === as || same(one.name, as))
  if (found !== undefined) return { user_id: found.id, user_name: found.name }
  const name = as ?? 'Ann'
  const { created_id } = await link.command({ type: 'create_person', uuid: crypto.randomUUID(), name })
  if (created_id === null) throw new CliError('failed', `The person "${name}" could not be made.`)
  return { user_id: created_id, user_name: name }
}

function running(bot: Bot): Bot {
  if (bot.state === 'running') return bot
  throw new CliError('failed', `Bot "${bot.name}" is ${bot.state}${bot.message === null ? '.' : `: ${bot.message}`}`)
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
const names = (all: readonly { readonly name: string }[]): string => all.map((one) => one.name).join(', ') || 'none'
