/** Prometheus' text format (0.0.4). Ours: the library's own costs 27 MiB of memory for these lines (docs/decisions/0020). */
import { METRICS, type MetricName, type MetricRecord } from './metric-records.ts'
import { BUCKETS, type Distribution } from './metric-values.ts'

/** Label values in the order of the record, and what was counted or seen. */
export type Sample = readonly [labels: readonly string[], value: number | Distribution]

/** Samples by metric. */
export type Samples = { readonly [Name in MetricName]: Iterable<Sample> }

/** All metrics in the order of their table. A metric without samples is named all the same. */
export function metricsText(samples: Samples): string {
  const lines: string[] = []
  for (const [name, record] of Object.entries<MetricRecord>(METRICS)) {
    lines.push(`# HELP ${name} ${record.says.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`)
    lines.push(`# TYPE ${name} ${record.type}`)
    for (const [labels, value] of samples[name as MetricName]) {
      const pairs = labels.map((text, index) => pair(record.labels[index] ?? '', text))
      if (typeof value === 'number') lines.push(`${name}${braced(pairs)} ${value}`)
      else lines.push(...distributionLines(name, pairs, value))
    }
  }
  return `${lines.join('\n')}\n`
}

function distributionLines(name: string, pairs: readonly string[], { counts, sum, count }: Distribution): string[] {
  let below = 0
  const buckets = counts.map((inBucket, index) => {
    below += inBucket
    const bound = BUCKETS[index]
    return `${name}_bucket${braced([...pairs, pair('le', bound === undefined ? '+Inf' : String(bound))])} ${below}`
  })
  return [...buckets, `${name}_sum${braced(pairs)} ${sum}`, `${name}_count${braced(pairs)} ${count}`]
}

function pair(label: string, value: string): string {
  return `${label}="${value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')}"`
}

const braced = (pairs: readonly string[]): string => (pairs.length === 0 ? '' : `{${pairs.join(',')}}`)
