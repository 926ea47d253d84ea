/** runs/ owns processors, runs, run_events (ledger), run_trace: the life of a run. It never touches a platform. */
import type { AdapterCapabilities } from '@runbound/platform-kit'
import type { AgentRun, AgentRunEvent, Json, JsonObject, RunEventPage, RunPage } from '@runbound/protocol'
import type { Statement } from '@runbound/store'
import type { Conversations } from '../conversations/types.ts'
import type { Delivery } from '../delivery/types.ts'
import type { EventEnvelope, EventRecord, Events } from '../events/types.ts'
import type { GrantThing } from '../gateway/grants/matrix.ts'
import type { RefusedBy } from '../gateway/grants/types.ts'
import type { HandlerTable } from '../gateway/types.ts'
import type { ModelInfo } from '../models/types.ts'
import type { Plugins } from '../plugins/types.ts'
import type { Storage } from '../storage/types.ts'
import type { ToolInfo } from '../tools/types.ts'
import type { Trail } from '../trail/types.ts'
import type { TimelinePage, TimelineRequest } from './timeline/types.ts'

export interface Processor {
  readonly processor_id: string
  readonly workspace_uuid: string
  readonly kind: 'agent' | 'plugin_processor' | 'pipeline'
  readonly name: string
  /** `plugin:author/name/runner`. */
  readonly runner_id: string
  readonly config: JsonObject
  readonly grants: OperatorGrants
  readonly options: ProcessorOptions
  readonly enabled: boolean
}

/** What the operator allows a processor. Lists name objects; `true` means all of them. */
export interface OperatorGrants {
  /** Event tools (`event_*`) that runs may use where the event permits. Default: `['event_reply']`. */
  readonly event_tools?: readonly string[] | true
  /** Platform tools with free targets (`platform_*`). Default: none. */
  readonly platform_tools?: readonly string[]
  /** Other tools by name (plugin, MCP, native). Default: none. */
  readonly tools?: readonly string[] | true
  readonly models?: readonly string[] | true
  readonly knowledge_bases?: readonly string[] | true
  /** Default: plugin true, workspace false. */
  readonly storage?: { readonly plugin?: boolean; readonly workspace?: boolean }
  /** Default: all four. */
  readonly state?: readonly string[]
  /** Default: what the manifest asks. */
  readonly history?: boolean
  readonly events?: boolean
  readonly interactions?: boolean
  /** `get_prompt`. Default: true. */
  readonly prompt?: boolean
  /** Reading and cancelling runs of the same conversation. Default: true. */
  readonly run_records?: boolean
  /** Taking follow-up inputs into an active run, where the Runner can. Default: true. */
  readonly steering?: boolean
  /** Lets ordinary runs use `run_append_result` and `run_finalize`. Default: false. */
  readonly run_admin?: boolean
}

export interface ProcessorOptions {
  /** What the chat user reads when a run fails or was interrupted. Empty: nothing. */
  readonly sentence?: string
  /** Default `retry`: a run without effect is repeated after a crash of the host. */
  readonly after_crash?: 'retry' | 'report'
  /** Total deadline of a run in seconds; 0: none. Default: the Runner's setting `timeout` (null or 0: none), else 300. */
  readonly deadline_seconds?: number
  /** Rows older than this are not run but dropped with a reason. Default 86,400. */
  readonly max_age_seconds?: number
  /** Prompt messages for `get_prompt`. */
  readonly prompt?: readonly JsonObject[]
  /** What `message.delta` and `message.completed` do: true only on pipelines. */
  readonly automatic_reply?: boolean
}

/** What conversations hands over when a row's turn comes; the statements join tx 2 and tx 5. */
export interface RunRequest {
  readonly row_id: string
  readonly envelope: EventEnvelope
  readonly processor: Processor
  readonly conversation_key: string | null
  readonly attempt: number
  readonly scope: 'chat' | 'member'
  /** Joined to the unit of the start (row active, history position). `runId` is new for each attempt. */
  opening(run: { readonly run_id: string; readonly owner: string; readonly epoch: number }): readonly Statement[]
  /** Joined to the unit of the end (row done, next row free). */
  closing(outcome: RunOutcome): readonly Statement[]
}

export interface RunOutcome {
  readonly run_id: string
  readonly status: 'completed' | 'failed' | 'cancelled' | 'timeout'
  readonly reason: string | null
  /** A stable code: `host_restarted`, `plugin_gone`, `runner_failed`, `deadline`, `cancelled`, ... */
  readonly code: string | null
  readonly effect: boolean
}

/** A ledger entry to be; the host alone gives `sequence`. */
export interface LedgerEntry {
  readonly type: string
  readonly data: JsonObject
  readonly usage?: JsonObject | null
  readonly source: 'runner' | 'host' | 'delivery' | 'admin'
  readonly metadata?: JsonObject
}

export interface Runs {
  /** Runs one row from tx 2 to tx 5. Never rejects: every way to end is an outcome. Before tx 2 fails: `not_started`. */
  start(
    request: RunRequest,
  ): Promise<RunOutcome | { readonly status: 'not_started'; readonly code: string; readonly message: string }>
  /** Asks a run to end; pushes to the plugin at once. False: not running (any more). */
  cancel(
    runId: string,
    by: { readonly kind: 'plugin' | 'operator' | 'user' | 'host'; readonly id?: string },
    reason: string | null,
  ): Promise<boolean>
  /** Runs that the previous owner left running: ended at once by conversations' recovery. */
  leftovers(): Promise<readonly LeftRun[]>
  /** Statements that end a left run (`failed`, reason `host_restarted`). */
  endLeft(run: LeftRun): readonly Statement[]
  readonly active: number
  /** Ids of the runs that are alive in this process. */
  running(): readonly string[]

  get(runId: string): Promise<AgentRun | undefined>
  list(request: RunListRequest): Promise<RunPage>
  /** The operator's list: filters, run id or text; without counting. WireError `invalid_cursor`. */
  search(search: RunSearch): Promise<FoundRuns>
  /** One run as that list shows it. */
  found(runId: string): Promise<FoundRun | undefined>
  /** Everything of a run in the order of time. WireError `invalid_cursor`. */
  timeline(request: TimelineRequest): Promise<TimelinePage>
  /** Runs of events, oldest first, by event id. */
  ofEvents(eventIds: readonly string[]): Promise<ReadonlyMap<string, readonly RunHead[]>>
  /** Some runs by id: for lists of what they said. */
  heads(runIds: readonly string[]): Promise<ReadonlyMap<string, RunHead>>
  events(request: RunEventsRequest): Promise<RunEventPage>
  /** What the host saw the run do, oldest first; capped. Items are TraceEntries. */
  trace(runId: string): Promise<readonly JsonObject[]>
  /** `{lines: GrantLine[]}`: why the run may or may not do each thing, as it was computed at its start. */
  explain(runId: string): Promise<JsonObject | undefined>
  /** The same in sentences, with who can change it; undefined: no such run. */
  grant(runId: string): Promise<readonly ExplainedLine[] | undefined>
  /** What a run of this processor would be allowed for this event, with everybody's word on it; nothing runs. HostError `invalid_config`. */
  grantMatrix(processor: Processor, envelope: EventEnvelope, conversationKey: string | null): readonly GrantThing[]
  /** Adds a ledger entry of the host or of delivery to another room's unit while the run is running; nothing afterwards. */
  ledger(runId: string, entry: LedgerEntry): readonly Statement[]
  /** Told after each commit, in the order of `sequence`; entries of other rooms' units are read with `events`. */
  onLedger(listener: (runId: string, events: readonly AgentRunEvent[]) => void): () => void

  readonly processors: Processors
  /** Handlers of `run_*`, `get_prompt`, `history_*`, `event_*` and `steering_pull`. */
  readonly handlers: HandlerTable
}

/** One line of a run's grant, with a sentence and who can change it. */
export interface ExplainedLine {
  readonly thing: string
  readonly allowed: boolean
  readonly by: RefusedBy | null
  readonly why: string
  readonly who: 'author' | 'operator' | 'user' | 'host' | null
}

export interface RunListRequest {
  readonly workspace_uuid: string
  readonly conversation_key?: string | null
  readonly processor_id?: string | null
  /** As plugins know it (`group_<id>`); of whichever bot. */
  readonly conversation_id?: string | null
  /** Null: all. */
  readonly statuses: readonly string[] | null
  readonly before_cursor: string | null
  /** Clamped to 1..100. */
  readonly limit: number
}

/** Null: not filtered by. */
export interface RunSearch {
  readonly workspace_uuid: string
  readonly statuses: readonly string[] | null
  readonly processor_id: string | null
  readonly installation_uuid: string | null
  readonly bot_uuid: string | null
  readonly actor_id: string | null
  readonly event_id: string | null
  readonly conversation_key: string | null
  readonly debug: boolean | null
  /** Milliseconds, both included. */
  readonly from: number | null
  readonly until: number | null
  /** The beginning of a run id, an event id, or words of a message. */
  readonly q: string | null
  readonly before_cursor: string | null
  readonly after_cursor: string | null
  readonly limit: number
}

/** The documented record and what views show beside it; times in milliseconds. */
export interface FoundRun {
  readonly record: AgentRun
  readonly installation_uuid: string
  readonly conversation_key: string | null
  readonly actor_id: string | null
  readonly event_type: string | null
  readonly processor_kind: string
  readonly reason_code: string | null
  readonly attempt: number
  readonly effect: boolean
  readonly debug: boolean
  readonly created_at: number
  readonly finished_at: number | null
  /** Null while it runs. */
  readonly duration_ms: number | null
  readonly last_sequence: number
}

/** As much of a run as other lists show. */
export interface RunHead {
  readonly run_id: string
  readonly event_id: string | null
  readonly status: string
  readonly processor_id: string
}

export interface FoundRuns {
  readonly items: readonly FoundRun[]
  readonly next_cursor: string | null
  readonly prev_cursor: string | null
  readonly has_more: boolean
}

/** Messages that hold all words, newest first: conversations/ has the texts. Positions below `below`. */
export type RunText = (request: {
  readonly workspace_uuid: string
  readonly words: string
  readonly below: number
  readonly limit: number
  /** The newest position of a search over several pages. */
  readonly ceiling: number
}) => Promise<readonly { readonly position: number; readonly event_id: string }[]>

export interface RunEventsRequest {
  readonly run_id: string
  readonly before_cursor: string | null
  readonly after_cursor: string | null
  /** Clamped to 1..100. */
  readonly limit: number
  readonly direction: 'forward' | 'backward'
}

/** What runs/ needs of other rooms; given by host.ts. */
export interface RunNeeds {
  readonly plugins: Pick<Plugins, 'runner' | 'place' | 'runRunner'>
  /** The running adapter's abilities; undefined while the bot is down (platforms/). */
  capabilities(botUuid: string): AdapterCapabilities | undefined
  readonly history: Pick<Conversations, 'cursor' | 'position' | 'page' | 'search'>
  /** Finds events by what was said (conversations/). */
  readonly text: RunText
  readonly events: Pick<Events, 'record' | 'page'>
  /** True when an event of this record may be seen from the conversation of a run (conversations/keys). */
  visible(conversationKey: string, record: EventRecord): boolean
  readonly storage: Pick<Storage, 'snapshot' | 'stateUpdate'>
  /** Tools of all sources but the platform (tools/). */
  tools(workspaceUuid: string): readonly ToolInfo[]
  /** Models of all engines (models/). */
  models(workspaceUuid: string): readonly ModelInfo[]
  readonly delivery: Pick<Delivery, 'sentence' | 'reply' | 'endRun'>
  readonly trail: Pick<Trail, 'because'>
}

export interface LeftRun {
  readonly run_id: string
  readonly row_id: string | null
  readonly effect: boolean
  readonly attempt: number
  readonly processor_id: string
  readonly event_id: string | null
}

export interface Processors {
  get(processorId: string): Promise<Processor | undefined>
  list(workspaceUuid: string): Promise<readonly Processor[]>
  /** What `put` would store: checked, with defaults filled in. HostError `invalid_config` as there. */
  checked(processor: Processor): Processor
  /** Creates or replaces. ConfigError names the field: unknown runner, wrong usage, config that does not fit the schema. */
  put(processor: Omit<Processor, 'workspace_uuid'> & { readonly workspace_uuid: string }): Promise<Processor>
  remove(processorId: string): Promise<void>
}

export type { Json }
