/** Routes and subscriptions of bots: stored, checked, and kept ready to decide with. */
import { type Statement, type Store, StoreError } from '@runbound/store'
import { HostError } from '../errors.ts'
import { checkRoutes, checkSubscriptions } from './route-rules.ts'
import { compileTable, type RoutingTable } from './routing.ts'
import {
  insertRoute,
  insertSubscription,
  removeRoutes,
  removeSubscriptions,
  routesOf,
  subscriptionsOf,
} from './statements.ts'
import type { EventNeeds, Route, RouteFilter, RoutingDraft, Subscription } from './types.ts'

/** What replaces the routes or the subscriptions of a bot: the removal first, then one statement for each. */
interface Part {
  readonly what: 'routes' | 'subscriptions'
  readonly statements: readonly Statement[]
}

export class RouteStore {
  readonly #store: Store
  readonly #needs: EventNeeds
  readonly #tables = new Map<string, Promise<RoutingTable>>()

  constructor(store: Store, needs: EventNeeds) {
    this.#store = store
    this.#needs = needs
  }

  /** The table of a bot; read once, until it is changed. */
  table(botUuid: string): Promise<RoutingTable> {
    const known = this.#tables.get(botUuid)
    if (known !== undefined) return known
    const table = Promise.all([this.routes(botUuid), this.subscriptions(botUuid)]).then(([routes, subscriptions]) =>
      compileTable(routes, subscriptions),
    )
    this.#tables.set(botUuid, table)
    // A failed read must not stay: the next event tries again.
    table.catch(() => this.forget(botUuid))
    return table
  }

  /** A table of what is not saved, checked as if it were; what the draft leaves out is the stored. */
  async draft(botUuid: string, { routes, subscriptions }: RoutingDraft): Promise<RoutingTable> {
    await this.#bot(botUuid)
    if (routes !== undefined) await checkRoutes(routes, (id) => this.#needs.processor(id))
    if (subscriptions !== undefined) await checkSubscriptions(subscriptions, (id) => this.#needs.processor(id))
    return compileTable(
      routes?.map((route, position) => ({ ...route, bot_uuid: botUuid, position })) ?? (await this.routes(botUuid)),
      subscriptions?.map((one) => ({ ...one, bot_uuid: botUuid })) ?? (await this.subscriptions(botUuid)),
    )
  }

  forget(botUuid: string): void {
    this.#tables.delete(botUuid)
  }

  async routes(botUuid: string): Promise<readonly Route[]> {
    const rows = await this.#store.all(routesOf({ bot_uuid: botUuid }))
    return rows.map(({ workspace_uuid: _workspace, filters, enabled, ...row }) => ({
      ...row,
      filters: filtersFrom(filters),
      enabled: enabled === 1,
    }))
  }

  async subscriptions(botUuid: string): Promise<readonly Subscription[]> {
    const rows = await this.#store.all(subscriptionsOf({ bot_uuid: botUuid }))
    return rows.map(({ workspace_uuid: _workspace, enabled, ...row }) => ({ ...row, enabled: enabled === 1 }))
  }

  async setRoutes(botUuid: string, routes: readonly Omit<Route, 'bot_uuid' | 'position'>[]): Promise<void> {
    await this.#replace(botUuid, [await this.#routesPart(botUuid, routes)])
  }

  async setSubscriptions(botUuid: string, subscriptions: readonly Omit<Subscription, 'bot_uuid'>[]): Promise<void> {
    await this.#replace(botUuid, [await this.#subscriptionsPart(botUuid, subscriptions)])
  }

  /** Both are checked before either is written, and written in one unit. */
  async setRouting(
    botUuid: string,
    routes: readonly Omit<Route, 'bot_uuid' | 'position'>[],
    subscriptions: readonly Omit<Subscription, 'bot_uuid'>[],
  ): Promise<void> {
    const parts = [await this.#routesPart(botUuid, routes), await this.#subscriptionsPart(botUuid, subscriptions)]
    await this.#replace(botUuid, parts)
  }

  async #routesPart(botUuid: string, routes: readonly Omit<Route, 'bot_uuid' | 'position'>[]): Promise<Part> {
    const { workspace_uuid } = await this.#bot(botUuid)
    await checkRoutes(routes, (id) => this.#needs.processor(id))
    const inserts = routes.map((route, position) =>
      insertRoute({
        ...route,
        filters: JSON.stringify(route.filters),
        enabled: route.enabled ? 1 : 0,
        bot_uuid: botUuid,
        workspace_uuid,
        position,
      }),
    )
    return { what: 'routes', statements: [removeRoutes({ bot_uuid: botUuid }), ...inserts] }
  }

  async #subscriptionsPart(botUuid: string, subscriptions: readonly Omit<Subscription, 'bot_uuid'>[]): Promise<Part> {
    const { workspace_uuid } = await this.#bot(botUuid)
    await checkSubscriptions(subscriptions, (id) => this.#needs.processor(id))
    const inserts = subscriptions.map(({ processor_id, scope, enabled }) =>
      insertSubscription({ bot_uuid: botUuid, processor_id, workspace_uuid, scope, enabled: enabled ? 1 : 0 }),
    )
    return { what: 'subscriptions', statements: [removeSubscriptions({ bot_uuid: botUuid }), ...inserts] }
  }

  async #bot(botUuid: string) {
    const bot = await this.#needs.bot(botUuid)
    if (bot === undefined) throw new HostError('not_found', `There is no bot "${botUuid}".`)
    return bot
  }

  async #replace(botUuid: string, parts: readonly Part[]): Promise<void> {
    const places = parts.flatMap(({ what, statements }) => statements.map((_one, index) => `${what}[${index - 1}]`))
    try {
      await this.#store.commit(parts.flatMap(({ statements }) => statements))
    } catch (error) {
      if (!StoreError.is(error) || error.code !== 'refused') throw error
      const at = places[error.statement ?? 1] ?? 'routes'
      throw new HostError(
        'conflict',
        `${at}: its id belongs to another bot, or its bot or processor was just removed. Nothing was changed.`,
        { at, cause: error },
      )
    } finally {
      this.forget(botUuid)
    }
  }
}

/** The codec edge: only `setRoutes` fills this column. */
function filtersFrom(text: string): readonly RouteFilter[] {
  return JSON.parse(text) as RouteFilter[]
}
