/** Reads the conversation's history, page by page, and sums it up. */
import { type CanPageHistory, definePlugin, defineRunner, field, type TranscriptItem } from '@runbound/sdk'

const digest = defineRunner({
  name: 'digest',
  label: 'Digest',
  description: 'Sums up the last messages when somebody writes "digest".',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'], history: ['page'] },
  config: { messages: field.integer({ default: 100, label: 'Messages to look at' }) },
  async run(ctx) {
    if (ctx.input.toText().trim() !== 'digest') return
    const items = await lastMessages(ctx, ctx.config.messages + 1)
    // The message that asks for the digest is the newest entry.
    const said = items.filter(({ role, event_id }) => role === 'user' && event_id !== ctx.event.event_id)
    const words = said.reduce((sum, { content }) => sum + wordsIn(content), 0)
    const longest = said.reduce(
      (best, { content }) => ((content ?? '').length > best.length ? (content ?? '') : best),
      '',
    )
    await ctx.reply(
      said.length === 0
        ? 'Nothing was said yet.'
        : `${said.length} messages, ${words} words. The longest: "${longest}"`,
    )
  },
})

/** The newest `most` entries of the conversation, newest page first. */
async function lastMessages(ctx: CanPageHistory, most: number): Promise<TranscriptItem[]> {
  const items: TranscriptItem[] = []
  let before_cursor: string | null = null
  while (items.length < most) {
    const page = await ctx.historyPage({ before_cursor, limit: Math.min(50, most - items.length) })
    items.push(...page.items)
    if (!page.has_more || page.prev_cursor === null) break
    before_cursor = page.prev_cursor
  }
  return items
}

function wordsIn(text: string | null): number {
  return text?.match(/\S+/g)?.length ?? 0
}

export default definePlugin({ author: 'runbound', name: 'example-digest', version: '0.1.0', components: [digest] })
