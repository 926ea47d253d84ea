/** Pins of the entry: what it exports, and what importing it loads. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as sdk from './index.ts'

test('the exports of the entry', () => {
  expect(Object.keys(sdk).sort()).toEqual([
    'AgentAPIException',
    'PermissionDeniedError',
    'SDK_VERSION',
    'SdkError',
    'at',
    'atAll',
    'chain',
    'chainText',
    'definePlugin',
    'defineRunner',
    'face',
    'field',
    'file',
    'forward',
    'image',
    'isPlugin',
    'manifestOf',
    'quote',
    'result',
    'text',
    'voice',
  ])
})

test('the export map and the version of the package', () => {
  const { exports, version } = createRequire(import.meta.url)('../package.json')
  expect(exports).toEqual({
    '.': './src/index.ts',
    './serve': './src/serve/index.ts',
    './process': './src/serve/process.ts',
  })
  expect(sdk.SDK_VERSION).toBe(version)
})

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[\w*{}\s,]+?\sfrom\s+)?['"]([^'"]+)['"]/gm
const ENTRIES: Readonly<Record<string, string>> = {
  '@runbound/protocol': '../../protocol/src/index.ts',
  '@runbound/link': '../../link/src/index.ts',
}

/** Every module that importing the file loads, read off the sources; type-only imports load nothing. */
function loadedBy(file: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(file)) return seen
  const source = readFileSync(file, 'utf8')
  seen.set(file, source)
  for (const [, specifier = ''] of source.matchAll(IMPORT)) {
    const entry = ENTRIES[specifier]
    if (specifier.startsWith('.')) loadedBy(resolve(dirname(file), specifier), seen)
    else if (entry !== undefined) loadedBy(fileURLToPath(new URL(entry, import.meta.url)), seen)
    else seen.set(specifier, '')
  }
  return seen
}

test('importing the entry loads neither zod nor anything of Node', () => {
  const loaded = loadedBy(fileURLToPath(new URL('./index.ts', import.meta.url)))
  const outside = [...loaded.keys()].filter((name) => !name.startsWith('/'))
  expect(outside).toEqual([])
  expect(loaded.size).toBeGreaterThan(40)
})

test('the proof can fail: serving a process does load Node', () => {
  const loaded = loadedBy(fileURLToPath(new URL('./serve/index.ts', import.meta.url)))
  expect([...loaded.keys()]).toContain('node:fs')
})
