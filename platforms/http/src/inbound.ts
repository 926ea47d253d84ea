/** A request before it is an event: size, signature, then shape. Nothing is parsed before the signature is right. */

import { isBlank } from '@runbound/platform-kit'
import { MESSAGE_COMPONENT_TYPES, type MessageChain } from '@runbound/protocol'
import { MessageChainSchema } from '@runbound/protocol/schemas'
import * as z from 'zod'
import { badField, Fault } from './answers.ts'
import type { HttpSettings } from './settings.ts'
import { signedHeaders, verify } from './signature.ts'

/** Largest body of a request, in bytes. */
export const MAX_BODY = 1_048_576
/** Deepest nesting of lists and objects in a body; a quote in a quote needs three levels. */
export const MAX_DEPTH = 32
/** Most components of one message. */
export const MAX_COMPONENTS = 1_000
const MAX_ID = 256

/** A body whose sender is known (or need not be), with what makes a second delivery of it recognisable. */
export interface Verified {
  readonly body: Uint8Array
  /** The caller's time in epoch seconds; null if the request is not signed. */
  readonly timestamp: number | null
  readonly signature: string | null
  readonly idempotencyKey: string | null
}

/** Reads and verifies. Throws Fault 40101 or 41301. `now` in milliseconds. */
export async function verified(request: Request, settings: HttpSettings, now: number): Promise<Verified> {
  const signed = signedHeaders(request.headers, now)
  if (signed === null && settings.signatureRequired)
    throw unauthorized('X-LB-Timestamp and X-LB-Signature are missing. Sign the request.')
  if (signed !== null && 'wrong' in signed) throw unauthorized(signed.wrong)
  const body = await readBody(request)
  // A signature that nobody asked for is still checked: a wrong one means that something is wrong.
  if (signed !== null && settings.inboundSecret !== null && !verify(settings.inboundSecret, signed, body)) {
    throw unauthorized(
      'X-LB-Signature is not that of this body: sha256= HMAC over "{timestamp}.{body}" with inbound_secret.',
    )
  }
  const proven = signed !== null && settings.inboundSecret !== null ? signed : null
  return {
    body,
    timestamp: proven === null ? null : Number(proven.timestamp),
    signature: proven?.signature ?? null,
    idempotencyKey: idempotencyKey(request.headers),
  }
}

function unauthorized(message: string): Fault {
  return new Fault(40101, 'unauthorized', message)
}

function idempotencyKey(headers: Headers): string | null {
  const key = headers.get('x-lb-idempotency-key')
  if (key === null || key === '') return null
  if (key.length > MAX_ID) throw badField('X-LB-Idempotency-Key', `must have at most ${MAX_ID} characters.`)
  return key
}

async function readBody(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > MAX_BODY) throw tooLarge()
  // The server holds the sender to the declared length, so this can be read in one go.
  if (declared !== null) {
    const body = new Uint8Array(await request.arrayBuffer())
    if (body.byteLength > MAX_BODY) throw tooLarge()
    return body
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): Fault {
  return new Fault(41301, 'too_large', `The body is larger than ${MAX_BODY} bytes. Send files by url.`)
}

const SessionSchema = z.object({
  session_id: z.string().min(1).max(MAX_ID),
  session_type: z.enum(['person', 'group']).nullish(),
})
const InboundSchema = SessionSchema.extend({
  sender: z
    .object({
      id: z.union([z.string().min(1).max(MAX_ID), z.int()]).nullish(),
      name: z.string().max(MAX_ID).nullish(),
      nickname: z.string().max(MAX_ID).nullish(),
    })
    .nullish(),
  message: z.unknown(),
})

export interface Session {
  readonly session_id: string
  readonly session_type: 'person' | 'group'
}

export interface InboundMessage extends Session {
  /** Default: the session itself is the person. */
  readonly sender: { readonly id: string | number; readonly name: string }
  readonly chain: MessageChain
}

/** The body of `/reset`. Throws Fault 40001 that names the field. */
export function readSession(body: Uint8Array, settings: HttpSettings): Session {
  const { session_id, session_type } = check(SessionSchema, parse(body))
  return { session_id, session_type: session_type ?? settings.sessionType }
}

/** The body of a message. Throws Fault 40001 that names the field. */
export function readMessage(body: Uint8Array, settings: HttpSettings): InboundMessage {
  const { session_id, session_type, sender, message } = check(InboundSchema, parse(body))
  return {
    session_id,
    session_type: session_type ?? settings.sessionType,
    sender: { id: sender?.id ?? session_id, name: sender?.name ?? sender?.nickname ?? '' },
    chain: readChain(message),
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function parse(body: Uint8Array): unknown {
  let value: unknown
  try {
    value = JSON.parse(UTF8.decode(body))
  } catch {
    throw badField('body', 'is no JSON in UTF-8.')
  }
  if (!shallow(value, MAX_DEPTH)) throw badField('body', `is nested more than ${MAX_DEPTH} levels deep.`)
  return value
}

function shallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  for (const inner of Object.values(value)) if (!shallow(inner, levels - 1)) return false
  return true
}

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(MESSAGE_COMPONENT_TYPES)

function readChain(message: unknown): MessageChain {
  if (typeof message === 'string') return notBlank([{ type: 'Plain', text: message }])
  if (!Array.isArray(message))
    throw badField('message', 'must be text or a list of components such as {"type": "Plain", "text": "hello"}.')
  if (message.length > MAX_COMPONENTS) throw badField('message', `must have at most ${MAX_COMPONENTS} components.`)
  for (const [index, component] of message.entries()) checkComponent(component, `message[${index}]`)
  const read = MessageChainSchema.safeParse(message)
  if (!read.success) throw fieldFault(read.error, ['message'])
  // The caller's Source would be ours to trust; the event gets its own.
  return notBlank(read.data.filter((component) => component.type !== 'Source'))
}

/** The chain reader makes `Unknown` of what it does not know; here the caller can still be told. */
function checkComponent(component: unknown, place: string): void {
  if (typeof component !== 'object' || component === null || !('type' in component))
    throw badField(place, 'must be an object with a type.')
  if (!KNOWN_TYPES.has(component.type))
    throw badField(`${place}.type`, `"${String(component.type)}" is no message component.`)
  for (const name of ['path', 'file_path']) {
    // A path would be read on this host, by whoever handles the message.
    if (Object.hasOwn(component, name) && Reflect.get(component, name))
      throw badField(`${place}.${name}`, 'is a path on another machine. Send url or base64.')
  }
  for (const name of ['url', 'image_url']) {
    const url: unknown = Object.hasOwn(component, name) ? Reflect.get(component, name) : ''
    if (typeof url === 'string' && url !== '' && !/^(https?:\/\/|data:)/i.test(url))
      throw badField(`${place}.${name}`, 'must be an http, https or data URL.')
  }
  const nested: unknown = Reflect.get(component, 'origin')
  if (Array.isArray(nested))
    for (const [index, inner] of nested.entries()) checkComponent(inner, `${place}.origin[${index}]`)
  const nodes: unknown = Reflect.get(component, 'node_list')
  if (!Array.isArray(nodes)) return
  for (const [index, node] of nodes.entries()) {
    const chain: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'message_chain') : null
    if (!Array.isArray(chain)) continue
    for (const [at, inner] of chain.entries())
      checkComponent(inner, `${place}.node_list[${index}].message_chain[${at}]`)
  }
}

function notBlank(chain: MessageChain): MessageChain {
  if (isBlank(chain)) throw badField('message', 'is empty.')
  return chain
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw fieldFault(read.error, [])
}

function fieldFault(error: z.ZodError, before: readonly PropertyKey[]): Fault {
  const [issue] = error.issues
  const path = [...before, ...(issue?.path ?? [])].reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  )
  return badField(path === '' ? 'body' : path, `${issue?.message ?? 'is wrong'}.`)
}
