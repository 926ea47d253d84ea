/** A second plugin of the workspace: what one plugin stores, the other sees or not. */
import { definePlugin, defineRunner, field } from '@runbound/sdk'
import { play } from './play.ts'
import { recordScenes } from './scenes/records.ts'

const other = defineRunner({
  name: 'other',
  usages: ['agent'],
  capabilities: { tool_calling: true, steering: true, knowledge_retrieval: true },
  permissions: {
    tools: ['detail', 'call'],
    history: ['page', 'search'],
    events: ['get', 'page'],
    storage: ['plugin', 'workspace'],
    models: ['invoke', 'stream', 'rerank', 'count_tokens'],
    knowledge_bases: ['list', 'retrieve'],
  },
  config: { scene: field.string({ default: '' }) },
  run: (ctx) => play(recordScenes, ctx),
})

export default definePlugin({ author: 'runbound', name: 'other', version: '1.0.0', components: [other] })
