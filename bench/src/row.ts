/** What a benchmark says: one row per figure, each with its bar of DESIGN §11. */

/** How a figure is judged; absent: shown, but nothing is promised about it. */
export interface Bar {
  /** The bar as DESIGN writes it, such as `>= 500/s`. */
  readonly text: string
  met(figures: { readonly ours: number; readonly ratio: number | null }): boolean
}

export interface Row {
  readonly name: string
  /** `ms`, `/s`, `MiB`, `count` ... */
  readonly unit: string
  readonly ours: number
  /** The yardstick of the same run: bare relay, raw echo, or the small table; null: there is none. */
  readonly raw: number | null
  /** The reference host's figure in the same unit; null without `--peer`. */
  readonly peer: number | null
  /** `ours / raw`, from pairs where pairs were taken; null without a yardstick. */
  readonly ratio: number | null
  readonly bar: string | null
  /** False: missed. Null: there is no bar. */
  readonly ok: boolean | null
  /** How many times better than the peer, whether the figure is a time, a rate or a size. */
  readonly vs_peer: number | null
  /** What a reader has to know to read the figure. */
  readonly note: string | null
}

export interface Figures {
  readonly name: string
  readonly unit: string
  readonly ours: number
  readonly raw?: number
  readonly ratio?: number
  readonly bar?: Bar
  readonly note?: string
}

/** Makes a row and judges it; `peer` joins later. */
export function row({ name, unit, ours, raw, ratio, bar, note }: Figures): Row {
  const share = ratio ?? (raw === undefined || raw === 0 ? null : ours / raw)
  return {
    name,
    unit,
    ours,
    raw: raw ?? null,
    peer: null,
    ratio: share,
    bar: bar?.text ?? null,
    ok: bar?.met({ ours, ratio: share }) ?? null,
    vs_peer: null,
    note: note ?? null,
  }
}

/** Adds the reference host's figure. More is better for rates, less for everything else. */
export function withPeer(own: Row, peer: number): Row {
  return { ...own, peer, vs_peer: own.unit.endsWith('/s') ? own.ours / peer : peer / own.ours }
}

export const atMost = (limit: number, unit: string): Bar => ({
  text: `<= ${limit} ${unit}`,
  met: ({ ours }) => ours <= limit,
})
export const atLeast = (limit: number, unit: string): Bar => ({
  text: `>= ${limit}${unit}`,
  met: ({ ours }) => ours >= limit,
})
export const exactly = (value: number): Bar => ({ text: `${value}`, met: ({ ours }) => ours === value })
/** A share of the yardstick, from 0 to 1. */
export const shareOfRaw = (share: number): Bar => ({
  text: `>= ${share * 100} % of raw`,
  met: ({ ratio }) => ratio !== null && ratio >= share,
})
/** Both that and within a fifth of the yardstick. */
export const sameAsRaw = (limit: number): Bar => ({
  text: `< ${limit} ms, +-20 %`,
  met: ({ ours, ratio }) => ours < limit && ratio !== null && ratio <= 1.2,
})
