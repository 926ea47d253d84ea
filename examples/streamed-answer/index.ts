/** One reply that grows: where the platform can stream, people watch it being written; elsewhere it comes in one piece. */
import { definePlugin, defineRunner, field } from '@runbound/sdk'

const WORDS = 'Bound runs answer step by step and end with exactly one complete text.'.split(' ')

const writer = defineRunner({
  name: 'writer',
  label: 'Writer',
  description: 'Writes its answer word by word.',
  usages: ['agent'],
  capabilities: { tool_calling: true, streaming: true },
  permissions: { tools: ['call'] },
  config: { pause_ms: field.integer({ default: 80, label: 'Pause between words (ms)' }) },
  async run(ctx) {
    // Returning finishes the reply, throwing aborts it.
    await ctx.replyStream(async (reply) => {
      for (let count = 1; count <= WORDS.length; count++) {
        // Each update is the whole text so far, not what is new.
        await reply.update(WORDS.slice(0, count).join(' '))
        await pause(ctx.config.pause_ms, ctx.signal)
      }
    })
  },
})

/** Ends early, with the run's own reason, when the run is cancelled. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

export default definePlugin({
  author: 'runbound',
  name: 'example-streamed-answer',
  version: '0.1.0',
  components: [writer],
})
