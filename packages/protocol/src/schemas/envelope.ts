/** Identity beside an action's data; only the host fills it (entities.md §4.11). Unknown keys are refused. */
import * as z from 'zod'
import { integerBetween, orNull } from './primitives.ts'

const name = z.string().trim().min(1)

export const ActionContextSchema = z.strictObject({
  instance_uuid: name,
  workspace_uuid: name,
  placement_generation: integerBetween(1).default(1),
  installation_uuid: orNull(name),
})

export const InstallationBindingSchema = z.strictObject({
  instance_uuid: name,
  workspace_uuid: name,
  placement_generation: z.int().min(1).default(1),
  installation_uuid: name,
  runtime_revision: z.int().min(1),
  artifact_digest: z.string().regex(/^[0-9a-f]{64}$/, 'Expected 64 lower-case hex digits'),
})
