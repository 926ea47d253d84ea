/** Serving a plugin from its folder, for what packs, checks and starts plugins. Needs Node. */
export { packageFiles } from './files.ts'
export { loadPlugin } from './load.ts'
export { pluginProcess } from './plugin-process.ts'
export type { PluginSession, ServeOptions } from './session.ts'
export type { GuardedRun, PackageFiles, PluginLog, ReadFile, RunGuard } from './surroundings.ts'
