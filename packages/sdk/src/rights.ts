/** What a Runner declares and what follows from it for the type of its context (DESIGN §5, entities.md §1.10). */
import type { PermissionGroup, PermissionOf, RunnerCapability } from '@runbound/protocol'

/**
 * `spec.permissions` of a Runner: group to operations. An upper bound; the operator and the event decide what a run has,
 * and `ctx.context.available_apis` and `ctx.resources` say it. Default: nothing.
 */
export type Permissions = { readonly [G in PermissionGroup]?: readonly PermissionOf<G>[] }

/** `spec.capabilities` of a Runner. Each is false unless declared. */
export type Capabilities = { readonly [C in RunnerCapability]?: boolean }

/** Turns every key of `T` that `Known` does not have into `never`, so that a misspelt name does not compile. */
export type OnlyKeysOf<T, Known> = { readonly [X in Exclude<keyof T, keyof Known>]: never }

/** True if the operation was asked for. */
export type Asked<
  P extends Permissions,
  G extends PermissionGroup,
  O extends PermissionOf<G>,
> = P[G] extends readonly (infer U)[] ? (O extends U ? true : false) : false

/** True if the capability was declared. */
export type Declared<K extends Capabilities, C extends RunnerCapability> = K[C] extends true ? true : false

/** True if both are true. */
export type Both<A extends boolean, B extends boolean> = A extends true ? B : false

/** `T` if the condition holds, else nothing to intersect with. */
export type When<Condition extends boolean, T> = Condition extends true ? T : unknown

/** Replies and tool calls: capability `tool_calling` and permission `tools: ['call']`, as documented. */
export type MayCallTools<P extends Permissions, K extends Capabilities> = Both<
  Declared<K, 'tool_calling'>,
  Asked<P, 'tools', 'call'>
>

/** Knowledge bases: capability `knowledge_retrieval` and the permission of that operation. */
export type MayUseKnowledge<
  P extends Permissions,
  K extends Capabilities,
  O extends PermissionOf<'knowledge_bases'>,
> = Both<Declared<K, 'knowledge_retrieval'>, Asked<P, 'knowledge_bases', O>>

/** Every permission, for code that works with any Runner. */
export interface EveryPermission {
  readonly models: readonly PermissionOf<'models'>[]
  readonly tools: readonly PermissionOf<'tools'>[]
  readonly knowledge_bases: readonly PermissionOf<'knowledge_bases'>[]
  readonly history: readonly PermissionOf<'history'>[]
  readonly events: readonly PermissionOf<'events'>[]
  readonly storage: readonly PermissionOf<'storage'>[]
  readonly interactions: readonly PermissionOf<'interactions'>[]
}

/** Every capability, for code that works with any Runner. */
export type EveryCapability = { readonly [C in RunnerCapability]: true }
