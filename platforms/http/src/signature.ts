/** Signatures of both directions: `sha256=` HMAC-SHA-256 over `{timestamp}.{body}`. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const TIMESTAMP_HEADER = 'x-lb-timestamp'
export const SIGNATURE_HEADER = 'x-lb-signature'
/** How far a timestamp may be from our clock, in seconds. */
export const WINDOW_S = 300

/** The signature of a body at a time (whole epoch seconds). */
export function sign(secret: string, timestamp: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`
}

/** What the headers say, before the body is read. */
export type SignedHeaders =
  | { readonly timestamp: string; readonly signature: string }
  | { readonly wrong: string }
  | null

/** Reads the headers and checks the age; null if the request is not signed at all. `now` in milliseconds. */
export function signedHeaders(headers: Headers, now: number): SignedHeaders {
  const timestamp = headers.get(TIMESTAMP_HEADER)
  const signature = headers.get(SIGNATURE_HEADER)
  if (timestamp === null && signature === null) return null
  if (signature === null) return { wrong: 'X-LB-Signature is missing.' }
  if (timestamp === null) return { wrong: 'X-LB-Timestamp is missing.' }
  if (!/^\d{1,12}$/.test(timestamp)) return { wrong: 'X-LB-Timestamp must be the time in whole epoch seconds.' }
  if (Math.abs(now / 1000 - Number(timestamp)) > WINDOW_S) {
    return {
      wrong: `X-LB-Timestamp is more than ${WINDOW_S} s away from this host's time. Check the clocks and sign anew.`,
    }
  }
  return { timestamp, signature }
}

/** True if the signature is that of the body. Takes the same time for every wrong one. */
export function verify(secret: string, signed: { timestamp: string; signature: string }, body: Uint8Array): boolean {
  const right = Buffer.from(sign(secret, signed.timestamp, body))
  const given = Buffer.from(signed.signature)
  return given.length === right.length && timingSafeEqual(given, right)
}
