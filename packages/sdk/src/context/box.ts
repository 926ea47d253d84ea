/** Boxes and attachments of a run. The Runner decides whether and which box it uses. */
import type { BoxBinding, BoxFile } from '@runbound/protocol'

/** Every Runner can ask; the host refuses where boxes are not set up. */
export interface CanUseBox {
  /**
   * Binds a box of the workspace to this run: gives its id and the folder whose files are exported. A run cannot change
   * its box. Bind before native sandbox tools or file operations.
   * Fails with AgentAPIException `details.reason` `conflict` for a second box, `not_found`, `not_available`.
   *
   * @example
   * ```ts
   * import type { CanUseBox, HostBoxes } from '@runbound/sdk'
   *
   * export async function work(ctx: CanUseBox & { host: HostBoxes }, key: string) {
   *   const box = await ctx.host.acquireBox(key)
   *   return await ctx.bindBox(box.id)
   * }
   * ```
   */
  bindBox(box_id: string): Promise<BoxBinding>

  /**
   * Puts attachments of the input into the bound box; gives their sandbox paths. Default: all of them, else those whose
   * `ref` of `ctx.input.attachments` is named. Nothing is staged without this call.
   * Fails with AgentAPIException `details.reason` `not_found` for a foreign ref, `conflict` without a bound box.
   *
   * @example
   * ```ts
   * import type { CanUseBox } from '@runbound/sdk'
   *
   * export const paths = async (ctx: CanUseBox) => (await ctx.importBoxAttachments()).map((file) => file.path)
   * ```
   */
  importBoxAttachments(attachment_ids?: readonly string[] | null): Promise<BoxFile[]>

  /**
   * Turns files of the bound box into handles for `replyFiles` or a result; sends no message. Default: everything in
   * this run's outbox, else the absolute sandbox paths that are named.
   * Fails with AgentAPIException code `box.export.limit_exceeded`, `box.export.transport_truncated` or
   * `box.export.invalid_response`; `details.reason` `conflict` without a bound box.
   *
   * @example
   * ```ts
   * import type { CanUseBox } from '@runbound/sdk'
   *
   * export const report = (ctx: CanUseBox) => ctx.exportBoxFiles(['/workspace/report.pdf'])
   * ```
   */
  exportBoxFiles(paths?: readonly string[] | null): Promise<BoxFile[]>
}
