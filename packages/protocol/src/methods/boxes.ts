/** Boxes: the sandboxes of a workspace, and the files of a run in them (wire.md §5.3 Boxes). */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { form, method } from '../method.ts'
import { runShape } from '../schemas/parameters.ts'
import { JsonObjectSchema, optional, textUpTo, withDefault } from '../schemas/primitives.ts'
import { BoxBindingSchema, BoxFileSchema, BoxSessionSchema, BoxStatusSchema } from '../schemas/records.ts'
import { PLUGIN_CALL_WAITS as waits } from '../waits.ts'

const source = 'wire.md §5.3'
const items = z.object({ items: z.array(BoxFileSchema) })

export const getBoxStatus = method({
  name: 'get_box_status',
  from: 'plugin',
  summary: 'Tells whether boxes are available and how many are left.',
  source,
  forms: {
    run: form('run', {
      params: z.object(runShape),
      result: BoxStatusSchema,
      effect: 'none',
      waits: waits.get_box_status.run,
      authorize: ({ grant }) => grant.flag('box'),
    }),
    installation: form('installation', {
      params: z.object({}),
      result: BoxStatusSchema,
      effect: 'none',
      waits: waits.get_box_status.installation,
      authorize: ({ installation }) => installation.api('get_box_status'),
    }),
  },
})

const sessions = z.object({ items: z.array(BoxSessionSchema) })

export const listBoxes = method({
  name: 'list_boxes',
  from: 'plugin',
  summary: 'Lists the boxes of the workspace.',
  source,
  forms: {
    run: form('run', {
      params: z.object(runShape),
      result: sessions,
      effect: 'none',
      waits: waits.list_boxes.run,
      authorize: ({ grant }) => grant.flag('box'),
    }),
    installation: form('installation', {
      params: z.object({}),
      result: sessions,
      effect: 'none',
      waits: waits.list_boxes.installation,
      authorize: ({ installation }) => installation.api('list_boxes'),
    }),
  },
})

const acquisition = {
  reuse_key: textUpTo(LIMITS.box_reuse_key.value, 1),
  options: withDefault(JsonObjectSchema, {}),
}

export const acquireBox = method({
  name: 'acquire_box',
  from: 'plugin',
  summary: 'Takes the box of a key; the same key gives the same box.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, ...acquisition }),
      result: BoxSessionSchema,
      effect: 'host',
      waits: waits.acquire_box.run,
      authorize: ({ grant }) => grant.flag('box'),
    }),
    installation: form('installation', {
      params: z.object(acquisition),
      result: BoxSessionSchema,
      effect: 'host',
      waits: waits.acquire_box.installation,
      authorize: ({ installation }) => installation.api('acquire_box'),
    }),
  },
})

export const bindBox = method({
  name: 'bind_box',
  from: 'plugin',
  summary: 'Binds a box to the run; a run has one box and keeps it.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, box_id: z.string().min(1) }),
      result: BoxBindingSchema,
      effect: 'host',
      waits: waits.bind_box.run,
      authorize: ({ grant }) => grant.flag('box'),
    }),
  },
})

export const importBoxAttachments = method({
  name: 'import_box_attachments',
  from: 'plugin',
  summary: 'Puts attachments of the input into the box of the run; without ids, all of them.',
  source,
  forms: {
    run: form('run', {
      params: z.object({ ...runShape, attachment_ids: optional(z.array(z.string().min(1))) }),
      result: items,
      effect: 'host',
      waits: waits.import_box_attachments.run,
      authorize: ({ grant }) => grant.flag('box'),
    }),
  },
})

/** Without `paths` the whole outbox of the run is exported: the documents show that form, the Python SDK the other. */
export const exportBoxFiles = method({
  name: 'export_box_files',
  from: 'plugin',
  summary: 'Turns files of the box into handles that this run may send once.',
  source: 'wire.md §5.3, docs-facts.md §16',
  forms: {
    run: form('run', {
      params: z.object({
        ...runShape,
        paths: optional(z.array(z.string().min(1)).min(1).max(LIMITS.box_export_paths.value)),
      }),
      result: z.object({ items: z.array(BoxFileSchema), warning: z.string().nullish() }),
      effect: 'host',
      waits: waits.export_box_files.run,
      authorize: ({ grant }) => grant.flag('box'),
    }),
  },
})
