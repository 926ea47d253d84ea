/** The Runner of the tests of runs: does what it is told, so that a timeline has everything to show. Public SDK only. */
import { definePlugin, defineRunner, image, result, text } from '@runbound/sdk'

/** A hill in the sun. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAKAAAABgCAMAAACt+YmrAAAACVBMVEWdxPBDjFr6yFCrWg+eAAAAxUlEQVR42u3YSxLCMBADUUv3PzQLFilCgHw8tlL0O4Cql/a0BgAAEMaL7LrIRju60NvS+2IK7exCO7wwPdDOLrTDCwms7ptdSCCBBBJIIIE8Fgi8+YuaT9Mf/IvzLwv5t5n861bLvw+uGhsAAMAYkpL39JS6p0Xinl6l7eld0p62pezps4Q9fTd7T7/N3NM+s/a034w9HTN6T8eN3NM5o/Z03og9XVO9p+sq99RH1Z76qdhTX+l73RFIIIEEEkgggQTeO/ABZCAXo6/RmL0AAAAASUVORK5CYII='

const worker = defineRunner({
  name: 'worker',
  label: 'Worker',
  usages: ['agent'],
  events: ['message.received'],
  capabilities: { tool_calling: true, streaming: true },
  permissions: { tools: ['call'], history: ['page'], storage: ['plugin'] },
  async *run(ctx) {
    const said = ctx.input.toText()
    await ctx.log(`told to "${said.slice(0, 40)}"`)
    if (said.includes('thousand')) {
      for (let at = 0; at < 500; at++) {
        await ctx.stateSet('conversation', 'external.step', at)
        await ctx.stateGet('conversation', 'external.step')
      }
    }
    if (said.includes('denied')) {
      await ctx.callTool('platform_mute_member', { user_id: 'u-2', duration: 60 }).catch(() => undefined)
      await ctx.stateGet('actor', 'external.secret').catch(() => undefined)
    }
    if (said.includes('unsent')) yield result.messageCompleted(ctx.run_id, 'Thought of, and kept to myself.')
    if (said.includes('picture')) await ctx.reply([text('Here it is. '), image({ base64: PICTURE })])
    if (said.includes('long')) await ctx.reply('The forecast goes on and on. '.repeat(320))
    if (said.includes('steadily')) {
      for (let at = 1; at <= 1_200 && !ctx.signal.aborted; at++) {
        await ctx.log(`still at it: ${at}`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    if (said.includes('hold'))
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    await ctx.reply(`Done: ${said}`)
  },
})

export default definePlugin({ author: 'acme', name: 'workshop', version: '0.9.0', components: [worker] })
