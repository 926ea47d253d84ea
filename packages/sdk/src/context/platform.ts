/** Sending and platform calls with targets of the caller's choice. */
import type { Json, LauncherType, MessageChainInput } from '@runbound/protocol'

/**
 * Platform calls: in a run needs the capability `tool_calling`, the permission `tools: ['call']`, and a granted platform
 * tool that covers action and target; the host checks each call.
 */
export interface CanCallPlatform {
  /**
   * Sends a message to a person or a group through a bot. A text counts as a chain with one `Plain`.
   * Fails with AgentAPIException `details.reason` `permission_denied`, `target_denied`, `delivery_failed` or
   * `delivery_unknown`. Don't send again only because `retryable` is true.
   *
   * @example
   * ```ts
   * import type { CanCallPlatform } from '@runbound/sdk'
   *
   * export const ping = (host: CanCallPlatform, bot: string) => host.sendMessage(bot, 'group', 'g-1', 'Hello everybody')
   * ```
   */
  sendMessage(
    bot_uuid: string,
    target_type: LauncherType,
    target_id: string,
    message_chain: string | MessageChainInput,
  ): Promise<Json>

  /**
   * Calls an API of the bot's platform, such as `get_group_info`. Default: no parameters. In a run a list comes as
   * `{items}` and another plain value as `{value}`.
   * Fails with AgentAPIException `details.reason` `permission_denied`, `target_denied`, `not_supported` or
   * `platform_failed`.
   *
   * @example
   * ```ts
   * import type { CanCallPlatform } from '@runbound/sdk'
   *
   * export const group = (host: CanCallPlatform, bot: string) =>
   *   host.callPlatformApi(bot, 'get_group_info', { group_id: 'g-1' })
   * ```
   */
  callPlatformApi(bot_uuid: string, action: string, params?: { readonly [name: string]: Json } | null): Promise<Json>
}
