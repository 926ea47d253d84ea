/** What never stands in a line of the log, and what stands in each line of a run. */
import { expect, test } from 'vitest'
import { hostLog } from './host-log.ts'
import { KnownSecrets, learnsSecrets } from './known-secrets.ts'
import { createLogger } from './log.ts'
import { readableLog } from './log-lines.ts'
import { traceOfEvent } from './trace-ids.ts'

function planted(...values: readonly string[]) {
  const lines: string[] = []
  const secrets = new KnownSecrets()
  for (const value of values) secrets.add(value)
  const log = hostLog(
    createLogger({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } }),
    {
      secrets,
      eventOf: (runId) => (runId === 'r-1' ? 'e-1' : undefined),
    },
  )
  return { log, lines, all: () => lines.join('') }
}

test('a secret of a setting is hidden wherever it turns up: texts, fields, errors with causes, URLs, children', () => {
  const secret = 'pl4nted/$ecret+"value"'
  const { log, all, lines } = planted(secret)
  const error = new Error(`401 from https://x.example/bot${secret}/send`, { cause: new Error(`with ${secret}`) })
  log.error({ err: error, other: error, list: [{ deep: secret }] }, `failed for ${secret}`)
  log.child({ bound: secret }).info({ url: `https://x.example/?k=${encodeURIComponent(secret)}` }, 'asked')
  log.warn({ answer: JSON.stringify({ got: secret }) }, 'answered')
  expect(lines).toHaveLength(3)
  expect(all()).toContain('https://x.example/bot[hidden]/send')
  for (const spelled of [secret, encodeURIComponent(secret), 'pl4nted']) expect(all()).not.toContain(spelled)
})

test('what passes the seals becomes known, on its way in and out', () => {
  const { log, all } = planted()
  const secrets = new KnownSecrets()
  const seals = learnsSecrets(
    { seal: (text: string, _place: string) => `sealed ${text}`, open: (text: string, _place: string) => text.slice(7) },
    secrets,
  )
  seals.seal('s3cret-in', 'here')
  seals.open('sealed s3cret-out', 'here')
  expect(secrets.hide('s3cret-in, s3cret-out and sealed')).toBe('[hidden], [hidden] and sealed')
  // The control: a log that was not told writes it.
  log.info({}, 's3cret-in')
  expect(all()).toContain('s3cret-in')
})

test('keys, tokens and headers are hidden by name and look, also in children, deep nests and errors', () => {
  const { log, all } = planted()
  log.child({ headers: { Authorization: 'Basic cGxhbnRlZA==' } }).error(
    {
      err: new Error('used rbk_plantedplanted'),
      a: { b: { c: { d: { e: { f: { g: { token: 'planted-deep' } } } } } } },
    },
    'no',
  )
  expect(all()).toContain('"msg":"no"')
  expect(all()).not.toMatch(/planted|cGxhbnRlZA/)
})

test('lines of a run and of an event name its trace; others name none', () => {
  const { log, lines } = planted()
  log.warn({ run_id: 'r-1' }, 'one')
  log.warn({ event_id: 'e-1' }, 'two')
  log.warn({ run_id: 'r-of-another-host' }, 'three')
  const [one, two, three] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const { traceId } = traceOfEvent('e-1')
  expect(one).toMatchObject({ run_id: 'r-1', event_id: 'e-1', trace_id: traceId })
  expect(two).toMatchObject({ event_id: 'e-1', trace_id: traceId })
  expect(three).not.toHaveProperty('trace_id')
})

test('in a terminal a line reads as time, level, message, fields and the stack', () => {
  const { log, lines } = planted()
  log.error({ err: new Error('broke'), bot_uuid: 'b-1' }, 'It failed')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  const text = readableLog(lines[0] ?? '').replace(/\u001b\[\d+m/g, '')
  expect(text).toMatch(/^\d\d:\d\d:\d\d error It failed bot_uuid=b-1\nError: broke\n {4}at /)
  expect(readableLog('no JSON\n')).toBe('no JSON\n')
})
