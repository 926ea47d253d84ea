/** The box of a run. The SDK checks no grant here, as documented: the host decides. */
import type { CanUseBox } from '../../context/box.ts'
import type { RunParts } from './parts.ts'

/** Makes the box methods. */
export function boxOf({ life, calls }: RunParts): CanUseBox {
  return {
    async bindBox(box_id) {
      life.check('bindBox')
      return calls.run('bind_box', { box_id })
    },

    async importBoxAttachments(attachment_ids) {
      life.check('importBoxAttachments')
      const { items } = await calls.run('import_box_attachments', {
        attachment_ids: attachment_ids ? [...attachment_ids] : null,
      })
      return items
    },

    async exportBoxFiles(paths) {
      life.check('exportBoxFiles')
      const { items, warning } = await calls.run('export_box_files', { paths: paths ? [...paths] : null })
      // The answer has one warning for the batch; each file carries it, as the documents show.
      return items.map((item) => ({ ...item, warning: item.warning ?? warning ?? null }))
    },
  }
}
