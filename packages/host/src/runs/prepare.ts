/** Everything that is computed before a run starts: its Runner, its grant, its context. Nothing is written here. */
import type { RunnerContext } from '@runbound/protocol'
import { LIMITS } from '@runbound/protocol'
import type { Clock } from '../clock.ts'
import type { GrantCache } from '../gateway/grants/cache.ts'
import type { ComputedGrant } from '../gateway/grants/types.ts'
import type { RunFacts } from '../gateway/types.ts'
import type { ModelInfo } from '../models/types.ts'
import type { RunnerDescriptor } from '../plugins/types.ts'
import type { StateObject } from '../storage/types.ts'
import { timeId } from '../time-id.ts'
import { buildContext, deadlineOf } from './context.ts'
import { factsOf } from './facts.ts'
import type { RunNeeds, RunRequest } from './types.ts'
import { usageFault } from './usage.ts'

export interface Prepared {
  readonly run_id: string
  readonly runner: RunnerDescriptor
  readonly facts: RunFacts
  readonly computed: ComputedGrant
  readonly context: RunnerContext
  readonly stateObject: StateObject
  readonly deadlineAt: number | null
}

export interface NotPrepared {
  readonly code: string
  readonly message: string
}

const NO_HISTORY = { latest_cursor: null, transcript_seq: null, has_history_before: false } as const

export async function prepare(
  request: RunRequest,
  needs: RunNeeds,
  grants: GrantCache,
  clock: Clock,
  version: string,
): Promise<Prepared | NotPrepared> {
  const { envelope, processor, attempt } = request
  const runner = needs.plugins.runner(processor.runner_id)
  if (!('manifest' in runner)) return runner
  const fault = usageFault(processor.kind, runner)
  if (fault !== null) return { code: 'runner.usage_mismatch', message: fault }

  const facts = factsOf(envelope, processor, request.conversation_key)
  const { workspace_uuid } = processor
  const capabilities = facts.bot_uuid === null ? undefined : needs.capabilities(facts.bot_uuid)
  const models = needs.models(workspace_uuid)
  const computed = grants.of(processor, {
    manifest: runner.manifest,
    operator: processor.grants,
    config: processor.config,
    facts,
    platform: capabilities,
    tools: needs.tools(workspace_uuid),
    models,
  })
  const stateObject: StateObject = {
    workspace_uuid,
    processor_id: processor.processor_id,
    bot_uuid: facts.bot_uuid,
    conversation_key: facts.conversation_key,
    actor: facts.actor,
    subject: facts.subject,
    debug: facts.simulate !== null,
  }
  const { conversation_key, event_id } = facts
  const [history, state] = await Promise.all([
    conversation_key === null ? NO_HISTORY : needs.history.cursor(conversation_key, event_id),
    needs.storage.snapshot(stateObject, computed.state_scopes),
  ])
  const now = clock.now()
  const run_id = timeId(now)
  const deadlineAt = deadlineOf(processor, now, LIMITS.run_time_default.value)
  const context = buildContext({
    run_id,
    envelope,
    processor,
    facts,
    computed,
    capabilities,
    history,
    state,
    deadlineAt,
    attempt,
    version,
    contextWindow: contextWindowOf(computed, models),
  })
  return { run_id, runner, facts, computed, context, stateObject, deadlineAt }
}

/** Of the first granted chat model, where its engine knows. */
function contextWindowOf({ resources }: ComputedGrant, models: readonly ModelInfo[]): number | null {
  const chat = resources.models.find(({ model_type }) => model_type === 'chat')
  return models.find(({ model_id }) => model_id === chat?.model_id)?.context_window ?? null
}
