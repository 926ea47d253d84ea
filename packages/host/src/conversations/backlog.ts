/** Bounds on what may wait: per lane and per workspace. The newest is refused, never an older one. */

export interface BacklogBounds {
  readonly maxPerLane: number
  readonly maxPerWorkspace: number
}

interface Place {
  readonly lane: string
  readonly workspace_uuid: string
}

export class Backlog {
  readonly #bounds: BacklogBounds
  readonly #lanes = new Map<string, number>()
  readonly #workspaces = new Map<string, number>()
  #open = 0

  constructor(bounds: BacklogBounds) {
    this.#bounds = bounds
  }

  /** Rows that are not done. */
  get open(): number {
    return this.#open
  }

  /** The bound that one more row would break; null: there is room. */
  full({ lane, workspace_uuid }: Place): { readonly bound: string; readonly limit: number } | null {
    const { maxPerLane, maxPerWorkspace } = this.#bounds
    if ((this.#lanes.get(lane) ?? 0) >= maxPerLane) return { bound: 'The conversation', limit: maxPerLane }
    if ((this.#workspaces.get(workspace_uuid) ?? 0) >= maxPerWorkspace) {
      return { bound: 'The workspace', limit: maxPerWorkspace }
    }
    return null
  }

  add({ lane, workspace_uuid }: Place): void {
    this.#open++
    this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + 1)
    this.#workspaces.set(workspace_uuid, (this.#workspaces.get(workspace_uuid) ?? 0) + 1)
  }

  remove({ lane, workspace_uuid }: Place): void {
    this.#open--
    lower(this.#lanes, lane)
    lower(this.#workspaces, workspace_uuid)
  }
}

function lower(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1
  // Lanes come and go with conversations: what is empty leaves nothing behind.
  if (left <= 0) counts.delete(key)
  else counts.set(key, left)
}
