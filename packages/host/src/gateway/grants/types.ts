/** What a grant is computed from, and what comes out: manifest ∩ operator ∩ event and platform (∩ actor, when people differ). */
import type { AdapterCapabilities } from '@runbound/platform-kit'
import type { AgentResources, ContextAPICapabilities, JsonObject, RunnerManifest } from '@runbound/protocol'
import type { ModelInfo } from '../../models/types.ts'
import type { OperatorGrants } from '../../runs/types.ts'
import type { ToolInfo } from '../../tools/types.ts'
import type { RunFacts } from '../types.ts'
import type { ComputedRunGrant } from './run-grant.ts'

/** Who said no. */
export type RefusedBy = 'manifest' | 'operator' | 'event' | 'platform' | 'host'

/** One line of the explanation, kept with the run. */
export interface GrantLine {
  /** `flag:history_page`, `tool:event_reply`, `state:actor`, `storage:plugin`, `model:<id>`, `interactions`. */
  readonly thing: string
  readonly allowed: boolean
  readonly by?: RefusedBy
  /** Why not, in one sentence that says what to do. */
  readonly why?: string
}

export interface GrantInput {
  readonly manifest: Pick<RunnerManifest, 'capabilities' | 'permissions' | 'config_schema'>
  readonly operator: OperatorGrants
  readonly config: JsonObject
  readonly facts: RunFacts
  /** Undefined: the run has no bot, or the bot is down. */
  readonly platform: AdapterCapabilities | undefined
  /** Tools of all sources but the platform. */
  readonly tools: readonly ToolInfo[]
  readonly models: readonly ModelInfo[]
}

export interface ComputedGrant {
  readonly grant: ComputedRunGrant
  readonly resources: AgentResources
  readonly available_apis: ContextAPICapabilities
  /** State scopes that are on and have an object. */
  readonly state_scopes: readonly string[]
  readonly lines: readonly GrantLine[]
  /** The same as JSON, for the record of the run. */
  readonly lines_text: string
}
