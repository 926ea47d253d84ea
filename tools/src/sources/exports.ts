/** Finds the names that a TypeScript file exports, from its text alone; types as `type Name`. */
import { maskSource } from './mask.ts'

const LIST = /(?<![\w$.])export\s+(type\s+)?\{([^}]*)\}/g
const STAR_AS = /(?<![\w$.])export\s+(type\s+)?\*\s+as\s+([\w$]+)/g
const DECLARED =
  /(?<![\w$.])export\s+(?:declare\s+)?(default\b|(?:async\s+)?function\s*\*?|abstract\s+class|class|const|let|var|interface|type)\s*([\w$]*)/g

/** Sorted names, so that the order of lines says nothing. */
export function findExports(text: string): string[] {
  const masked = maskSource(text)
  const names = new Set<string>()
  for (const [, type, list = ''] of masked.matchAll(LIST))
    for (const item of list.split(',')) {
      const words = item.trim().split(/\s+/)
      const own = words[0] === 'type' && words.length > 1
      const name = words.at(-1) ?? ''
      if (name !== '') names.add(type !== undefined || own ? `type ${name}` : name)
    }
  for (const [, type, name = ''] of masked.matchAll(STAR_AS)) names.add(type === undefined ? name : `type ${name}`)
  for (const [, kind = '', name = ''] of masked.matchAll(DECLARED)) {
    if (kind === 'default') names.add('default')
    else if (name !== '') names.add(kind === 'interface' || kind === 'type' ? `type ${name}` : name)
  }
  return [...names].sort()
}
