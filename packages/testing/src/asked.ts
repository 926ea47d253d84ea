/** What a plugin's Runners ask for, turned into processors that get exactly that. */
import type { OperatorGrants, RunnerDescriptor } from '@runbound/host'
import { type JsonObject, PLATFORM_TOOLS } from '@runbound/protocol'
import { TestKitError } from './errors.ts'

/**
 * Everything that a Runner may be granted: the manifest is the other half of each grant, so that a run has what the Runner
 * declares and nothing else. `run_admin` stays off, as for every ordinary processor.
 */
export function everythingAsked(changes: OperatorGrants): OperatorGrants {
  return {
    event_tools: true,
    platform_tools: Object.keys(PLATFORM_TOOLS).filter((name) => name.startsWith('platform_')),
    tools: true,
    models: true,
    knowledge_bases: true,
    storage: { plugin: true, workspace: true },
    ...changes,
  }
}

/** The settings that this Runner declares; a Runner without settings of its own takes all of them. */
export function ownConfig(runner: RunnerDescriptor, config: JsonObject): JsonObject {
  const { config_schema } = runner.manifest
  if (config_schema.length === 0) return config
  const names = new Set(config_schema.map(({ name }) => name))
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.has(name) || name === 'timeout'))
}

/** Throws TestKitError `unknown_setting` for a setting that no Runner declares. */
export function checkSettingNames(runners: readonly RunnerDescriptor[], config: JsonObject): void {
  if (runners.some(({ manifest }) => manifest.config_schema.length === 0)) return
  const known = new Set(runners.flatMap(({ manifest }) => manifest.config_schema.map(({ name }) => name)))
  for (const name of Object.keys(config)) {
    if (known.has(name) || name === 'timeout') continue
    throw new TestKitError(
      'unknown_setting',
      `No Runner of this plugin has a setting "${name}". Known: ${[...known].join(', ')}.`,
    )
  }
}

/**
 * The Runner that answers messages: the named one, else the first of usage `agent`; null when there is none.
 * Throws TestKitError `unknown_runner`, `no_runner`.
 */
export function chooseAgent(runners: readonly RunnerDescriptor[], name: string | undefined): RunnerDescriptor | null {
  const names = runners.map(({ runner_name }) => runner_name).join(', ')
  if (runners.length === 0) {
    throw new TestKitError(
      'no_runner',
      'This plugin has no Runner, so there is nothing to test. Give definePlugin a component that defineRunner made.',
    )
  }
  const agents = runners.filter(({ manifest }) => manifest.usages.includes('agent'))
  if (name === undefined) return agents[0] ?? null
  const found = agents.find(({ runner_name }) => runner_name === name)
  if (found !== undefined) return found
  const problem = runners.some(({ runner_name }) => runner_name === name)
    ? `The Runner "${name}" has no usage 'agent': it gets the events that it declares by itself, and takes no messages as an agent.`
    : `This plugin has no Runner "${name}". It has: ${names}.`
  throw new TestKitError('unknown_runner', problem)
}
