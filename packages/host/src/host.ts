/** Puts the rooms together: who needs what of whom, and in which order they start and stop. Nothing else knows all rooms. */
import { randomUUID } from 'node:crypto'
import type { IncomingRequest, ServablePlugin } from '@runbound/link'
import { WireError } from '@runbound/protocol'
import { openStore, type Store } from '@runbound/store'
import { type Clock, systemClock } from './clock.ts'
import { createConversations } from './conversations/conversations.ts'
import { targetKey, visibleFrom } from './conversations/keys.ts'
import type { ConversationOptions, Conversations } from './conversations/types.ts'
import { createDelivery } from './delivery/delivery.ts'
import type { Delivery, DeliveryNeeds } from './delivery/types.ts'
import { createEvents } from './events/events.ts'
import type { EventOptions, Events } from './events/types.ts'
import { createGateway } from './gateway/gateway.ts'
import { installationGrant } from './gateway/grants/installation-grant.ts'
import { pluginPermissions } from './gateway/grants/plugin-permissions.ts'
import type { Caller, Gateway } from './gateway/types.ts'
import { apiHandlers } from './http/handlers.ts'
import { startServer } from './http/server.ts'
import type { HttpServer } from './http/types.ts'
import { createIdentity } from './identity/identity.ts'
import type { Identity } from './identity/types.ts'
import type { Logger } from './logger.ts'
import { createModels } from './models/models.ts'
import type { ModelEngine } from './models/types.ts'
import { createPlatforms } from './platforms/platforms.ts'
import type { PlatformLoaders, Platforms } from './platforms/types.ts'
import { createPlugins } from './plugins/plugins.ts'
import type { NodeRuntime } from './plugins/process/node-command.ts'
import type { Installation, PluginLink, Plugins } from './plugins/types.ts'
import { createRuns } from './runs/runs.ts'
import type { Runs } from './runs/types.ts'
import { createSettled } from './settled.ts'
import { localSignals, type Signals } from './signals.ts'
import { createStorage } from './storage/storage.ts'
import type { Storage } from './storage/types.ts'
import { learnsSecrets } from './telemetry/known-secrets.ts'
import { createLogger } from './telemetry/log.ts'
import { createTelemetry } from './telemetry/telemetry.ts'
import type { OtlpOptions } from './telemetry/types.ts'
import { createTools } from './tools/tools.ts'
import type { ToolSource } from './tools/types.ts'
import { createTrail } from './trail/trail.ts'
import type { Trail } from './trail/types.ts'
import { unavailableHandlers } from './unavailable/methods.ts'

/** The host's version as plugins read it. */
export const VERSION = 'v0.1.0'

/** What the chat user reads when an answer failed or was cut off and its processor has no sentence of its own. */
const FAILED_SENTENCE = 'Sorry, something went wrong with this message. Please send it again.'

export interface HostOptions {
  /** The data folder; null: everything in memory (the author's kit, tests). */
  readonly folder: string | null
  /** Platform packages by name. */
  readonly platforms: PlatformLoaders
  /** How TypeScript plugins are started; null: inline plugins only. */
  readonly runtime: NodeRuntime | null
  /** Plugins that ship with this host: there before any waiting work is taken up. One that fails holds nothing up. */
  readonly inline?: readonly ServablePlugin[]
  /** Absent: no HTTP. */
  readonly http?: {
    readonly hostname?: string
    readonly port: number
    readonly allowedHosts?: readonly string[]
    /** Where people reach this host through a reverse proxy, such as `https://bots.example`; its cookies are `Secure` then. */
    readonly publicUrl?: string
    /** Folder of the built console; absent: none. */
    readonly console?: string
  }
  readonly synchronous?: 'normal' | 'full'
  readonly logger?: Logger
  /** Where traces go. Absent: nowhere; they cost nothing. */
  readonly otlp?: OtlpOptions
  readonly clock?: Clock
  readonly models?: ModelEngine | null
  readonly toolSources?: readonly ToolSource[]
  readonly conversations?: ConversationOptions
  readonly events?: EventOptions
  /** Checks every answer to a plugin against its record: tests and development. */
  readonly checkAnswers?: boolean
}

export interface Host {
  readonly identity: Identity
  readonly events: Events
  readonly conversations: Conversations
  readonly runs: Runs
  readonly gateway: Gateway
  readonly plugins: Plugins
  readonly platforms: Platforms
  readonly delivery: Delivery
  readonly storage: Storage
  readonly trail: Trail
  readonly signals: Signals
  readonly store: Store
  readonly logger: Logger
  /** Absent without HTTP. */
  readonly http: HttpServer | null
  readonly firstStart: boolean
  /** Drains for `drainMs` (default 10,000), then interrupts what still runs, and closes. Idempotent. */
  stop(options?: { readonly drainMs?: number }): Promise<void>
}

/** Starts a host. HostError and StoreError say what is wrong with folder, port or database, and what to do. */
export async function startHost(options: HostOptions): Promise<Host> {
  const clock = options.clock ?? systemClock
  const logger = options.logger ?? createLogger()
  const { folder } = options
  const store = await openStore({
    folder: folder ?? ':memory:',
    ...(options.synchronous === undefined ? {} : { synchronous: options.synchronous }),
    onBackup: (file) => logger.info({ file }, 'The database was copied before it is migrated'),
  })
  try {
    return await assemble({ ...options, store, clock, logger })
  } catch (error) {
    await store.close().catch(() => undefined)
    throw error
  }
}

type Parts = HostOptions & { readonly store: Store; readonly clock: Clock; readonly logger: Logger }

async function assemble(parts: Parts): Promise<Host> {
  const { store, clock, folder } = parts
  const startedAt = clock.now()
  let stopping: Promise<void> | undefined
  const signals = localSignals()
  const owner = randomUUID()
  const known = await createIdentity({ store, clock, folder })
  const telemetry = createTelemetry({
    store,
    clock,
    logger: parts.logger,
    version: VERSION,
    instanceUuid: known.instance_uuid,
    otlp: parts.otlp ?? null,
    plugins: () => plugins.list(),
    activeRuns: () => runs.active,
  })
  const { logger } = telemetry
  telemetry.watch(signals)
  // Every secret of a setting is sealed or opened here: the log learns what it must not write.
  const identity = learnsSecrets(known, telemetry.hides)
  const { firstStart } = await identity.prepare()
  const trail = telemetry.trail(createTrail({ store, clock }))
  const storage = createStorage({ store, clock })
  const gateway = createGateway({
    store,
    clock,
    logger,
    elsewhere: ['register_plugin'],
    checkAnswers: parts.checkAnswers ?? false,
    watch: telemetry.call,
  })
  const models = createModels()
  if (parts.models != null) models.register(parts.models)

  /** One caller for each state of an installation: what the operator changes makes a new one, and counts from the next call. */
  const callers = new WeakMap<Installation, Caller>()
  function callerOf({ installation_uuid, plugin_id, workspace_uuid, source }: PluginLink): Caller {
    const installation = plugins.installation(installation_uuid)
    if (installation === undefined) {
      throw new WireError('permission_denied', `Plugin ${plugin_id} is not installed any more: it has no rights here.`)
    }
    let caller = callers.get(installation)
    if (caller === undefined) {
      const grant = installationGrant(installation.installation_grant, installation.manifest)
      caller = { installation_uuid, plugin_id, workspace_uuid, source, grant }
      callers.set(installation, caller)
    }
    return caller
  }

  const plugins = createPlugins({
    store,
    clock,
    logger,
    signals,
    folder,
    runtime: parts.runtime,
    workspace_uuid: identity.workspace_uuid,
    instance_uuid: identity.instance_uuid,
    secrets: identity,
    needs: {
      request: (link: PluginLink, request: IncomingRequest) => gateway.handle(callerOf(link), request),
      forget: (installationUuid) => [storage.forgetPlugin(installationUuid)],
      // Runs end by themselves: their stream breaks with the link.
      gone: (link, why) => logger.info({ plugin_id: link.plugin_id }, `A plugin is gone: ${why}`),
    },
  })

  const platforms = createPlatforms({
    store,
    identity,
    loaders: parts.platforms,
    clock,
    logger,
    folder,
    needs: {
      accept: (botUuid, event) =>
        telemetry.accept(event, () =>
          stopping === undefined ? events.accept(botUuid, event) : Promise.resolve(STOPPING),
        ),
      settled: createSettled({ store, signals, trail }),
      resetConversation: (botUuid, target) => conversations.reset(identity.workspace_uuid, botUuid, target),
    },
  })

  const delivery: Delivery = createDelivery({
    store,
    clock,
    logger,
    signals,
    trail,
    owner,
    adapter: (botUuid) => platforms.adapter(botUuid),
    needs: {
      said: (message) => saidStatements(conversations, message),
      ledger: (runId, type, data) => runs.ledger(runId, { type, data, source: 'delivery' }),
      sentenceOf: async (processorId) =>
        processorId === null ? '' : ((await runs.processors.get(processorId))?.options.sentence ?? FAILED_SENTENCE),
    },
  })

  const runs = createRuns({
    store,
    clock,
    logger,
    signals,
    gateway,
    owner,
    version: VERSION,
    secrets: identity,
    failedSentence: FAILED_SENTENCE,
    needs: {
      plugins,
      capabilities: (botUuid) => platforms.capabilities(botUuid),
      history: {
        cursor: (key, eventId) => conversations.cursor(key, eventId),
        position: (eventId, key) => conversations.position(eventId, key),
        page: (request) => conversations.page(request),
        search: (request) => conversations.search(request),
      },
      text: (request) => conversations.find(request),
      events: { record: (eventId) => events.record(eventId), page: (request) => events.page(request) },
      visible: (key, record) => visibleFrom(key, record),
      storage,
      tools: (workspaceUuid) => tools.list(workspaceUuid),
      models: (workspaceUuid) => models.list(workspaceUuid),
      delivery,
      trail,
    },
  })

  const conversations: Conversations = createConversations({
    store,
    clock,
    logger,
    trail,
    options: { failedSentence: FAILED_SENTENCE, ...parts.conversations },
    needs: {
      runs: telemetry.runs(runs),
      processors: runs.processors,
      delivery,
      envelope: (eventId) => events.envelope(eventId),
    },
  })

  const events: Events = createEvents({
    store,
    clock,
    logger,
    trail,
    signals,
    conversations,
    ...(parts.events === undefined ? {} : { options: parts.events }),
    needs: {
      async bot(botUuid) {
        const bot = await platforms.bot(botUuid)
        return bot === undefined
          ? undefined
          : {
              bot_uuid: bot.bot_uuid,
              workspace_uuid: bot.workspace_uuid,
              adapter_name: bot.platform,
              account_id: platforms.adapter(botUuid)?.selfId ?? null,
            }
      },
      processor: (processorId) => runs.processors.get(processorId),
      eventPatterns(runnerId) {
        const runner = plugins.runner(runnerId)
        return 'manifest' in runner ? runner.manifest.supported_event_patterns : null
      },
      said: (request) => conversations.find(request),
      bots: async () => (await platforms.bots()).map(({ bot_uuid }) => bot_uuid),
    },
  })

  const tools = createTools({
    logger,
    version: VERSION,
    needs: {
      delivery,
      platforms,
      installations: (workspaceUuid) =>
        plugins.installations().filter((one) => one.workspace_uuid === workspaceUuid && one.approved && one.enabled),
      conversationKey: ({ workspace_uuid, bot_uuid, target }) => targetKey(workspace_uuid, bot_uuid, target),
      configFile: (installationUuid, fileKey) => plugins.configFile(installationUuid, fileKey),
    },
  })
  for (const source of parts.toolSources ?? []) tools.register(source)

  gateway.register(storage.handlers)
  gateway.register(runs.handlers)
  gateway.register(tools.handlers)
  gateway.register(models.handlers)
  gateway.register(unavailableHandlers())
  gateway.seal()

  // Listens before anything runs: a port in use is found while there is nothing to stop. No bot is started yet.
  let http: HttpServer | null = null
  if (parts.http !== undefined) {
    const handlers = apiHandlers({
      version: VERSION,
      startedAt,
      platformNames: Object.keys(parts.platforms),
      store,
      clock,
      identity,
      platforms,
      plugins,
      events,
      conversations,
      runs,
      delivery,
      trail,
      permissionsOf: ({ manifest, installation_grant }) => pluginPermissions(manifest, installation_grant),
      url: () => http?.publicUrl ?? '',
    })
    const { hostname = '127.0.0.1', port, allowedHosts, publicUrl, console } = parts.http
    http = await startServer(
      {
        hostname,
        port,
        logger,
        ...(allowedHosts === undefined ? {} : { allowedHosts }),
        ...(publicUrl === undefined ? {} : { publicUrl }),
        ...(console === undefined ? {} : { console }),
      },
      { identity, platforms, plugins, signals, handlers, metrics: telemetry.metrics, version: VERSION },
    )
  }
  await plugins.start()
  for (const plugin of parts.inline ?? []) {
    await plugins.inline(plugin).catch((error: unknown) => logger.error({ err: error }, 'A plugin of the host failed'))
  }
  // What a dead host left behind is decided before anything new comes in.
  const recovered = await conversations.recover()
  const outbox = await delivery.recover()
  if (recovered.ended + outbox.queued + outbox.finished > 0)
    logger.info({ recovered, outbox }, 'Work of the start before was taken up')
  delivery.start()
  // What a run may do depends on what its platform can: known before runs start, reachable or not.
  await platforms.prepare()
  await conversations.start()
  events.start()

  await platforms.start()

  async function stop(drainMs: number): Promise<void> {
    // The doors stay open while runs finish: debug plugins are linked through them. New events are refused meanwhile.
    await within(conversations.drain(), drainMs)
    plugins.takeNoRuns()
    for (const runId of runs.running()) await runs.cancel(runId, { kind: 'host' }, 'the host stops')
    await within(conversations.drain(), 5_000)
    await within(delivery.drain(), 5_000)
    await http?.stop()
    await events.stop()
    await within(plugins.stop(), 15_000)
    await platforms.stop()
    await telemetry.stop()
    await store.close()
  }

  return {
    identity, events, conversations, runs, gateway, plugins, platforms, delivery, storage, trail, signals, store, logger, http, firstStart,
    stop: ({ drainMs = 10_000 } = {}) => (stopping ??= stop(drainMs)),
  } // biome-ignore format: one line of rooms
}

/** Events that come while the host stops: the platform is to deliver them again. */
const STOPPING = { status: 'refused', reason: 'shutting_down', message: 'The host is stopping.', retry: true } as const

/** A delivered message as history: only where it was said in the conversation that it belongs to. */
function saidStatements(conversations: Conversations, message: Parameters<DeliveryNeeds['said']>[0]) {
  const { scope, delivery_id, key, text, chain, message_id, how } = message
  if (scope.conversation_key === null || scope.event_id === null) return []
  return conversations.said({
    transcript_id: `said:${key}`,
    workspace_uuid: scope.workspace_uuid,
    conversation_key: scope.conversation_key,
    bot_uuid: scope.bot_uuid === '' ? null : scope.bot_uuid,
    conversation_id: scope.conversation_id,
    thread_id: scope.thread_id,
    role: 'assistant',
    content: text,
    content_json: chain,
    attachment_refs: [],
    event_id: scope.event_id,
    run_id: scope.run_id,
    processor_id: scope.processor_id,
    delivery_id,
    message_id,
    actor_id: null,
    metadata: { how },
  })
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}
