/** What each event needs: its fields, and how they become a frame. */
import { el } from './dom.js'
import { shortText } from './message.js'
import { field } from './popover.js'

/** @import { FireEvent, FireFrame } from '../src/frames.ts' */
/** @import { State } from './state.js' */
/** @typedef {{ nodes: HTMLElement[], read: () => Record<string, unknown> }} Fields */

/** Names of the events, in groups as the panel lists them. @type {Record<string, Partial<Record<FireEvent, string>>>} */
export const EVENT_LABELS = {
  Members: {
    'group.member_joined': 'Somebody joins the group',
    'group.member_left': 'Somebody leaves the group',
    'group.member_banned': 'Somebody is banned',
    'group.info_updated': 'The group is renamed',
  },
  'The bot': {
    'bot.invited_to_group': 'The bot is invited to a new group',
    'bot.removed_from_group': 'The bot is removed from the group',
    'bot.muted': 'The bot is muted',
    'bot.unmuted': 'The bot is unmuted',
  },
  Friends: {
    'friend.request_received': 'Somebody asks to be a friend',
    'friend.added': 'Somebody becomes a friend',
    'friend.removed': 'Somebody ends the friendship',
  },
  Other: { 'feedback.received': 'Feedback on an answer', 'platform.specific': 'An event of the platform' },
}

/** @typedef {{ value: string, label: string }} Option */

/**
 * @param {readonly Option[]} options
 * @param {string} [chosen]
 */
function select(options, chosen) {
  return el(
    'select',
    {},
    ...options.map(({ value, label }) => el('option', { attrs: { value, selected: value === chosen } }, label)),
  )
}

/**
 * Fields of one event, filled with what fits to the chosen chat.
 * @param {FireEvent} event
 * @param {State} state
 * @returns {Fields}
 */
export function eventFields(event, state) {
  const named = (/** @type {string} */ id) => ({ value: id, label: state.nameOf(id) })
  const people = [...state.people.keys()]
  const groups = [...state.groups.values()].filter(({ members }) => members.some(({ user_id }) => user_id === 'bot'))
  const group = select(
    groups.map(({ id, name }) => ({ value: id, label: name })),
    state.groupOf(state.chat)?.id,
  )
  const members = () =>
    state.groups
      .get(group.value)
      ?.members.map(({ user_id }) => user_id)
      .filter((id) => id !== 'bot') ?? []
  const strangers = () => people.filter((id) => !members().includes(id))
  const person = el('select', { attrs: { required: true } })
  const operator = el('select')
  const who = event === 'group.member_joined' ? strangers : members
  const refresh = () => {
    const options = (/** @type {string[]} */ ids) =>
      ids.map((id) => el('option', { attrs: { value: id } }, state.nameOf(id)))
    const choices = who()
    const nobody = el('option', { attrs: { value: '', disabled: true, selected: true } }, 'Nobody can be chosen')
    person.replaceChildren(...(choices.length === 0 ? [nobody] : options(choices)))
    operator.replaceChildren(el('option', { attrs: { value: '' } }, 'Nobody in particular'), ...options(members()))
  }
  group.addEventListener('change', refresh)
  refresh()
  const inGroup = field('Group', group)
  const by = (/** @type {string} */ label) => field(label, operator)
  const duration = el('input', {
    attrs: { type: 'number', min: 0, step: 1, inputmode: 'numeric', placeholder: 'without end' },
  })
  const seconds = () => (duration.value === '' ? null : Number(duration.value))
  const base = () => ({ group_id: group.value, operator_id: operator.value || null })
  const anyone = select(people.map(named), state.userId)

  switch (event) {
    case 'group.member_joined': {
      const how = select([
        { value: 'direct', label: 'by themselves' },
        { value: 'invite', label: 'by invitation' },
        { value: 'request', label: 'by request' },
      ])
      const read = () => ({
        group_id: group.value,
        user_id: person.value,
        inviter_id: operator.value || null,
        join_type: how.value,
      })
      return {
        nodes: [
          inGroup,
          field('Who joins', person, 'People who are not in the group. Add a person in the rail.'),
          field('How', how),
          by('Invited by'),
        ],
        read,
      }
    }
    case 'group.member_left': {
      const kicked = el('input', { attrs: { type: 'checkbox' } })
      const check = el('label', { class: 'check' }, kicked, 'was removed by somebody')
      return {
        nodes: [inGroup, field('Who leaves', person), check, by('Removed by')],
        read: () => ({ ...base(), user_id: person.value, is_kicked: kicked.checked }),
      }
    }
    case 'group.member_banned':
      return {
        nodes: [inGroup, field('Who', person), field('Seconds', duration), by('Banned by')],
        read: () => ({ ...base(), user_id: person.value, duration: seconds() }),
      }
    case 'group.info_updated': {
      const name = el('input', { attrs: { type: 'text', maxlength: 64 } })
      const description = el('input', { attrs: { type: 'text', maxlength: 500 } })
      return {
        nodes: [inGroup, field('New name', name), field('New description', description), by('Changed by')],
        read: () => ({ ...base(), name: name.value || null, description: description.value || null }),
      }
    }
    case 'bot.removed_from_group':
      return { nodes: [inGroup, by('Removed by')], read: base }
    case 'bot.muted':
      return {
        nodes: [inGroup, field('Seconds', duration), by('Muted by')],
        read: () => ({ ...base(), duration: seconds() }),
      }
    case 'bot.unmuted':
      return { nodes: [inGroup, by('Unmuted by')], read: base }
    case 'bot.invited_to_group': {
      const name = el('input', { attrs: { type: 'text', maxlength: 64, required: true, value: 'New group' } })
      return {
        nodes: [field('Name of the new group', name), field('Invited by', anyone)],
        read: () => ({ name: name.value, inviter_id: anyone.value }),
      }
    }
    case 'friend.request_received': {
      const message = el('input', { attrs: { type: 'text', maxlength: 500, placeholder: 'Hello, please add me' } })
      return {
        nodes: [field('Who asks', anyone), field('Message', message)],
        read: () => ({ user_id: anyone.value, message: message.value || null }),
      }
    }
    case 'friend.added':
    case 'friend.removed':
      return { nodes: [field('Who', anyone)], read: () => ({ user_id: anyone.value }) }
    case 'feedback.received': {
      const answers = state
        .thread(state.chat)
        .messages.filter(({ sender_id, deleted_at }) => sender_id === 'bot' && deleted_at === null)
        .slice(-20)
        .reverse()
      const about = select(
        answers.map(({ id, parts }) => ({
          value: id,
          label: shortText(parts).slice(0, 60) || id,
        })),
      )
      const kind = select([
        { value: '1', label: 'Good' },
        { value: '2', label: 'Bad' },
        { value: '3', label: 'Withdrawn' },
      ])
      const content = el('input', { attrs: { type: 'text', maxlength: 500 } })
      const read = () => ({
        user_id: state.userId,
        message_id: about.value,
        feedback_type: Number(kind.value),
        content: content.value || null,
      })
      return {
        nodes: [
          field('Answer', about, answers.length === 0 ? 'The bot has said nothing in this chat yet.' : undefined),
          field('Feedback', kind),
          field('Words', content),
        ],
        read,
      }
    }
    case 'platform.specific': {
      const action = el('input', { attrs: { type: 'text', maxlength: 64, required: true, value: 'poke' } })
      const data = el(
        'textarea',
        { class: 'mono', attrs: { rows: 5, spellcheck: 'false' } },
        '{\n  "target_id": "u-1"\n}',
      )
      data.addEventListener('input', () =>
        data.setCustomValidity(isObject(data.value) ? '' : 'This has to be a JSON object.'),
      )
      return {
        nodes: [field('Action', action), field('Data (JSON)', data)],
        read: () => ({ action: action.value, data: JSON.parse(data.value) }),
      }
    }
  }
}

/** @param {string} text */
function isObject(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
