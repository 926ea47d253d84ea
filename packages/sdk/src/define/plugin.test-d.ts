/** Checked by tsc alone: what `definePlugin` infers, and what must not compile. */
import type { ServablePlugin } from '@runbound/link'
import { definePlugin, defineRunner, field } from '../index.ts'

const r = defineRunner({ name: 'r', usages: ['agent'], run() {} })
const identity = { author: 'acme', name: 'test', version: '1.0.0', components: [r] } as const

export const servable: ServablePlugin = definePlugin({
  ...identity,
  config: { key: field.secret({ required: true }), every: field.integer({ default: 10 }), note: field.text() },
  async setup(host, { signal }) {
    const { key, every, note } = host.getPluginConfig()
    key satisfies string
    every satisfies number
    note satisfies string | undefined
    signal satisfies AbortSignal
    // @ts-expect-error a setting without default may be undefined
    note satisfies string
    // @ts-expect-error a misspelt setting
    host.getPluginConfig().kee
    await host.setPluginStorage('k', new Uint8Array())
    // @ts-expect-error things of a run need a run
    host.stateGet
    // @ts-expect-error so do replies
    host.reply
  },
  onSettingsChanged(settings) {
    settings.every satisfies number
    // @ts-expect-error settings are shared and not changed in place
    settings.every = 5
  },
})

// @ts-expect-error a misspelt key of the definition
export const typo = definePlugin({ ...identity, setUp() {} })
// @ts-expect-error a component that is none
export const foreign = definePlugin({ ...identity, components: [{ name: 'r' }] })
// @ts-expect-error the author is required
export const anonymous = definePlugin({ name: 'test', version: '1.0.0', components: [] })
