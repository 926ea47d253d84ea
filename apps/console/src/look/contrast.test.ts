import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark] as const],
  ),
)

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['ground', 'ground-soft', 'ground-hover', 'raised', 'accent-soft']
const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  ['ink', [...grounds, 'ok-soft', 'warn-soft', 'danger-soft', 'info-soft']],
  ['ink-soft', grounds],
  ['accent', ['ground', 'ground-soft', 'ground-hover', 'raised', 'accent-soft']],
  ['on-accent', ['accent', 'accent-hover']],
  ['on-danger', ['danger-strong']],
  ['ok', ['ground', 'ground-soft', 'ground-hover', 'raised', 'ok-soft']],
  ['warn', ['ground', 'ground-soft', 'ground-hover', 'raised', 'warn-soft']],
  ['danger', ['ground', 'ground-soft', 'ground-hover', 'raised', 'danger-soft']],
  ['info', ['ground', 'ground-soft', 'ground-hover', 'raised', 'info-soft']],
]

test.each([
  ['light', 0],
  ['dark', 1],
] as const)('text has the contrast of level AA on every ground it stands on: %s', (_theme, at) => {
  for (const [front, backs] of PAIRS)
    for (const back of backs)
      expect(
        contrast(tokens.get(front)?.[at] ?? '', tokens.get(back)?.[at] ?? ''),
        `${front} on ${back}`,
      ).toBeGreaterThanOrEqual(4.5)
  // Edges of fields, and of what is focused.
  for (const edge of ['line-strong', 'accent'])
    for (const back of ['ground', 'ground-soft', 'raised'])
      expect(
        contrast(tokens.get(edge)?.[at] ?? '', tokens.get(back)?.[at] ?? ''),
        `${edge} on ${back}`,
      ).toBeGreaterThanOrEqual(3)
})

test('both themes have every colour', () => {
  const names = [...css.matchAll(/--color-([\w-]+):\s*var\(--([\w-]+)\)/g)].map(([, , name = '']) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !tokens.has(name) && name !== 'veil')).toEqual([])
})
