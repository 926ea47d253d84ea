/** The texts of requests and answers (wire.md §1.5, §1.6), and what is wrong with a received one. */
import type { Json, JsonObject } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import { stringify } from './codec/stringify.ts'
import { isObject } from './errors.ts'
import { cutText } from './utf8.ts'

/** Longest text of an error answer in UTF-16 units; what is cut is marked. */
const MESSAGE_UNITS = 4096
const CUT = ' [cut]'

/** A request; `flow` asks for a stream with acknowledgements. */
export function requestText(seqId: number, action: string, data: JsonObject, flow: boolean): string {
  const end = flow ? ',"stream_flow_control":1}' : '}'
  return `{"seq_id":${seqId},"action":${JSON.stringify(action)},"data":${stringify(data)}${end}`
}

/** A successful answer. */
export function answerText(seqId: number, data: JsonObject): string {
  return `{"seq_id":${seqId},"code":0,"message":"success","data":${stringify(data)},"chunk_status":"continue"}`
}

/** One item of a stream; `index` is null where the asker did not ask for flow control. */
export function frameText(seqId: number, index: number | null, data: JsonObject): string {
  const end = index === null ? '}' : `,"stream_index":${index}}`
  return `{"seq_id":${seqId},"code":0,"message":"success","data":${stringify(data)},"chunk_status":"continue"${end}`
}

/** The normal end of a stream; carries no item and no index. */
export function endText(seqId: number): string {
  return `{"seq_id":${seqId},"code":0,"message":"success","data":{},"chunk_status":"end"}`
}

/** An error answer: structured for a WireError, `<Class>: <text>` for anything else, never a stack. */
export function errorText(seqId: Json, error: unknown): string {
  const wire = WireError.is(error)
  const data = wire ? { error: { ...error.toData(), message: cutMessage(error.message) } } : {}
  const message = cutMessage(wire ? error.message : describe(error))
  return `{"seq_id":${stringify(seqId)},"code":1,"message":${JSON.stringify(message)},"data":${stringify(data)},"chunk_status":"continue"}`
}

function cutMessage(text: string): string {
  return text.length <= MESSAGE_UNITS ? text : cutText(text, MESSAGE_UNITS) + CUT
}

function describe(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`
  return `Error: ${typeof error === 'string' ? error : `a thrown ${error === null ? 'null' : typeof error}`}`
}

/** What makes an answer invalid, or null (wire.md §1.6). */
export function answerDefect(envelope: JsonObject): string | null {
  if (!Number.isInteger(envelope.code)) return 'code is no integer'
  if (typeof envelope.message !== 'string') return 'message is no text'
  if (!isObject(envelope.data)) return 'data is no object'
  const status = envelope.chunk_status
  if (status !== undefined && status !== null && status !== 'continue' && status !== 'end') {
    return 'chunk_status is neither "continue" nor "end"'
  }
  return null
}

/** What makes a request invalid apart from its seq_id, or null (wire.md §1.5). */
export function requestDefect(envelope: JsonObject): string | null {
  if (typeof envelope.action !== 'string') return 'action must be a text'
  if (!isObject(envelope.data)) return 'data must be an object'
  const flow = envelope.stream_flow_control
  if (flow !== undefined && flow !== null && flow !== 1) return 'stream_flow_control must be 1 or absent'
  return null
}

const HEAD = /^\s*\{\s*(?:"stream_index"\s*:\s*\d{1,16}\s*,\s*)?"seq_id"\s*:\s*(\d{1,16})\s*,\s*"(action|code)"/

/** Which request or answer a text is, read from its first characters: for texts that must not be parsed. */
export function peekHead(text: string): { readonly seqId: number; readonly request: boolean } | null {
  const match = HEAD.exec(text.slice(0, 200))
  if (match === null) return null
  return { seqId: Number(match[1]), request: match[2] === 'action' }
}
