/** Processors: the agents, pipelines and plugin processors that the operator has set up. Kept in memory: each event asks for one. */
import { parse, stringify } from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import { type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { configValues } from '../config-values.ts'
import { HostError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Plugins } from '../plugins/types.ts'
import { openValues, type Secrets, sealValues, secretNames } from '../sealed-values.ts'
import { refuseFaults } from './processor-faults.ts'
import * as sql from './processor-statements.ts'
import type { OperatorGrants, Processor, ProcessorOptions, Processors } from './types.ts'
import { usageFault } from './usage.ts'

export interface ProcessorsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly secrets: Secrets
  runner: Plugins['runner']
}

export function createProcessors({ store, clock, logger, secrets, runner }: ProcessorsOptions): Processors {
  const known = new Map<string, Promise<Processor | undefined>>()

  async function read(processorId: string): Promise<Processor | undefined> {
    const row = await store.first(sql.processorById({ processor_id: processorId }))
    return row === undefined ? undefined : processorOf(row)
  }

  /** The columns were written by `put`, which has checked them. A secret that can't be read is not there, and it is said. */
  function processorOf({ config, grants, options, enabled, ...row }: Row): Processor {
    const { values, unreadable } = openValues(parse(config) as JsonObject, placeOf(row.processor_id), secrets)
    for (const name of Object.keys(unreadable))
      logger.error(
        { processor_id: row.processor_id, setting: name },
        `The stored secret "${name}" of "${row.name}" can't be read with this data folder's secret.key. Set it again, or restore the key.`,
      )
    return {
      ...row,
      config: values,
      grants: parse(grants) as OperatorGrants,
      options: parse(options) as ProcessorOptions,
      enabled: enabled === 1,
    }
  }

  function checked(processor: Processor): Processor {
    refuseFaults(processor)
    const descriptor = runner(processor.runner_id)
    if (!('manifest' in descriptor)) throw new HostError('invalid_config', descriptor.message, { at: 'runner_id' })
    const fault = usageFault(processor.kind, descriptor)
    if (fault !== null) throw new HostError('invalid_config', fault, { at: 'runner_id' })
    return { ...processor, config: configValues(descriptor.manifest.config_schema, processor.config) }
  }

  function secretsOf(runnerId: string): ReadonlySet<string> {
    const descriptor = runner(runnerId)
    return secretNames('manifest' in descriptor ? descriptor.manifest.config_schema : [])
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
            config: stringify(sealValues(config, secretsOf(runner_id), placeOf(processor_id), secrets)),
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

const placeOf = (processorId: string): string => `processors/${processorId}`
