/** The reason codes of the trail: every way in which an event ends with or without an answer, and who can change it. */
import type { TrailStep } from './types.ts'

/** Who has to act so that the next event of this kind is answered. */
export type TrailActor = 'nobody' | 'operator' | 'author' | 'user' | 'platform' | 'host'

export type TrailOutcome = 'answered' | 'failed' | 'silent' | 'open'

export interface TrailCodeFacts {
  readonly step: TrailStep
  /** One sentence for the operator; `{name}` is filled from the entry's details. */
  readonly says: string
  readonly who: TrailActor
  /**
   * What the entry decides: `answered` something was sent; `failed` and `silent` the way of the event (at one processor) is
   * over, by a fault or as the rules or the plugin want it; `open` it goes on.
   */
  readonly decides: TrailOutcome
  /** The issue that will write it. Absent: written today. */
  readonly reserved?: string
}

/** Pinned by a test: adding is fine, renaming breaks whoever reads trails. */
export const TRAIL_CODES = {
  // intake
  accepted: { step: 'intake', who: 'nobody', decides: 'open', says: 'The event was taken in.' },
  duplicate: {
    step: 'intake',
    who: 'nobody',
    decides: 'open',
    says: 'The platform delivered this event again; it was handled once, at its first delivery.',
  },
  invalid_event: {
    step: 'intake',
    who: 'author',
    decides: 'failed',
    says: 'The adapter handed in an event that does not fit its type: {fault}.',
  },
  unknown_bot: {
    step: 'intake',
    who: 'operator',
    decides: 'failed',
    says: 'The bot {bot_uuid} does not exist (any more).',
  },
  storage_full: {
    step: 'intake',
    who: 'operator',
    decides: 'failed',
    says: 'The disk of the host is full; the platform was asked to deliver again. Make room.',
  },
  storage_failed: {
    step: 'intake',
    who: 'operator',
    decides: 'failed',
    says: 'The database of the host could not write; the platform was asked to deliver again. See the log and run doctor.',
  },
  shutting_down: {
    step: 'intake',
    who: 'nobody',
    decides: 'failed',
    says: 'The host was stopping; the platform was asked to deliver again.',
  },
  backlog_full: {
    step: 'intake',
    who: 'operator',
    decides: 'failed',
    says: '{bound} already has {limit} events waiting, so this one was refused and its sender was told.',
  },
  // route
  routed: { step: 'route', who: 'nobody', decides: 'open', says: 'The event was handed to {processors}.' },
  no_route: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'No route of the bot and no plugin processor takes {event_type}. Add a route or attach a plugin processor.',
  },
  filters_mismatch: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'Routes for {event_type} exist, but their filters do not let this event through: {routes}.',
  },
  discarded: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'The route {route_id} discards this event.',
  },
  route_disabled: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'The only routes that fit are switched off: {routes}.',
  },
  pattern_mismatch: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'The route {route_id} is for {pattern} only.',
  },
  lower_priority: {
    step: 'route',
    who: 'operator',
    decides: 'open',
    says: 'Another route with a higher priority, or further up, took the event.',
  },
  processor_not_found: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'The processor {processor_id} does not exist (any more). Point the route at another one.',
  },
  processor_disabled: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'The processor {processor_id} is switched off. Switch it on, or point the route at another one.',
  },
  processor_incompatible: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'The processor {processor_id} does not take {event_type}.',
  },
  runner_unavailable: {
    step: 'route',
    who: 'operator',
    decides: 'silent',
    says: 'The Runner {runner_id} of {processor_id} is not there: its plugin is not installed, not approved or switched off.',
  },
  // admission
  too_old: {
    step: 'admission',
    who: 'operator',
    decides: 'silent',
    says: 'The event waited {age_seconds} s, longer than the {max_age_seconds} s that {processor_id} allows, and was not run.',
  },
  parked: {
    step: 'admission',
    who: 'nobody',
    decides: 'open',
    says: 'The event waits until {due_at}.',
    reserved: 'pipelines',
  },
  admission_failed: {
    step: 'admission',
    who: 'operator',
    decides: 'failed',
    says: 'The rules before the run failed, so nothing was run: {fault}.',
  },
  event_missing: {
    step: 'admission',
    who: 'host',
    decides: 'failed',
    says: 'The event is no longer in the database, so nothing could be run.',
  },
  group_rules: {
    step: 'admission',
    who: 'operator',
    decides: 'silent',
    says: 'The group rules do not let this message through.',
    reserved: 'pipelines',
  },
  access_denied: {
    step: 'admission',
    who: 'operator',
    decides: 'silent',
    says: 'The access list keeps {actor_id} out.',
    reserved: 'pipelines',
  },
  content_filtered: {
    step: 'admission',
    who: 'operator',
    decides: 'silent',
    says: 'The content filter stopped the message.',
    reserved: 'pipelines',
  },
  rate_limited: {
    step: 'admission',
    who: 'user',
    decides: 'silent',
    says: 'Too many messages in the window of the rate limit.',
    reserved: 'pipelines',
  },
  aggregated: {
    step: 'admission',
    who: 'nobody',
    decides: 'open',
    says: 'The message was joined to {event_id}.',
    reserved: 'pipelines',
  },
  prevented: {
    step: 'admission',
    who: 'author',
    decides: 'silent',
    says: 'The plugin {plugin_id} handled the message itself (prevent_default).',
    reserved: 'pipelines',
  },
  command: {
    step: 'admission',
    who: 'nobody',
    decides: 'answered',
    says: 'The message was a command and was executed.',
    reserved: 'pipelines',
  },
  command_unknown: {
    step: 'admission',
    who: 'user',
    decides: 'silent',
    says: 'The message began like a command, and no plugin has a command of that name.',
    reserved: 'pipelines',
  },
  cancel_word: {
    step: 'admission',
    who: 'user',
    decides: 'silent',
    says: 'The message asked to stop the active run.',
    reserved: 'pipelines',
  },
  steered: {
    step: 'admission',
    who: 'nobody',
    decides: 'open',
    says: 'The message was given to the active run {run_id}.',
    reserved: 'steering',
  },
  // run
  not_started: {
    step: 'run',
    who: 'operator',
    decides: 'failed',
    says: 'The run could not start: {fault}.',
  },
  plugin_down: {
    step: 'run',
    who: 'operator',
    decides: 'failed',
    says: 'The plugin of {processor_id} is not there, so nothing was run: {fault}.',
  },
  run_completed: {
    step: 'run',
    who: 'author',
    decides: 'silent',
    says: 'The run {run_id} of {processor_id} completed.',
  },
  run_failed: {
    step: 'run',
    who: 'author',
    decides: 'failed',
    says: 'The run {run_id} of {processor_id} failed: {reason}.',
  },
  run_cancelled: {
    step: 'run',
    who: 'nobody',
    decides: 'silent',
    says: 'The run {run_id} of {processor_id} was cancelled: {reason}.',
  },
  run_timeout: {
    step: 'run',
    who: 'author',
    decides: 'failed',
    says: 'The run {run_id} of {processor_id} passed its deadline.',
  },
  call_denied: {
    step: 'run',
    who: 'operator',
    decides: 'silent',
    says: 'A call of the run was refused: {reason}.',
  },
  queued_again: {
    step: 'run',
    who: 'nobody',
    decides: 'open',
    says: 'The host stopped during the run {run_id}, which had done nothing yet; it is run again (attempt {attempt}).',
  },
  interrupted: {
    step: 'run',
    who: 'operator',
    decides: 'failed',
    says: 'The host stopped during the run {run_id}; it is not repeated because {why}.',
  },
  // delivery
  delivered: { step: 'delivery', who: 'nobody', decides: 'answered', says: 'An answer was sent.' },
  sentence_delivered: {
    step: 'delivery',
    who: 'nobody',
    decides: 'open',
    says: 'The chat user was told by a sentence of the host.',
  },
  simulated: {
    step: 'delivery',
    who: 'nobody',
    decides: 'answered',
    says: 'An answer was produced; a debug run sends nothing.',
  },
  delivery_failed: {
    step: 'delivery',
    who: 'platform',
    decides: 'failed',
    says: 'The platform refused the answer: {error}.',
  },
  delivery_unknown: {
    step: 'delivery',
    who: 'operator',
    decides: 'failed',
    says: 'Nobody knows whether the platform took the answer; look into the chat, then resend or discard it.',
  },
  delivery_held: {
    step: 'delivery',
    who: 'operator',
    decides: 'failed',
    says: 'A part of the answer waits behind one whose outcome is unknown; resend or discard it.',
  },
  delivery_discarded: {
    step: 'delivery',
    who: 'operator',
    decides: 'failed',
    says: 'The answer was discarded: {reason}.',
  },
  produced_not_sent: {
    step: 'delivery',
    who: 'author',
    decides: 'silent',
    says: 'The Runner returned text without sending it; Agents and plugin processors speak through reply.',
  },
  budget_exceeded: {
    step: 'run',
    who: 'operator',
    decides: 'failed',
    says: 'The budget was used up before the run could call the model.',
    reserved: 'budgets',
  },
  approval_refused: {
    step: 'run',
    who: 'user',
    decides: 'silent',
    says: 'The action was not approved.',
    reserved: 'approvals',
  },
} as const satisfies Record<string, TrailCodeFacts>

export type TrailCode = keyof typeof TRAIL_CODES

/** True for a known reason code. */
export function isTrailCode(code: string): code is TrailCode {
  return Object.hasOwn(TRAIL_CODES, code)
}

/** The sentence of a code with its details filled in; a detail that is missing reads `?`. */
export function trailSentence(code: TrailCode, details: Readonly<Record<string, unknown>> = {}): string {
  const filled = TRAIL_CODES[code].says.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = details[name]
    if (value === undefined || value === null) return '?'
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
  // A fault that is a sentence itself brings its own full stop.
  return filled.replace(/\.\.$/, '.')
}
