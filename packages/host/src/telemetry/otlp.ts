/**
 * Spans on their way to a collector: OpenTelemetry's batch processor and OTLP exporter, loaded with the first span (23 MiB,
 * which a host without a collector never pays). A collector that is away costs a bounded queue and a log line now and then.
 */
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Counter } from './metric-values.ts'
import type { SpanData } from './spans.ts'
import type { OtlpOptions } from './types.ts'

/** Spans that wait or are on their way; further ones are dropped. About 1 KiB each. */
export const QUEUE_MAX = 4_096
const BATCH = 512
const DELAY_MS = 2_000
/** One export with its retries: also how long a process may linger after a stop whose collector is away. */
const EXPORT_MS = 3_000
/** How long a stop waits for what is still to be sent. */
const STOP_MS = 2_000
/** At most one line in this time says that the collector is away. */
const COMPLAIN_MS = 60_000

export interface OtlpParts extends OtlpOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly version: string
  readonly instanceUuid: string
  readonly count: Counter
}

type Time = [seconds: number, nanoseconds: number]

export class Otlp {
  readonly #parts: OtlpParts
  #waiting: SpanData[] = []
  #loading: Promise<void> | undefined
  #processor: SpanProcessor | undefined
  #read: ((span: SpanData) => ReadableSpan) | undefined
  #onTheWay = 0
  #lost = 0
  #complainedAt = Number.NEGATIVE_INFINITY
  #away = false
  #stopped = false

  constructor(parts: OtlpParts) {
    this.#parts = parts
  }

  /** Never throws, never waits. */
  add(span: SpanData): void {
    if (this.#stopped) return
    if (this.#onTheWay + this.#waiting.length >= QUEUE_MAX) {
      this.#parts.count.add('dropped')
      this.#lost++
      return
    }
    if (this.#processor !== undefined && this.#read !== undefined) {
      this.#onTheWay++
      this.#processor.onEnd(this.#read(span))
      return
    }
    this.#waiting.push(span)
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#stopped = true
      this.#waiting = []
      this.#parts.logger.error({ err: error }, 'Traces are off: their exporter could not be loaded')
    })
  }

  /** Sends what waits, for two seconds at most; what a collector does not take by then is gone. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#loading === undefined) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_MS)
    })
    await Promise.race([this.#loading.then(() => this.#processor?.shutdown()).catch(() => undefined), late])
    clearTimeout(timer)
  }

  async #load(): Promise<void> {
    const [{ BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
    const { endpoint, delayMs = DELAY_MS, version, instanceUuid } = this.#parts
    const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: EXPORT_MS, concurrencyLimit: 4 })
    const resource = resourceFromAttributes({
      'service.name': 'runbound',
      'service.version': version,
      'service.instance.id': instanceUuid,
    })
    const instrumentationScope = { name: 'runbound', version }
    this.#read = (span) => ({ ...readable(span), resource, instrumentationScope })
    this.#processor = new BatchSpanProcessor({
      exporter: this.#watched(exporter),
      maxQueueSize: QUEUE_MAX,
      maxExportBatchSize: BATCH,
      scheduledDelayMillis: delayMs,
      exportTimeoutMillis: EXPORT_MS + 1_000,
    })
    const waiting = this.#waiting
    this.#waiting = []
    this.#onTheWay = waiting.length
    for (const span of waiting) this.#processor.onEnd(this.#read(span))
  }

  /** The exporter, with its outcomes counted here and told to nobody else: the library would write its own lines of each. */
  #watched(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          this.#onTheWay -= spans.length
          const taken = result.code === 0
          this.#parts.count.by(spans.length, taken ? 'exported' : 'failed')
          if (taken) this.#back()
          else this.#complain(spans.length, result.error)
          done({ code: 0 })
        }),
      shutdown: () => exporter.shutdown(),
    }
  }

  #complain(spans: number, error: Error | undefined): void {
    this.#away = true
    this.#lost += spans
    const now = this.#parts.clock.now()
    if (now - this.#complainedAt < COMPLAIN_MS) return
    this.#complainedAt = now
    const { logger, endpoint } = this.#parts
    const why = error === undefined ? 'no reason given' : codeOf(error)
    logger.warn(
      { collector: shownUrl(endpoint), lost: this.#lost, why },
      'The collector does not take traces; they are dropped until it does',
    )
  }

  #back(): void {
    if (!this.#away) return
    this.#away = false
    this.#complainedAt = Number.NEGATIVE_INFINITY
    this.#parts.logger.info(
      { collector: shownUrl(this.#parts.endpoint), lost: this.#lost },
      'The collector takes traces again',
    )
    this.#lost = 0
  }
}

/** A code or the HTTP status; the text of an answer may hold anything. */
function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, 'code')
  if (typeof code === 'string') return code
  return typeof code === 'number' ? `HTTP ${code}` : error.name
}

/** Where traces go at this base URL. */
export function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint)
  if (!url.pathname.endsWith('/v1/traces')) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  return url.href
}

/** A URL without what may be a secret in it. */
function shownUrl(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint)
  return origin + pathname
}

function readable(span: SpanData): Omit<ReadableSpan, 'resource' | 'instrumentationScope'> {
  const { traceId, spanId, parentId, name, kind, error } = span
  const context = { traceId, spanId, traceFlags: 1 }
  const parent = parentId === null ? undefined : { traceId, spanId: parentId, traceFlags: 1 }
  return {
    name,
    kind,
    spanContext: () => context,
    ...(parent === undefined ? {} : { parentSpanContext: parent }),
    startTime: timeOf(span.start),
    endTime: timeOf(span.end),
    duration: timeOf(Math.max(0, span.end - span.start)),
    status: error === null ? { code: 0 } : { code: 2, message: error },
    attributes: { ...span.attributes },
    links: [],
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function timeOf(ms: number): Time {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)]
}
