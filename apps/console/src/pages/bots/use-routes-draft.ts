/** The unsaved routes and plugin processors of a bot. */
import { call, type Output } from '../../data/client.ts'
import { refresh } from '../../data/queries.ts'
import { type Draft, useDraft } from '../../forms/draft.ts'
import { draftOf, type RoutesDraft } from './routes-draft.ts'

export function useRoutesDraft(botUuid: string, stored: Output<'getRoutes'>): Draft<RoutesDraft> {
  return useDraft({
    stored: draftOf(stored),
    save: async ({ routes, plugin_processors }) => {
      await call('setRoutes', {
        params: { bot_uuid: botUuid },
        body: { routes: [...routes], plugin_processors: [...plugin_processors] },
      })
      refresh('getRoutes', 'getProcessor')
    },
  })
}
