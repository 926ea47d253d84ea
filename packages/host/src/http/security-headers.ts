/** Headers that every answer carries, unless its maker knows better: nothing is sniffed, framed or kept by accident. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
]
/** Of what is no page: should a browser take it for one, it may do nothing. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

/** Adds what is missing. */
export function secured(headers: Headers): void {
  for (const [name, value] of HEADERS) if (!headers.has(name)) headers.set(name, value)
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', NO_PAGE)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
