/** Scenes that tell what a run was handed. */
import { attempt, type Scenes } from '../play.ts'

export const contextScenes: Scenes = {
  /** All data of the context, as the Runner sees it. */
  context: (ctx) => ({
    run_id: ctx.run_id,
    trigger: ctx.trigger,
    event: ctx.event,
    conversation: ctx.conversation,
    actor: ctx.actor,
    subject: ctx.subject,
    input: ctx.input,
    text: ctx.input.toText(),
    delivery: ctx.delivery,
    resources: ctx.resources,
    context: ctx.context,
    state: ctx.state,
    runtime: ctx.runtime,
    config: ctx.config,
    adapter: ctx.adapter,
    variables: ctx.variables,
    metadata: ctx.metadata,
  }),
  platformEvent: (ctx) => ctx.platform_event,
  pluginConfig: (ctx) => ({ plugin: ctx.host.getPluginConfig(), own: ctx.config }),
  botUuid: (ctx) => ctx.getBotUuid(),
  /** `history_page` accepts the cursor that the context brought. */
  fromCursor: async (ctx) => {
    const before_cursor = ctx.context.latest_cursor
    return attempt(() => ctx.historyPage({ before_cursor }))
  },
  stateSnapshot: async (ctx) => {
    const before = { ...ctx.state.conversation }
    await ctx.stateSet('conversation', 'k', 'new')
    return { before, after: { ...ctx.state.conversation }, stored: await ctx.stateGet('conversation', 'k') }
  },
}
