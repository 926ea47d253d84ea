/** Settings of an http bot, with the names of the protocol it speaks. Checked once, when the bot is made. */
import { type AdapterSetting, ConfigError } from '@runbound/platform-kit'
import type { JsonObject } from '@runbound/protocol'

export interface HttpSettings {
  /** Key of inbound signatures; null only where signatures are not required. */
  readonly inboundSecret: string | null
  readonly outboundSecret: string | null
  /** Where replies are posted. Null: only `/sync` can answer. */
  readonly callbackUrl: URL | null
  readonly signatureRequired: boolean
  readonly sessionType: 'person' | 'group'
  /** For one attempt, in seconds. `/sync` waits four times as long. */
  readonly callbackTimeout: number
  /** Attempts after the first. */
  readonly callbackRetries: number
  /** The receiver promises to drop what it already has, by `X-RB-Delivery-Key`: then lost answers are retried too. */
  readonly receiverDeduplicates: boolean
  readonly streams: boolean
}

export const SETTINGS: readonly AdapterSetting[] = [
  {
    name: 'inbound_secret',
    type: 'secret',
    label: 'Key of inbound signatures',
    description: 'Callers sign each request with it: sha256 HMAC over "{X-LB-Timestamp}.{body}" in X-LB-Signature.',
  },
  {
    name: 'outbound_secret',
    type: 'secret',
    label: 'Key of callback signatures',
    description: 'Empty: the inbound key.',
  },
  {
    name: 'callback_url',
    type: 'string',
    label: 'Callback address',
    description: 'An http or https address that takes the replies. Empty: only callers of /sync get answers.',
    default: '',
  },
  {
    name: 'signature_required',
    type: 'boolean',
    label: 'Refuse unsigned requests',
    description: 'Switched off, everybody who reaches this address can write as anybody.',
    default: true,
  },
  {
    name: 'default_session_type',
    type: 'select',
    label: 'Session type when a request names none',
    options: ['person', 'group'],
    default: 'person',
  },
  {
    name: 'callback_timeout',
    type: 'number',
    label: 'Seconds for one callback attempt',
    description: '/sync waits four times as long.',
    default: 15,
  },
  { name: 'callback_max_retries', type: 'integer', label: 'Retries of a callback', default: 3 },
  {
    name: 'callback_deduplicates',
    type: 'boolean',
    label: 'The receiver drops repeated deliveries',
    description: 'Only if it remembers X-RB-Delivery-Key: then a callback whose answer got lost is sent again.',
    default: false,
  },
  {
    name: 'stream_replies',
    type: 'boolean',
    label: 'Send growing replies',
    description: 'Callbacks with the text so far, is_final false.',
    default: false,
  },
]

/** Reads the settings. Throws ConfigError that names the field. */
export function readSettings(settings: JsonObject): HttpSettings {
  const inboundSecret = text(settings, 'inbound_secret')
  const signatureRequired = flag(settings, 'signature_required', true)
  if (signatureRequired && inboundSecret === null) {
    throw new ConfigError(
      'inbound_secret',
      'is missing. Set it, or switch signature_required off if nobody else can reach this address.',
    )
  }
  const sessionType = settings.default_session_type ?? 'person'
  if (sessionType !== 'person' && sessionType !== 'group')
    throw new ConfigError('default_session_type', 'must be "person" or "group".')
  return {
    inboundSecret,
    outboundSecret: text(settings, 'outbound_secret') ?? inboundSecret,
    callbackUrl: address(settings),
    signatureRequired,
    sessionType,
    callbackTimeout: number(settings, 'callback_timeout', 15, 0.1, 600),
    callbackRetries: Math.trunc(number(settings, 'callback_max_retries', 3, 0, 10)),
    receiverDeduplicates: flag(settings, 'callback_deduplicates', false),
    streams: flag(settings, 'stream_replies', false),
  }
}

function address(settings: JsonObject): URL | null {
  const value = text(settings, 'callback_url')
  if (value === null) return null
  if (!URL.canParse(value))
    throw new ConfigError('callback_url', `"${value}" is no address. Give a whole http or https URL.`)
  const url = new URL(value)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ConfigError('callback_url', `"${url.protocol}" can't be called. Give an http or https URL.`)
  }
  return url
}

function text(settings: JsonObject, name: string): string | null {
  const value = settings[name]
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new ConfigError(name, 'must be text.')
  return value
}

function flag(settings: JsonObject, name: string, fallback: boolean): boolean {
  const value = settings[name] ?? fallback
  if (typeof value !== 'boolean') throw new ConfigError(name, 'must be true or false.')
  return value
}

function number(settings: JsonObject, name: string, fallback: number, min: number, max: number): number {
  const value = settings[name] ?? fallback
  if (typeof value !== 'number' || !(value >= min && value <= max))
    throw new ConfigError(name, `must be a number from ${min} to ${max}.`)
  return value
}
