/** Administrator calls without a run: runtimes, claims, statistics (wire.md §5.5). */
import * as z from 'zod'
import { form, method } from '../method.ts'
import {
  AgentRuntimeSchema,
  RunnerStatsPageSchema,
  RunStatsSchema,
  RuntimePageSchema,
  RuntimeStatsSchema,
} from '../schemas/admin-records.ts'
import { cursor, optionalName, pageLimit } from '../schemas/parameters.ts'
import {
  IntegerSchema,
  integerBetween,
  JsonObjectSchema,
  NumberSchema,
  optional,
  TextMapSchema,
  withDefault,
} from '../schemas/primitives.ts'
import { AgentRunSchema } from '../schemas/records.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.5'
const administerRuns = 'agent_run:admin'
const administerRuntimes = 'runtime:admin'

const runtimeId = { runtime_id: z.string().min(1) }
const status = withDefault(z.string().min(1), 'online')
const lease = { lease_seconds: withDefault(integerBetween(1, 86_400), 60) }
const claim = { target_run_id: z.string().min(1), ...runtimeId, claim_token: z.string().min(1) }
const span = { start_time: optional(IntegerSchema), end_time: optional(IntegerSchema) }

export const runnerList = method({
  name: 'runner_list',
  from: 'plugin',
  summary: 'Lists Runners, of some plugins or of all.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ include_plugins: optional(z.array(z.string().min(1))) }),
      result: z.object({ items: z.array(JsonObjectSchema) }),
      effect: 'none',
      waits: waits.runner_list.installation,
      authorize: ({ installation }) => installation.admin(administerRuns),
    }),
  },
})

export const runtimeRegister = method({
  name: 'runtime_register',
  from: 'plugin',
  summary: 'Makes an outside runtime known.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        ...runtimeId,
        status,
        display_name: optionalName,
        endpoint: optionalName,
        version: optionalName,
        capabilities: withDefault(JsonObjectSchema, {}),
        labels: withDefault(TextMapSchema, {}),
        metadata: withDefault(JsonObjectSchema, {}),
        heartbeat_deadline_at: optional(NumberSchema),
      }),
      result: AgentRuntimeSchema,
      effect: 'host',
      waits: waits.runtime_register.installation,
      authorize: ({ installation }) => installation.admin(administerRuntimes),
    }),
  },
})

export const runtimeHeartbeat = method({
  name: 'runtime_heartbeat',
  from: 'plugin',
  summary: 'Says that an outside runtime is alive.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        ...runtimeId,
        status,
        capabilities: optional(JsonObjectSchema),
        labels: optional(TextMapSchema),
        metadata: optional(JsonObjectSchema),
        heartbeat_deadline_at: optional(NumberSchema),
      }),
      result: AgentRuntimeSchema,
      effect: 'host',
      waits: waits.runtime_heartbeat.installation,
      authorize: ({ installation }) => installation.admin(administerRuntimes),
    }),
  },
})

export const runtimeList = method({
  name: 'runtime_list',
  from: 'plugin',
  summary: 'Lists outside runtimes.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        statuses: optional(z.array(z.string().min(1))),
        labels: withDefault(TextMapSchema, {}),
        cursor,
        limit: pageLimit,
      }),
      result: RuntimePageSchema,
      effect: 'none',
      waits: waits.runtime_list.installation,
      authorize: ({ installation }) => installation.admin(administerRuntimes),
    }),
  },
})

export const runtimeReconcile = method({
  name: 'runtime_reconcile',
  from: 'plugin',
  summary: 'Marks silent runtimes as stale and frees what they had claimed.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ stale_after_seconds: optional(NumberSchema) }),
      result: JsonObjectSchema,
      effect: 'host',
      waits: waits.runtime_reconcile.installation,
      authorize: ({ installation }) => installation.admin(administerRuntimes),
    }),
  },
})

export const runClaim = method({
  name: 'run_claim',
  from: 'plugin',
  summary: 'Claims the next queued run for an outside runtime.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({
        ...runtimeId,
        queue_name: optionalName,
        ...lease,
        runner_ids: optional(z.array(z.string().min(1))),
      }),
      result: AgentRunSchema,
      effect: 'host',
      waits: waits.run_claim.installation,
      authorize: ({ installation }) => installation.admin(administerRuntimes),
    }),
  },
})

export const runRenewClaim = method({
  name: 'run_renew_claim',
  from: 'plugin',
  summary: 'Keeps a claimed run for longer.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ ...claim, ...lease }),
      result: AgentRunSchema,
      effect: 'host',
      waits: waits.run_renew_claim.installation,
      authorize: ({ installation }) => installation.admin(administerRuntimes),
    }),
  },
})

export const runReleaseClaim = method({
  name: 'run_release_claim',
  from: 'plugin',
  summary: 'Gives a claimed run back to its queue.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ ...claim, reason: optional(z.string()) }),
      result: AgentRunSchema,
      effect: 'host',
      waits: waits.run_release_claim.installation,
      authorize: ({ installation }) => installation.admin(administerRuntimes),
    }),
  },
})

export const runStats = method({
  name: 'run_stats',
  from: 'plugin',
  summary: 'Counts runs and their times.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ ...span, runner_id: optionalName }),
      result: RunStatsSchema,
      effect: 'none',
      waits: waits.run_stats.installation,
      authorize: ({ installation }) => installation.admin(administerRuns),
    }),
  },
})

export const runtimeStats = method({
  name: 'runtime_stats',
  from: 'plugin',
  summary: 'Counts outside runtimes.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({}),
      result: RuntimeStatsSchema,
      effect: 'none',
      waits: waits.runtime_stats.installation,
      authorize: ({ installation }) => installation.admin(administerRuntimes),
    }),
  },
})

export const runnerStats = method({
  name: 'runner_stats',
  from: 'plugin',
  summary: 'Counts the runs of each Runner.',
  source,
  forms: {
    installation: form('installation', {
      params: z.object({ ...span, limit: pageLimit }),
      result: RunnerStatsPageSchema,
      effect: 'none',
      waits: waits.runner_stats.installation,
      authorize: ({ installation }) => installation.admin(administerRuns),
    }),
  },
})
