/** Writes the generated pages of `docs/`; `--check` writes nothing and fails when one is out of date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPage } from './docs/api-page.ts'
import { errorsPage } from './docs/errors-page.ts'
import { operationsPage } from './docs/operations-page.ts'
import type { Page } from './docs/page.ts'
import { protocolPage } from './docs/protocol-page.ts'
import { ROOT } from './sources/tree.ts'

/** All generated pages, made from the records as they are now. */
export function generatedPages(): Page[] {
  return [protocolPage(), errorsPage(), apiPage(), operationsPage()]
}

/** The names of pages that differ from what the records say. */
export function outdatedPages(pages: readonly Page[] = generatedPages()): string[] {
  return pages
    .filter(({ name, text }) => !existsSync(fileOf(name)) || readFileSync(fileOf(name), 'utf8') !== text)
    .map(({ name }) => name)
}

/** Writes the pages that are out of date; answers their names. */
export function writePages(): string[] {
  const pages = generatedPages()
  const outdated = outdatedPages(pages)
  for (const { name, text } of pages) if (outdated.includes(name)) writeFileSync(fileOf(name), text)
  return outdated
}

function fileOf(name: string): string {
  return join(ROOT, 'docs', name)
}

if (import.meta.main) {
  const check = process.argv.includes('--check')
  const outdated = check ? outdatedPages() : writePages()
  for (const name of outdated)
    process.stdout.write(`docs/${name} ${check ? 'is out of date: npm run validate -- --fix' : 'written'}\n`)
  process.exitCode = check && outdated.length > 0 ? 1 : 0
}
