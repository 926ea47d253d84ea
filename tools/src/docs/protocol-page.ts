/** `docs/protocol.md`: every method, result, platform tool, installation entry and limit, from the records. */
import { INSTALLATION_APIS, LIMITS, type MethodRecord, PLATFORM_TOOLS } from '@runbound/protocol'
import { HOST_METHODS, METHODS, RESULTS } from '@runbound/protocol/schemas'
import { needsText } from './needs-text.ts'
import { type Page, page, table } from './page.ts'
import { schemaText } from './schema-text.ts'

const READING = `One record per method drives the gateway, the SDK's types and this page. A \`run_id\` makes a request the run's form, a
\`query_id\` the query's, neither the installation's. *Needs* is what the grant has to allow, all of it, before anything happens;
besides, the named run or query must live and be this plugin's. *Effect*: \`none\` may be repeated, \`host\` writes or consumes
something that the host keeps, \`outside\` leaves the host, \`by-tool\` as the named tool says. *Waits* is how many seconds the asking
side waits. \`name?\` may be left out or null. Capitalised shapes are the types of the same name in \`@runbound/protocol\`. Sources are
sections of the specification.`

/** Builds the page. */
export function protocolPage(): Page {
  return page('protocol.md', 'The protocol', 'the records of packages/protocol', [
    READING,
    '## What a plugin asks of the host',
    ...Object.values(METHODS).map((record) => methodBlock(record)),
    '## What the host asks of a plugin',
    ...Object.values(HOST_METHODS).map((record) => methodBlock(record)),
    '## Results of a run',
    resultTable(),
    '## Platform tools',
    `Event tools act on the target of the event, which the host fixes; platform tools name their target, and the operator allows
each by name.`,
    toolTable(),
    '## What an installation may be allowed',
    `Outside runs. *free*: every installation has it; *list*: approved together; *own*: needs its own yes.`,
    table(
      ['entry', 'consent', 'lets the plugin'],
      Object.entries(INSTALLATION_APIS).map(([name, { consent, says }]) => [`\`${name}\``, consent, says]),
    ),
    '## Limits',
    `Errors with the reason \`too_large\` or \`limit_reached\` name one of these.`,
    table(
      ['name', 'value', 'of', 'source'],
      Object.entries(LIMITS).map(([name, { value, unit, says, source }]) => [
        `\`${name}\``,
        `${value.toLocaleString('en')} ${unit}`,
        says,
        source,
      ]),
    ),
  ])
}

function methodBlock(record: MethodRecord): string {
  const rows = Object.entries(record.forms).map(([name, form]) => [
    name,
    schemaText(form.params, 'input'),
    `${form.stream === true ? 'frames of ' : ''}${schemaText(form.result, 'output')}`,
    form.effect,
    record.from === 'host' ? 'the host asks' : needsText(form.authorize),
    String(form.waits),
  ])
  return `### ${record.from === 'host' ? 'host: ' : ''}${record.name}\n\n${record.summary} *(${record.source})*\n\n${table(
    ['form', 'params', 'result', 'effect', 'needs', 'waits'],
    rows,
  )}`
}

function resultTable(): string {
  return table(
    ['type', 'what', 'data', 'ends the run', 'effect', 'needs', 'limits'],
    Object.values(RESULTS).map((record) => [
      `\`${record.type}\``,
      record.summary,
      schemaText(record.payload, 'input'),
      record.terminal ? 'yes' : 'no',
      record.effect,
      needsText(record.authorize),
      record.limits.join(', '),
    ]),
  )
}

function toolTable(): string {
  return table(
    ['tool', 'what', 'arguments', 'events', 'platform API', 'fixed by the host', 'risk'],
    Object.entries(PLATFORM_TOOLS).map(([name, tool]) => [
      `\`${name}\``,
      tool.description,
      Object.keys(Object(tool.parameters.properties)).join(', '),
      tool.scope === 'platform' ? 'any' : tool.events.join(', '),
      `\`${tool.api}\``,
      tool.fixed.join(', '),
      tool.risk,
    ]),
  )
}
