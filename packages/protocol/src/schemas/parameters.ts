/** Parameters that many methods share (wire.md §5). Options take null for "not given". */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { PAGE_DIRECTIONS } from '../names.ts'
import { IntegerSchema, integerBetween, optional, withDefault } from './primitives.ts'

/** Names the invocation that a run-bound call belongs to. */
export const runShape = { run_id: z.string().min(1) }

/** Names the pipeline request that a query-bound call belongs to. */
export const queryShape = { query_id: IntegerSchema, query_uuid: optional(z.string()) }

/** How many items to give: at least 1; above the cap the cap holds, and `has_more` tells that there is more. */
export function itemLimit(fallback: number, cap: number) {
  return withDefault(
    integerBetween(1).transform((limit) => Math.min(limit, cap)),
    fallback,
  )
}

export const pageLimit = itemLimit(LIMITS.page_items_default.value, LIMITS.page_items.value)
export const cursor = optional(z.string().min(1))
export const backward = withDefault(z.enum(PAGE_DIRECTIONS), 'backward')
export const forward = withDefault(z.enum(PAGE_DIRECTIONS), 'forward')
export const optionalName = optional(z.string().min(1))
export const emptyResult = z.object({})
