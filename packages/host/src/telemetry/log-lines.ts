/** A line of the log as a person reads it in a terminal: time, level, message, then the fields. */
import { styleText } from 'node:util'

const COLORS = { debug: 'dim', info: 'cyan', warn: 'yellow', error: 'red', fatal: 'red' } as const

/** The same line, readable; one that is no JSON object stays as it is. */
export function readableLog(line: string): string {
  const read = objectOf(line)
  if (read === null) return line
  const { level, time, msg, err, ...fields } = read
  const name = typeof level === 'string' ? level : 'info'
  const color = Object.hasOwn(COLORS, name) ? COLORS[name as keyof typeof COLORS] : 'cyan'
  const clock = typeof time === 'string' ? time.slice(11, 19) : ''
  const rest = Object.entries(fields).map(([key, value]) => ` ${styleText('dim', `${key}=`)}${valueText(value)}`)
  const head = `${styleText('dim', clock)} ${styleText(color, name.padEnd(5))} ${typeof msg === 'string' ? msg : ''}`
  return `${head}${rest.join('')}${errorText(err)}\n`
}

function objectOf(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function errorText(err: unknown): string {
  if (typeof err !== 'object' || err === null) return ''
  const stack: unknown = Reflect.get(err, 'stack')
  return typeof stack === 'string' ? `\n${stack}` : ` ${JSON.stringify(err)}`
}
