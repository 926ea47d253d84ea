/** What can be wrong with a processor besides its Runner's settings: names, grants, options. Every fault names its field. */
import { platformTool, STATE_SCOPES } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import type { OperatorGrants, Processor, ProcessorOptions } from './types.ts'

const NAME_LENGTH = 100
const SENTENCE_LENGTH = 2_000

/** Throws HostError `invalid_config`. */
export function refuseFaults({ name, processor_id, grants, options }: Processor): void {
  if (processor_id === '') throw fault('processor_id', 'it must not be empty')
  if (name.trim() === '' || name.length > NAME_LENGTH) throw fault('name', `expected 1 to ${NAME_LENGTH} characters`)
  refuseGrants(grants)
  refuseOptions(options)
}

function refuseGrants({ event_tools, platform_tools, state }: OperatorGrants): void {
  if (Array.isArray(event_tools)) refuseTools('grants.event_tools', event_tools, 'event')
  refuseTools('grants.platform_tools', platform_tools ?? [], 'platform')
  for (const [index, scope] of (state ?? []).entries()) {
    const known = (STATE_SCOPES as readonly string[]).includes(scope)
    if (!known) throw fault(`grants.state[${index}]`, `expected one of ${STATE_SCOPES.join(', ')}`)
  }
}

function refuseTools(at: string, names: readonly string[], scope: 'event' | 'platform'): void {
  for (const [index, name] of names.entries()) {
    if (platformTool(name)?.scope !== scope) throw fault(`${at}[${index}]`, `there is no tool "${name}" of this kind`)
  }
}

function refuseOptions({ sentence, deadline_seconds, max_age_seconds, after_crash }: ProcessorOptions): void {
  if (sentence !== undefined && sentence.length > SENTENCE_LENGTH) {
    throw fault('options.sentence', `expected at most ${SENTENCE_LENGTH} characters`)
  }
  if (deadline_seconds !== undefined && !(deadline_seconds >= 0))
    throw fault('options.deadline_seconds', 'expected 0 or more')
  if (max_age_seconds !== undefined && !(max_age_seconds > 0))
    throw fault('options.max_age_seconds', 'expected more than 0')
  if (after_crash !== undefined && after_crash !== 'retry' && after_crash !== 'report') {
    throw fault('options.after_crash', 'expected "retry" or "report"')
  }
}

function fault(at: string, problem: string): HostError {
  return new HostError('invalid_config', `${at}: ${problem}.`, { at })
}
