/** What runs plugins: the host and what its parts look like from outside. */

export { CLI_KEY_FILE } from '@runbound/api'
export { type Clock, systemClock } from './clock.ts'
export type { Delivery, OutboxItem } from './delivery/types.ts'
export { HostError, type HostErrorCode } from './errors.ts'
export type { DebugEvent, EventEnvelope, Events, Route, RouteFilter, Subscription } from './events/types.ts'
export { type Host, type HostOptions, startHost, VERSION } from './host.ts'
export type { Logger } from './logger.ts'
export type { ModelEngine, ModelInfo } from './models/types.ts'
export type { Bot, BotStatus, PlatformLoaders, Platforms } from './platforms/types.ts'
export { type Derived, deriveManifest } from './plugins/derive-manifest.ts'
export { devEntry } from './plugins/dev-session.ts'
export { packageFiles } from './plugins/digest.ts'
export { MANIFEST_FILE, type ReadPackage, readPackage } from './plugins/package.ts'
export { detectWall } from './plugins/process/isolation.ts'
export { detectLimiter } from './plugins/process/limits.ts'
export type { NodeRuntime } from './plugins/process/node-command.ts'
export type {
  Installation,
  InstallationGrantData,
  LogLine,
  PluginStatus,
  Plugins,
  RunnerDescriptor,
} from './plugins/types.ts'
export { watchTree } from './plugins/watch-tree.ts'
export type { OperatorGrants, Processor, ProcessorOptions, Runs } from './runs/types.ts'
export type { Signals, ViewChange } from './signals.ts'
export { createLogger, type LogOptions } from './telemetry/log.ts'
export type { ToolInfo, ToolSource } from './tools/types.ts'
