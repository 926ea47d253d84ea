/** `docs/operations.md`: what an operator reads of a running host; the metrics come from their one table. */
import { METRICS_PATH } from '@runbound/api'
import { METRICS, type MetricRecord } from '../../../packages/host/src/telemetry/metric-records.ts'
import { BUCKETS } from '../../../packages/host/src/telemetry/metric-values.ts'
import { type Page, page, table } from './page.ts'

const OPTIONS = [
  [
    '`--public-url URL`',
    '`RUNBOUND_PUBLIC_URL`',
    'where people reach the host through a reverse proxy, such as `https://bots.example`: links begin with it, its name is let in, and with https the session cookie is `Secure`',
  ],
  ['`--log-level LEVEL`', '`RUNBOUND_LOG_LEVEL`', '`debug`, `info`, `warn` (default), `error`, `silent`'],
  [
    '`--otlp URL`',
    '`RUNBOUND_OTLP`, else `OTEL_EXPORTER_OTLP_ENDPOINT`',
    'traces go to this OTLP/HTTP collector; without it there are none',
  ],
] as const

const HEALTH = `\`GET /healthz\` answers \`{ "status": "ok", "version": ... }\` without a key: the process serves. It says nothing about bots and
plugins; \`runbound status\` and the metric \`runbound_plugin_state\` do.`

const LOG = `The log goes to standard error: one JSON object a line, or readable lines where that is a terminal. A line that belongs to a run or an
event has \`run_id\`, \`event_id\` and \`trace_id\`; the last one is the id of the event's trace, also where no collector is set.

Secrets are taken out before a line is written: fields by their names (\`token\`, \`api_key\`, \`authorization\`, ...), keys and bearer tokens by
their look, and by value every secret of a bot's, processor's or plugin's settings that this host has stored or read, wherever it turns up. Values
shorter than six characters are not searched for. Texts of messages are not logged. What a plugin itself writes is in its own log
(\`runbound plugin logs\`), as it wrote it.`

const TRACES = `Each event is one trace: \`receive <event type>\`, below it \`run <processor>\`, below that \`call <method>\` for each call to the host and
\`deliver message\` or \`deliver stream\`. A run that starts late, or after a restart, stands in the same trace: ids follow from the event's and the
run's. Attributes are names, ids, durations and reason codes (\`runbound.*\`, and OpenTelemetry's own where there are some); no texts, no arguments,
no ids of people or chats. A failed span has the status error with the reason code (docs/errors.md).

Spans are sent in batches, as OTLP over HTTP with JSON, to \`URL/v1/traces\`; \`OTEL_EXPORTER_OTLP_HEADERS\` and the exporter's other variables
count. At most 4,096 wait; what a slow or dead collector does not take is dropped, counted in \`runbound_spans_total\`, and told in the log once
a minute. A stop waits two seconds for what is left.`

const METRICS_TEXT = `\`GET ${METRICS_PATH}\` is Prometheus' text format. It needs an API key with the scope \`metrics\`, which opens nothing else:

\`\`\`yaml
scrape_configs:
  - job_name: runbound
    authorization: { credentials_file: /etc/prometheus/runbound.key }
    static_configs: [{ targets: ['127.0.0.1:5490'] }]
\`\`\`

Counters begin at 0 with each start of the host. Labels never hold ids of runs, events, people or conversations; beyond a thousand combinations
a metric counts the rest under \`(other)\`. Depths are counted when somebody looks. Buckets of durations, in seconds: ${BUCKETS.join(', ')}.`

/** Builds the page. */
export function operationsPage(): Page {
  return page(
    'operations.md',
    'Operations',
    'tools/src/docs/operations-page.ts and packages/host/src/telemetry/metric-records.ts',
    [
      table(['option of `start` and `dev`', 'environment', 'what'], OPTIONS),
      '## Health',
      HEALTH,
      '## Log',
      LOG,
      '## Metrics',
      METRICS_TEXT,
      table(
        ['metric', 'type', 'labels', 'what'],
        Object.entries<MetricRecord>(METRICS).map(([name, { type, labels, says }]) => [
          `\`${name}\``,
          type,
          labels.map((label) => `\`${label}\``).join(', '),
          says,
        ]),
      ),
      '## Traces',
      TRACES,
    ],
  )
}
