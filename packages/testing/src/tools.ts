/** Fake tools by table: what plugin or MCP tools would be in a real workspace. */
import type { ToolSource } from '@runbound/host'
import { type Json, type JsonObject, WireError } from '@runbound/protocol'

/** A fake tool. */
export interface FakeTool {
  readonly description: string
  /** JSON Schema of the arguments; the host checks it before it calls. Default: no arguments. */
  readonly parameters?: JsonObject
  /** Default `outside`: a run that called it is not repeated after a crash. */
  readonly effect?: 'none' | 'host' | 'outside'
  /** A throw is the tool's own failure: the Runner gets `tool_failed`. `signal` aborts when the caller gives up. */
  call(parameters: JsonObject, about: { readonly signal: AbortSignal }): Json | Promise<Json>
}

/**
 * Fake tools by name.
 *
 * @example
 * ```ts
 * import type { FakeTools } from '@runbound/testing'
 *
 * export const tools: FakeTools = {
 *   weather: {
 *     description: 'The weather of a city',
 *     parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
 *     call: ({ city }) => ({ city, celsius: 21 }),
 *   },
 * }
 * ```
 */
export type FakeTools = Readonly<Record<string, FakeTool>>

const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {}, additionalProperties: false }

/** The source of a table. */
export function fakeToolSource(table: FakeTools): ToolSource {
  const infos = Object.entries(table).map(([name, tool]) => ({
    name,
    type: 'plugin' as const,
    description: tool.description,
    parameters: tool.parameters ?? NO_ARGUMENTS,
    effect: tool.effect ?? ('outside' as const),
    source: 'test-kit',
  }))
  return {
    source: 'test-kit',
    list: () => infos,
    async call({ name, parameters, signal }) {
      const tool = Object.hasOwn(table, name) ? table[name] : undefined
      if (tool === undefined) throw new WireError('not_found', `There is no fake tool "${name}".`)
      return tool.call(parameters, { signal })
    },
  }
}
