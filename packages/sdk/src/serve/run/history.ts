/** Prompt, history, events and steering of a run. */
import type { Message, MessageChunk } from '@runbound/protocol'
import type {
  CanGetEvents,
  CanGetPrompt,
  CanPageEvents,
  CanPageHistory,
  CanSearchHistory,
  CanSteer,
} from '../../context/history.ts'
import { assertJson } from '../calls/json.ts'
import type { RunParts } from './parts.ts'

type HistoryMethods = CanGetPrompt & CanPageHistory & CanSearchHistory & CanGetEvents & CanPageEvents & CanSteer

/** Makes the history methods. Options that were left out travel as null or their documented default. */
export function historyOf({ life, calls }: RunParts): HistoryMethods {
  return {
    async getPrompt() {
      life.check('getPrompt')
      const { prompt } = await calls.run('get_prompt', {})
      return prompt as unknown as (Message | MessageChunk)[]
    },

    async historyPage(options = {}) {
      life.check('historyPage')
      return calls.run('history_page', {
        conversation_id: options.conversation_id ?? null,
        before_cursor: options.before_cursor ?? null,
        after_cursor: options.after_cursor ?? null,
        limit: options.limit ?? 50,
        direction: options.direction ?? 'backward',
        include_attachments: options.include_attachments ?? false,
      })
    },

    async historySearch(query, options = {}) {
      life.check('historySearch')
      const filters = options.filters ?? {}
      assertJson(filters, 'filters')
      return calls.run('history_search', { query, filters, top_k: options.top_k ?? 10 })
    },

    async eventGet(event_id) {
      life.check('eventGet')
      return calls.run('event_get', { event_id })
    },

    async eventPage(options = {}) {
      life.check('eventPage')
      return calls.run('event_page', {
        conversation_id: options.conversation_id ?? null,
        event_types: options.event_types ? [...options.event_types] : null,
        before_cursor: options.before_cursor ?? null,
        limit: options.limit ?? 50,
      })
    },

    async steeringPull(options = {}) {
      life.check('steeringPull')
      return calls.run('steering_pull', { mode: options.mode ?? 'all', limit: options.limit ?? null })
    },
  }
}
