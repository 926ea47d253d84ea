/** The Runners that the bench drives: an echo, and one that times host calls from inside its run. Public SDK only. */
import { definePlugin, defineRunner, type Json } from '@runbound/sdk'

const echo = defineRunner({
  name: 'echo',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'] },
  async run(ctx) {
    await ctx.reply(`echo: ${ctx.input.toText()}`)
  },
})

/** A job: `count` calls, `at_once` of them out, with a payload of `bytes`. */
interface Job {
  readonly op: string
  readonly count: number
  readonly at_once: number
  readonly bytes: number
}

const calls = defineRunner({
  name: 'calls',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'], storage: ['plugin'], history: ['page'] },
  async run(ctx) {
    const job: Job = JSON.parse(ctx.input.toText())
    const value: Json = { text: 'v'.repeat(job.bytes) }
    const bytes = new Uint8Array(job.bytes).fill(118)
    const operations: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
      version: () => ctx.host.getLangbotVersion(),
      state_get: () => ctx.stateGet('conversation', 'external.bench'),
      state_set: () => ctx.stateSet('conversation', 'external.bench', value),
      storage_set: (index) => ctx.host.setPluginStorage(`bench-${index % 8}`, bytes),
      storage_get: () => ctx.host.getPluginStorage('bench-0'),
      history_page: () => ctx.historyPage({ limit: 50 }),
    }
    const call = operations[job.op]
    if (call === undefined) throw new Error(`no operation ${job.op}`)
    const begin = performance.now()
    let next = 0
    const worker = async () => {
      while (next < job.count) await call(next++)
    }
    await Promise.all(Array.from({ length: job.at_once }, worker))
    await ctx.reply(String(performance.now() - begin))
  },
})

export default definePlugin({
  author: 'bench',
  name: 'probe',
  version: '1.0.0',
  components: [echo, calls],
})
