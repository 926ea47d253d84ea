/** Handlers of what a run reads of its conversation: prompt, history, events, follow-up inputs. Thin, over the rooms that own it. */
import { type JsonObject, WireError } from '@runbound/protocol'
import { handlers } from '../gateway/handlers.ts'
import type { Call, HandlerTable } from '../gateway/types.ts'
import { ownConversation } from './methods.ts'
import type { RunNeeds } from './types.ts'

export function pullHandlers(needs: RunNeeds): HandlerTable {
  /** A run sees positions up to its own message; without one of its own, what was there when it started. */
  async function upTo({ invocation }: Call<'run'>): Promise<number> {
    const { event_id, conversation_key } = invocation.facts
    const own = conversation_key === null ? null : await needs.history.position(event_id, conversation_key)
    return own ?? invocation.context.context.transcript_seq ?? 0
  }

  return handlers({
    get_prompt: {
      run: (call) => ({ prompt: [...call.invocation.facts.prompt] }),
    },
    history_page: {
      run: async (call, { conversation_id, run_id: _run, ...page }) => {
        ownConversation(call, conversation_id)
        return needs.history.page({ ...page, conversation_key: keyOf(call), up_to: await upTo(call) })
      },
    },
    history_search: {
      run: async (call, { query, filters, top_k }) => {
        ownConversation(call, textFilter(filters, 'conversation_id'))
        const roles = listFilter(filters, 'roles')
        const item_types = listFilter(filters, 'item_types')
        return needs.history.search({
          conversation_key: keyOf(call),
          up_to: await upTo(call),
          query,
          roles,
          item_types,
          top_k,
        })
      },
    },
    event_get: {
      run: async (call, { event_id }) => {
        const { facts } = call.invocation
        const record = await needs.events.record(event_id)
        const own = record?.event_id === facts.event_id
        const seen =
          own ||
          (facts.conversation_key !== null && record !== undefined && needs.visible(facts.conversation_key, record))
        if (record === undefined || !seen)
          throw new WireError('not_found', `No event ${event_id} can be seen from this run.`)
        const { conversation_key: _key, ...answer } = record
        return answer
      },
    },
    event_page: {
      run: (call, { conversation_id, event_types, before_cursor, limit }) => {
        ownConversation(call, conversation_id)
        return needs.events.page({ conversation_key: keyOf(call), event_types, before_cursor, limit })
      },
    },
    steering_pull: {
      // No message is given to a running run in this version, so nothing waits.
      run: () => ({ items: [] }),
    },
  })
}

/** The grant's flags need a conversation, so this is a fault of the host where there is none. */
function keyOf({ invocation }: Call<'run'>): string {
  const { conversation_key } = invocation.facts
  if (conversation_key === null) throw new TypeError('a run without conversation was granted its history')
  return conversation_key
}

function textFilter(filters: JsonObject, name: string): string | null {
  const value = filters[name] ?? null
  if (value === null || typeof value === 'string') return value
  throw new WireError('invalid_params', `"filters.${name}": expected text.`, { details: { field: `filters.${name}` } })
}

function listFilter(filters: JsonObject, name: string): readonly string[] | null {
  const value = filters[name] ?? null
  if (value === null) return null
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new WireError('invalid_params', `"filters.${name}": expected a list of texts.`, {
    details: { field: `filters.${name}` },
  })
}
