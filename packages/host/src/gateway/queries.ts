/** Which installation holds which query. pipelines/ hands queries out; a plugin's rights end when its invocation does. */
import type { Denial, QueryGrant } from '@runbound/protocol'
import type { LivingQuery } from './types.ts'

export class Queries {
  readonly #held = new Map<number, LivingQuery[]>()

  /** The newest hand-over of a query decides; the returned function takes this one back. */
  hand(query: LivingQuery): () => void {
    const held = this.#held.get(query.query_id)
    if (held === undefined) this.#held.set(query.query_id, [query])
    else held.push(query)
    return () => this.#takeBack(query)
  }

  /** The query as this installation holds it now. */
  get(queryId: number, installationUuid: string): LivingQuery | undefined {
    const newest = this.#held.get(queryId)?.at(-1)
    return newest?.installation_uuid === installationUuid ? newest : undefined
  }

  /** What one installation may do with queries. Another's query and none at all are the same refusal. */
  grantOf(installationUuid: string): QueryGrant {
    return {
      query: (queryId, queryUuid) => {
        const query = this.get(queryId, installationUuid)
        if (query === undefined) return unknownQuery(queryId)
        // The uuid is optional on the wire; when it is there it has to be the right one.
        if (queryUuid != null && queryUuid !== query.query_uuid) return unknownQuery(queryId)
        return null
      },
    }
  }

  #takeBack(query: LivingQuery): void {
    const held = this.#held.get(query.query_id)
    if (held === undefined) return
    const rest = held.filter((other) => other !== query)
    if (rest.length === 0) this.#held.delete(query.query_id)
    else this.#held.set(query.query_id, rest)
  }
}

function unknownQuery(queryId: number): Denial {
  return {
    reason: 'query_unknown',
    message: `No living query of this plugin has the id ${queryId}. Use the query_id that the current call was given.`,
  }
}
