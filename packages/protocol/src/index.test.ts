/** The two entries: `.` must load no zod, because link and sdk run inside every plugin process. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Imports an entry in a process of its own and gives the specifiers that were resolved on the way. */
function loadedBy(entry: string): string[] {
  const file = join(import.meta.dirname, entry)
  const script = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve(specifier, context, next) { seen.push(specifier); return next(specifier, context) } })
    await import(${JSON.stringify(file)})
    console.log(JSON.stringify(seen))`
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  const seen: string[] = JSON.parse(out)
  return seen
}

test('the entry "." loads nothing outside this package', () => {
  expect(
    loadedBy('index.ts').filter(
      (specifier) => !specifier.startsWith('./') && !specifier.startsWith('/') && specifier !== 'node:module',
    ),
  ).toEqual([])
})

test('the entry "./schemas" does load zod, so the look above would see it', () => {
  expect(loadedBy('schemas.ts')).toContain('zod')
})
