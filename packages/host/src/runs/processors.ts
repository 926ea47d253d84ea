/** Processors: the agents, pipelines and plugin processors that the operator has set up. Kept in memory: each event asks for one. */
import { parse, stringify } from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import { type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { configValues } from '../config-values.ts'
import { HostError } from '../errors.ts'
import type { Plugins } from '../plugins/types.ts'
import { refuseFaults } from './processor-faults.ts'
import * as sql from './processor-statements.ts'
import type { OperatorGrants, Processor, ProcessorOptions, Processors } from './types.ts'
import { usageFault } from './usage.ts'

export interface ProcessorsOptions {
  readonly store: Store
  readonly clock: Clock
  runner: Plugins['runner']
}

export function createProcessors({ store, clock, runner }: ProcessorsOptions): Processors {
  const known = new Map<string, Promise<Processor | undefined>>()

  async function read(processorId: string): Promise<Processor | undefined> {
    const row = await store.first(sql.processorById({ processor_id: processorId }))
    return row === undefined ? undefined : processorOf(row)
  }

  function checked(processor: Processor): Processor {
    refuseFaults(processor)
    const descriptor = runner(processor.runner_id)
    if (!('manifest' in descriptor)) throw new HostError('invalid_config', descriptor.message, { at: 'runner_id' })
    const fault = usageFault(processor.kind, descriptor)
    if (fault !== null) throw new HostError('invalid_config', fault, { at: 'runner_id' })
    return { ...processor, config: configValues(descriptor.manifest.config_schema, processor.config) }
  }

  return {
    get(processorId) {
      let found = known.get(processorId)
      if (found === undefined) {
        found = read(processorId)
        known.set(processorId, found)
        // Neither a failure nor a processor that does not exist yet is remembered.
        found.then(
          (processor) => processor ?? known.delete(processorId),
          () => known.delete(processorId),
        )
      }
      return found
    },

    async list(workspaceUuid) {
      return (await store.all(sql.processorsOf({ workspace_uuid: workspaceUuid }))).map(processorOf)
    },

    checked,

    async put(given) {
      const processor = checked(given)
      const { config } = processor
      const { processor_id, workspace_uuid, kind, name, runner_id, grants, options, enabled } = processor
      try {
        await store.commit([
          sql.putProcessor({
            processor_id,
            workspace_uuid,
            kind,
            name,
            runner_id,
            config: stringify(config),
            grants: JSON.stringify(grants),
            options: stringify(options),
            enabled: enabled ? 1 : 0,
            now: clock.now(),
          }),
        ])
      } catch (error) {
        if (!StoreError.is(error) || error.code !== 'refused') throw error
        throw new HostError('conflict', `There is another ${kind.replace('_', ' ')} with the name "${name}".`, {
          at: 'name',
          cause: error,
        })
      }
      known.delete(processor_id)
      return processor
    },

    async remove(processorId) {
      try {
        const [result] = await store.commit([sql.dropProcessor({ processor_id: processorId })])
        if (result?.changes === 0) throw new HostError('not_found', `There is no processor ${processorId}.`)
      } catch (error) {
        if (!StoreError.is(error) || error.code !== 'refused') throw error
        throw new HostError(
          'conflict',
          `A route still leads to the processor ${processorId}. Change the route first.`,
          {
            cause: error,
          },
        )
      }
      known.delete(processorId)
    },
  }
}

interface Row extends Omit<Processor, 'config' | 'grants' | 'options' | 'enabled'> {
  readonly config: string
  readonly grants: string
  readonly options: string
  readonly enabled: number
}

/** The columns were written by `put`, which has checked them. */
function processorOf({ config, grants, options, enabled, ...row }: Row): Processor {
  return {
    ...row,
    config: parse(config) as JsonObject,
    grants: parse(grants) as OperatorGrants,
    options: parse(options) as ProcessorOptions,
    enabled: enabled === 1,
  }
}
