/** Shapes that every subject uses: JSON, names, the one error shape, pages. */
import { z } from 'zod'

export const JsonSchema = z.json()
export const JsonObjectSchema = z.record(z.string(), JsonSchema)
export const NameSchema = z.string().trim().min(1).max(200)

/** The one error shape: `code` is stable, `message` says what was wrong and what to do, `at` where. */
export const ApiErrorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), at: z.string().nullable() }),
})

/** What views show in the place of a secret that has a value; sent back unchanged it keeps the stored one. */
export const SECRET_IS_SET = '(set)'

export const OkSchema = z.object({ ok: z.literal(true) })

/**
 * A page of a list. Both cursors stand for the page: as `before_cursor` for what is older than it, as `after_cursor` for what
 * is newer. `has_more` and `next_cursor` speak of the direction that was asked for. Cursors belong to the same filters.
 */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    next_cursor: z.string().nullable(),
    prev_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })

/** What every page takes: at most 100 items, older than a cursor. */
export const PageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  before_cursor: z.string().optional(),
})

/** From and until, in epoch milliseconds; both included. */
export const RangeQuerySchema = z.object({
  from: z.coerce.number().int().min(0).optional(),
  until: z.coerce.number().int().min(0).optional(),
})

/** Path parameters that are one name each. */
export const params = <K extends string>(...names: readonly K[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1)])) as Record<K, z.ZodString>)

/** Some of these, with commas between them: a word that is none of them is a mistake, and no list without hits. */
export const someOf = (known: readonly string[]) =>
  z.string().refine((text) => text.split(',').every((one) => known.includes(one)), {
    error: `must be of ${known.join(', ')}, with commas between them`,
  })
