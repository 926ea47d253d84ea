/** People who write and things that happen: how a test hands events to the host. */
import {
  type Accepted,
  chainText,
  chatFields,
  groupMember,
  type IncomingEvent,
  user,
  userGroup,
} from '@runbound/platform-kit'
import { type ScriptedBot, sampleEvent, sampleEventIds } from '@runbound/platform-kit/scriptable'
import type { MessageChainInput, PlatformEventId, PlatformEventOf } from '@runbound/protocol'
import { MessageChainSchema } from '@runbound/protocol/schemas'
import { TestKitError } from './errors.ts'

/** An event that the host has taken. */
export interface TestEvent {
  readonly event_id: string
  /** The host had this event already, and did nothing. */
  readonly duplicate: boolean
}

/** What can be told of a message beside its text. */
export interface SayOptions {
  readonly thread_id?: string
  /** The platform's id of the message. Default: a fresh one. */
  readonly message_id?: string
  /** The platform's id of the delivery; null: none, so that a repetition is a new event. Default: a fresh one. */
  readonly dedupe_key?: string | null
}

/** What can be told of an event beside its fields. */
export type EmitOptions = Pick<IncomingEvent, 'thread_id' | 'reply_target' | 'extra'> & Pick<SayOptions, 'dedupe_key'>

/** Somebody somewhere. */
export interface Speaker {
  /** The same place, another person; their id and nickname are `name`. */
  as(name: string): Speaker
  /** A group of this id and name; null: the person's private chat. */
  conversation(group: string | null): Speaker
  /** Writes. Resolves once the host has the event; rejects with TestKitError `event_refused`. */
  say(message: string | MessageChainInput, options?: SayOptions): Promise<TestEvent>
  /**
   * Something happens: a valid event of this id with this person (and group, where there is one), whose fields `changes`
   * overwrite. Rejects with TestKitError `unknown_event`, `event_refused`.
   */
  emit<Id extends PlatformEventId>(
    id: Id,
    changes?: Partial<PlatformEventOf<Id>>,
    options?: EmitOptions,
  ): Promise<TestEvent>
}

/** Makes a speaker; `taken` hears of every event that the host took. */
export function speakerOf(
  bot: ScriptedBot,
  who: { readonly person: string; readonly group: string | null },
  taken: (event: TestEvent) => void,
): Speaker {
  const { person, group } = who

  function accepted(answer: Accepted): TestEvent {
    if (answer.status === 'refused') {
      throw new TestKitError('event_refused', `The host did not take the event: ${answer.message} (${answer.reason})`, {
        reason: answer.reason,
        retry: answer.retry,
      })
    }
    const event = { event_id: answer.event_id, duplicate: answer.status === 'duplicate' }
    taken(event)
    return event
  }

  return {
    as: (name) => speakerOf(bot, { ...who, person: name }, taken),
    conversation: (name) => speakerOf(bot, { ...who, group: name }, taken),
    async say(message, options = {}) {
      const chain = MessageChainSchema.parse(typeof message === 'string' ? [{ type: 'Plain', text: message }] : message)
      const said = { ...options, sender: person, chain, ...(group === null ? {} : { group }) }
      return accepted(await bot.say(chainText(chain), said))
    },
    async emit(id, changes = {}, options = {}) {
      if (!sampleEventIds().includes(id)) {
        throw new TestKitError('unknown_event', `There is no event "${id}". Known: ${sampleEventIds().join(', ')}.`)
      }
      const event = sampleEvent(id, { bot_uuid: bot.bot_uuid }, { ...placed(id, person, group), ...changes })
      return accepted(await bot.emit({ event, ...options }))
    },
  }
}

/** The person and the group in the fields in which this event has them. */
function placed<Id extends PlatformEventId>(
  id: Id,
  person: string,
  group: string | null,
): Partial<PlatformEventOf<Id>> {
  const someone = user(person, { nickname: person })
  const somewhere = group === null ? null : userGroup(group, { name: group })
  const sample: object = sampleEvent(id, { bot_uuid: '' })
  const fields: Record<string, unknown> = {}
  if ('chat_id' in sample && 'chat_type' in sample && 'group' in sample)
    Object.assign(fields, chatFields(somewhere?.id ?? person, somewhere))
  else if ('group' in sample && somewhere !== null) fields.group = somewhere
  for (const name of PERSONS) if (name in sample && isPerson(Reflect.get(sample, name))) fields[name] = someone
  if ('user_id' in sample) fields.user_id = person
  if ('sender_member' in sample && somewhere !== null) fields.sender_member = groupMember(somewhere.id, someone)
  // The names are those of the sample of this very event.
  return fields as Partial<PlatformEventOf<Id>>
}

/** Fields that hold the person who caused it; inviters and operators stay those of the sample. */
const PERSONS = ['sender', 'editor', 'member', 'user'] as const

function isPerson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'nickname' in value
}
