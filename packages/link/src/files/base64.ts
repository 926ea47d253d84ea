/** Strict standard base64, without Node: the alphabet with + and /, padded, nothing else. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const INVALID = 255
const VALUES = new Uint8Array(128).fill(INVALID)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/** Bytes that are turned into one string at a time; a multiple of 3 and below every argument limit. */
const PIECE = 6144

/** Base64 of bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)))
  }
  return text
}

/** Bytes of a base64 text; null when it is not strictly base64. */
export function decodeBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const units = text.length - padding
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let buffer = 0
  let bits = 0
  let at = 0
  for (let i = 0; i < units; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? INVALID
    if (value === INVALID) return null
    buffer = ((buffer << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (buffer >> bits) & 0xff
    }
  }
  return bytes
}
