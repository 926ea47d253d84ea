/** Percentiles and slopes: medians, because a busy machine moves means. */

export function percentile(values: readonly number[], share: number): number {
  const ordered = [...values].sort((a, b) => a - b)
  const value = ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))]
  if (value === undefined) throw new Error('a percentile of no values')
  return value
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Least squares: how much y grows for 1 of x. */
export function slope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean('x'), mean('y')]
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0)
  const under = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return over / under
}
