/** What a plugin process sees of the environment: an allowlist, pinned by a test. Nothing of the host's own leaks in. */
const PASSED = ['LANG', 'LC_ALL', 'TZ'] as const

/** Names that a plugin process may have in its environment. */
export const PLUGIN_ENVIRONMENT = [
  ...PASSED,
  'PATH',
  'HOME',
  'TMPDIR',
  'NODE_COMPILE_CACHE',
  'NODE_NO_WARNINGS',
  'RUNBOUND_MARK',
  'LANGBOT_PLUGIN_REGISTRATION_CAPABILITY',
] as const

export interface EnvironmentOptions {
  readonly capability: string
  readonly home: string
  readonly tmp: string
  readonly compileCache: string
  /** By this the next start of the host recognises what an earlier one left. */
  readonly mark: string
}

export function pluginEnvironment(
  options: EnvironmentOptions,
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: options.home,
    TMPDIR: options.tmp,
    NODE_COMPILE_CACHE: options.compileCache,
    NODE_NO_WARNINGS: '1',
    RUNBOUND_MARK: options.mark,
    LANGBOT_PLUGIN_REGISTRATION_CAPABILITY: options.capability,
  }
  for (const name of PASSED) {
    const value = own[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}
