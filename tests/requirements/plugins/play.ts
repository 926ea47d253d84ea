/**
 * How a test drives a plugin that may live in another process: a message names a scene and its arguments, the Runner plays
 * it and writes what came of it to the run's log, where the test reads it.
 */
import {
  AgentAPIException,
  type FullRunnerContext,
  type Json,
  type JsonObject,
  PermissionDeniedError,
  SdkError,
} from '@runbound/sdk'

/** One scene: what it returns is told to the test. */
export type Scene = (ctx: FullRunnerContext, args: JsonObject) => unknown
export type Scenes = Readonly<Record<string, Scene>>

/** Begins the log line that tells the outcome. */
export const OUTCOME = 'outcome of the scene: '

/** An error as the test sees it. */
export interface ToldError {
  readonly kind: 'AgentAPIException' | 'PermissionDeniedError' | 'SdkError' | 'other'
  readonly code: string | null
  readonly message: string
  readonly retryable: boolean | null
  readonly reason: string | null
  readonly details: Json
}

/** Plays the scene that the Runner's setting or the message names. A scene that throws tells its error; the run goes on. */
export async function play(scenes: Scenes, ctx: FullRunnerContext): Promise<void> {
  const { name, args } = asked(ctx)
  const scene = Object.hasOwn(scenes, name) ? scenes[name] : undefined
  const outcome =
    scene === undefined ? { error: told(new Error(`There is no scene "${name}".`)) } : await outcomeOf(scene, ctx, args)
  await ctx.log(OUTCOME + JSON.stringify(outcome, plain))
}

async function outcomeOf(scene: Scene, ctx: FullRunnerContext, args: JsonObject): Promise<object> {
  try {
    return { value: (await scene(ctx, args)) ?? null }
  } catch (error) {
    return { error: told(error) }
  }
}

function asked(ctx: FullRunnerContext): { readonly name: string; readonly args: JsonObject } {
  const own = ctx.config.scene
  const text = typeof own === 'string' && own !== '' ? own : ctx.input.toText()
  const [, name = '', json = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(text) ?? []
  const args: unknown = json.startsWith('{') ? JSON.parse(json) : {}
  return { name, args: typeof args === 'object' && args !== null ? { ...args } : {} }
}

/** What an error says, whatever its class. */
export function told(error: unknown): ToldError {
  if (AgentAPIException.isInstance(error)) {
    const { code, message, retryable, details } = error.error
    const { reason } = details
    return {
      kind: 'AgentAPIException',
      code,
      message,
      retryable,
      reason: typeof reason === 'string' ? reason : null,
      details: JSON.parse(JSON.stringify(details)),
    }
  }
  const kind = PermissionDeniedError.isInstance(error)
    ? 'PermissionDeniedError'
    : SdkError.isInstance(error)
      ? 'SdkError'
      : 'other'
  const message = error instanceof Error ? error.message : String(error)
  const code = kind !== 'other' && error instanceof Error && 'code' in error ? String(error.code) : null
  return { kind, code, message, retryable: null, reason: null, details: null }
}

/** Awaits the call, and gives its value or its error as data: for scenes that look at several. */
export async function attempt(
  call: () => unknown,
): Promise<{ readonly value: unknown } | { readonly error: ToldError }> {
  try {
    return { value: (await call()) ?? null }
  } catch (error) {
    return { error: told(error) }
  }
}

/** Bytes and big numbers as JSON can hold them. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: [...value] }
  return typeof value === 'bigint' ? { bigint: String(value) } : value
}

const gates = new Map<string, { readonly open: () => void; readonly opened: Promise<void> }>()

/** A gate of this plugin's process: one run waits at it, another opens it. */
export function gate(name: string): { readonly open: () => void; readonly opened: Promise<void> } {
  let found = gates.get(name)
  if (found === undefined) {
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    found = { open, opened }
    gates.set(name, found)
  }
  return found
}

/** Waits at a gate until it is opened, or the run is told to end. */
export function waitAt(name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    void gate(name).opened.then(resolve)
  })
}

/** The text argument of this name. */
export function textOf(args: JsonObject, name: string): string {
  const value = args[name]
  if (typeof value !== 'string') throw new TypeError(`The scene needs a text "${name}".`)
  return value
}
