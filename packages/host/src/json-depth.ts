/** How deep JSON from outside may nest. Checked before anything that recurses: validation, hashing, writing it out again. */

/** The envelope wraps an event a few times before it reaches a plugin, whose link takes 128 levels. */
export const DEPTH_MAX = 100

/** True where a value nests deeper than so many levels; looks no deeper itself. */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) if (deeperThan(Reflect.get(value, key), levels - 1)) return true
  return false
}
