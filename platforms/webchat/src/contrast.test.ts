import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const css = await readFile(new URL('../page/style.css', import.meta.url), 'utf8')

/** The colours of a block of custom properties. */
function palette(block: string): Map<string, string> {
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

const [light = '', darkBySystem = '', dark = ''] = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(
  ([, block = '']) => block,
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

test('text has the contrast of level AA on every ground it stands on, light and dark', () => {
  const pairs: [string, readonly string[]][] = [
    ['text', ['bg', 'bg-soft', 'bg-hover', 'accent-soft', 'bubble', 'bubble-mine', 'danger-soft']],
    ['text-soft', ['bg', 'bg-soft', 'bg-hover', 'accent-soft', 'bubble']],
    ['accent', ['bg', 'bg-soft', 'accent-soft', 'bubble', 'bubble-mine']],
    ['on-accent', ['accent', 'accent-hover']],
    ['danger', ['bg', 'bg-soft', 'danger-soft']],
    ['warn', ['warn-soft']],
    ['ok', ['ok-soft']],
  ]
  for (const block of [light, darkBySystem, dark]) {
    const colours = palette(block)
    for (const [front, backs] of pairs) {
      for (const back of backs) {
        const ratio = contrast(colours.get(front) ?? '', colours.get(back) ?? '')
        expect(ratio, `${front} on ${back} in ${colours.get('bg')}`).toBeGreaterThanOrEqual(4.5)
      }
    }
    // Edges of fields and of what is focused.
    for (const edge of ['line-strong', 'accent']) {
      expect(contrast(colours.get(edge) ?? '', colours.get('bg') ?? ''), edge).toBeGreaterThanOrEqual(3)
    }
  }
  expect(palette(darkBySystem)).toEqual(palette(dark))
})
