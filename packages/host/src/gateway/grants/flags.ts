/** The flags of `ctx.context.available_apis`: each says beforehand whether its call will be refused (host-behaviour.md §2.3). */
import { AVAILABLE_APIS, type AvailableApi, type ContextAPICapabilities } from '@runbound/protocol'
import { type Explanation, firstRefusal, type Refusal, unless } from './explanation.ts'
import type { GrantInput } from './types.ts'

/** What the flags that follow from other grants need to know of them. */
export interface GrantedSoFar {
  readonly reply: Refusal | null
  readonly state: boolean
  readonly storage: boolean
}

export function grantFlags(input: GrantInput, so: GrantedSoFar, explanation: Explanation): ContextAPICapabilities {
  const refusals = flagRefusals(input, so)
  const flags: Partial<Record<AvailableApi, boolean>> = {}
  for (const name of AVAILABLE_APIS) flags[name] = explanation.note(`flag:${name}`, refusals[name])
  return flags as ContextAPICapabilities
}

function flagRefusals(input: GrantInput, so: GrantedSoFar): Record<AvailableApi, Refusal | null> {
  const { operator, facts } = input
  const { history, events } = input.manifest.permissions
  const conversation = unless(facts.conversation_key !== null, 'event', 'the event belongs to no conversation')
  const byOperator = (on: boolean | undefined) => unless(on !== false, 'operator', 'the operator switched it off')
  const declared = (list: readonly string[], group: string, name: string) =>
    unless(list.includes(name), 'manifest', `the Runner does not declare permissions.${group} with "${name}"`)
  const records = byOperator(operator.run_records)
  const admin = unless(operator.run_admin === true, 'operator', 'ordinary runs may not write run records')

  return {
    box: { by: 'host', why: 'boxes are not available in this version of Runbound', reason: 'not_available' },
    reply_stream: so.reply,
    prompt_get: byOperator(operator.prompt),
    history_page: firstRefusal(declared(history, 'history', 'page'), byOperator(operator.history), conversation),
    history_search: firstRefusal(declared(history, 'history', 'search'), byOperator(operator.history), conversation),
    event_get: firstRefusal(declared(events, 'events', 'get'), byOperator(operator.events)),
    event_page: firstRefusal(declared(events, 'events', 'page'), byOperator(operator.events), conversation),
    state: unless(so.state, 'operator', 'no scope of state is switched on for this event'),
    storage: unless(so.storage, 'operator', 'neither plugin nor workspace storage is granted'),
    steering_pull: firstRefusal(
      unless(input.manifest.capabilities.steering, 'manifest', 'the Runner does not declare capabilities.steering'),
      byOperator(operator.steering),
      conversation,
    ),
    run_get: records,
    run_list: firstRefusal(records, conversation),
    run_events_page: records,
    run_cancel: records,
    run_append_result: admin,
    run_finalize: admin,
  }
}
