/** Fills a page with the few that fit of many: looks of one size, one budget for the page, and told exactly whether more follow. */

/** How many are looked at in one read. */
export const LOOK = 200
/** Looks for one page; a page that ends for them says that there may be more. */
export const LOOKS = 10

export interface Hit<T> {
  readonly position: number
  /** What of it fits; empty: nothing. */
  readonly items: readonly T[]
}

export interface Gathered<T> {
  readonly items: readonly T[]
  /** The last position that the page has used up, and the first that it looked at; `from` where there was none. */
  readonly last: number
  readonly first: number
  readonly has_more: boolean
}

/** What one position holds stays on one page, which may so become longer than `limit`. Fewer hits than LOOK are the end. */
export async function gather<T>(
  from: number,
  limit: number,
  look: (from: number) => Promise<readonly Hit<T>[]>,
): Promise<Gathered<T>> {
  const items: T[] = []
  let last = from
  let first: number | undefined
  const done = (has_more: boolean) => ({ items, last, first: first ?? from, has_more })
  for (let looks = 0, at = from; looks < LOOKS; looks++) {
    const hits = await look(at)
    first ??= hits[0]?.position
    for (const hit of hits) {
      if (hit.items.length > 0 && items.length >= limit) return done(true)
      items.push(...hit.items)
      at = hit.position
      last = hit.position
    }
    if (hits.length < LOOK) return done(false)
  }
  return done(true)
}
