/**
 * Yields results. In an agent or plugin processor they are recorded and nothing is sent; in a pipeline
 * (`ctx.delivery.automatic_reply`) messages go out by themselves. A Runner that works in both looks first.
 */
import { definePlugin, defineRunner, result } from '@runbound/sdk'

const yielding = defineRunner({
  name: 'yielding',
  label: 'Yielding',
  description: 'Yields its answer piece by piece.',
  usages: ['agent'],
  async *run(ctx) {
    const words = ctx.input.toText().split(/\s+/).filter(Boolean)
    yield result.processorLog(ctx.run_id, `${words.length} words came in`)
    for (const word of words) yield result.messageDelta(ctx.run_id, `${word} `)
    yield result.stateUpdated(ctx.run_id, 'conversation', 'last_words', words)
    // A plain text is one whole message.
    yield words.toReversed().join(' ')
    yield result.runCompleted(ctx.run_id, { finish_reason: 'stop' })
  },
})

export default definePlugin({ author: 'runbound', name: 'example-results', version: '0.1.0', components: [yielding] })
