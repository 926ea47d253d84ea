/** When the hosts of a run are killed: at random times and at named points in turn, the same for the same seed. */
import { INLINE_POINTS, POINTS, type Point } from './points.ts'
import type { Kill } from './round.ts'
import type { Random } from './seed.ts'

/** Points that only a host can reach which takes up the work of one before. */
const LATER: ReadonlySet<Point> = new Set(['recovery.outcome', 'recovery.resume', 'bot.start'])
const names = Object.keys(POINTS).filter((name): name is Point => name in POINTS)

/** Plans kills round by round; over the rounds all points have their turn. */
export function killPlanner(random: Random): (kills: number, plugin: 'inline' | 'node') => Kill[] {
  const waiting: Point[] = []
  const next = (plugin: 'inline' | 'node', first: boolean): Point => {
    const fits = (point: Point): boolean =>
      (plugin === 'inline' || !INLINE_POINTS.has(point)) && !(first && LATER.has(point))
    if (!waiting.some(fits)) waiting.push(...shuffled(random, names))
    const index = waiting.findIndex(fits)
    return waiting.splice(index, 1)[0] ?? 'send.after'
  }
  return (kills, plugin) =>
    Array.from({ length: kills }, (_, index) => {
      if (index % 2 === 1) return { after: random.whole(0, 2) === 0 ? random.whole(50, 700) : random.whole(700, 3_000) }
      const point = next(plugin, index === 0)
      return { point, nth: LATER.has(point) ? 1 : random.whole(1, 12) }
    })
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: random.whole(0, 2 ** 30) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
