/** Answers to callers: `{code, msg, data}`, with the codes of the protocol and four of our own. */

/** Codes and their HTTP status. 404, 405, 501 and 504 are ours: the protocol has no words for them. */
const STATUS = {
  40001: 400,
  40101: 401,
  40401: 404,
  40501: 405,
  40901: 409,
  41301: 413,
  50001: 500,
  50101: 501,
  50301: 503,
  50401: 504,
} as const
export type FaultCode = keyof typeof STATUS

/** A request that can't be done; becomes the answer. `reason` is stable, `message` says what was wrong and what to do. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly reason: string
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: FaultCode, reason: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'Fault'
    this.code = code
    this.reason = reason
    this.data = data
  }
}

/** A field of the body is wrong. */
export function badField(field: string, message: string): Fault {
  return new Fault(40001, 'invalid_request', `${field}: ${message}`, { field })
}

export function answer(status: number, data: unknown): Response {
  return respond(status, { code: 0, msg: 'ok', data })
}

export function refusal(fault: Fault): Response {
  return respond(STATUS[fault.code], {
    code: fault.code,
    msg: fault.message,
    data: { ...fault.data, reason: fault.reason },
  })
}

function respond(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body, exact), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** Ids beyond 2^53 as text: most receivers would lose digits of such a number. */
export function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
