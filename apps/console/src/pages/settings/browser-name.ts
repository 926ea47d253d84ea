/** What a browser calls itself, as people call it: "Firefox on Linux". Display only; null where nothing is known of it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chromium|Chrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^node\b/, 'Node'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux|X11/, 'Linux'],
]

export function browserName(said: string | null): string | null {
  if (said === null || said === '') return null
  const browser = BROWSERS.find(([pattern]) => pattern.test(said))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(said))?.[1]
  if (browser === undefined) return system ?? said.slice(0, 40)
  return system === undefined ? browser : `${browser} · ${system}`
}
