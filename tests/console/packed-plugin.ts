/** A plugin that the console's tests install as a package: with settings, a log that goes on, and a wish outside runs. */
import { definePlugin, defineRunner, field } from '@runbound/sdk'

const answer = defineRunner({
  name: 'answer',
  label: 'Umbrella answer',
  description: 'Says whether an umbrella is needed.',
  usages: ['agent'],
  capabilities: { tool_calling: true },
  permissions: { tools: ['call'], storage: ['plugin'], history: ['page'] },
  async run(ctx) {
    await ctx.reply('Take an umbrella.')
  },
})

const BEAT_MS = 500

export default definePlugin({
  author: 'acme',
  name: 'umbrella',
  version: '2.0.0',
  description: 'Knows when it rains, and says so before it does.',
  components: [answer],
  config: {
    city: field.string({ default: 'Oslo', label: 'City', description: 'Where it may rain.' }),
    api_key: field.secret({ label: 'Key of the weather service' }),
    hourly: field.boolean({ default: false, label: 'Ask every hour' }),
  },
  async setup(_host, { signal }) {
    console.info('umbrella is up')
    console.warn('the weather service is slow today')
    console.error('the weather service answered 503')
    for (let beat = 1; !signal.aborted; beat++) {
      console.debug(`beat ${beat}`)
      await new Promise((resolve) => setTimeout(resolve, BEAT_MS))
    }
  },
})
