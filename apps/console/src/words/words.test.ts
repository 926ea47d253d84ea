import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const SOURCES = new URL('../', import.meta.url)

/** Every folder of catalogues: the shell's, and `words/` of pages and of whatever else speaks. */
const folders = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name === 'words')
  .map((entry) => pathToFileURL(`${join(entry.parentPath, entry.name)}/`))
const files = { en: 'en.ts', 'zh-Hans': 'zh-hans.ts', ja: 'ja.ts' } as const

/** `path` -> what stands there: the text, or the text that a function makes of telling arguments. */
function flat(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]])
  if (typeof value === 'function') return new Map([[`${path}()${value.length}`, String(value(7, 8, 9))]])
  return new Map(
    Object.entries(value as object).flatMap(([key, inner]) => [...flat(inner, path === '' ? key : `${path}.${key}`)]),
  )
}

/** Names and signs that are the same in every language. */
const SAME_EVERYWHERE = /^[\W\d_]*$|^(Runbound|API|JSON|YAML|ID|URL|OK)$/
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

test('the shell and every page have a catalogue', () => expect(folders.length).toBeGreaterThan(7))

test.each(folders.map((url) => [url.pathname.split('/src/')[1] ?? '', url] as const))(
  '%s says everything in every language',
  async (_name, folder) => {
    const [en, zh, ja] = await Promise.all(
      Object.values(files).map(async (file) => {
        const [catalogue] = Object.values(await import(new URL(file, folder).pathname))
        return flat(catalogue)
      }),
    )
    const keys = [...(en?.keys() ?? [])]
    expect(keys.length).toBeGreaterThan(0)
    for (const [language, other] of [
      ['zh-Hans', zh],
      ['ja', ja],
    ] as const) {
      expect([...(other?.keys() ?? [])].map((key) => key.replace(/\(\)\d$/, '()')).sort(), language).toEqual(
        keys.map((key) => key.replace(/\(\)\d$/, '()')).sort(),
      )
      const untranslated = [...(other ?? [])].filter(([, text]) => !HAN.test(text) && !SAME_EVERYWHERE.test(text))
      expect(untranslated, language).toEqual([])
    }
    const empty = [en, zh, ja].flatMap((all) => [...(all ?? [])].filter(([, text]) => text.trim() === ''))
    expect(empty).toEqual([])
    expect([...(en?.values() ?? [])].filter((text) => /!|！/.test(text))).toEqual([])
  },
)
