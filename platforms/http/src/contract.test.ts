/** The http platform keeps the contract of adapters, over real servers on both sides. */
import type { AdapterInstance } from '@runbound/platform-kit'
import { adapterContract, type ContractPlatform } from '@runbound/platform-kit/contract'
import { type ReceivedCallback, Receiver, serve, signed } from './http-fixture.ts'
import { httpPlatformWith } from './index.ts'

const SECRET = 'contract-secret'

/** What a person in front of the receiver sees: a stream is one message with its latest text. */
function shownMessages(received: readonly ReceivedCallback[]) {
  const messages = new Map<string, { text: string; quote_message_id: string | null }>()
  for (const { headers, body } of received) {
    const [delivery = ''] = String(headers['x-rb-delivery-key']).split('#')
    const quote = body.message.find((component) => component.type === 'Quote')
    messages.set(delivery, {
      text: body.message.map((component) => component.text ?? '').join(''),
      quote_message_id: quote?.id ?? null,
    })
  }
  return [...messages.values()]
}

async function make(settings: Record<string, boolean | number>): Promise<ContractPlatform> {
  const receiver = await new Receiver().open()
  let server: Awaited<ReturnType<typeof serve>> | null = null
  const good = {
    inbound_secret: SECRET,
    callback_url: receiver.url,
    callback_timeout: 5,
    callback_max_retries: 0,
    ...settings,
  }
  return {
    definition: httpPlatformWith({ firstPauseMs: 5 }),
    settings: good,
    badSettings: [
      { settings: { ...good, callback_url: 'ftp://example.org' }, field: 'callback_url' },
      { settings: { ...good, callback_url: 'not an address' }, field: 'callback_url' },
      { settings: { ...good, callback_url: 'file:///etc/passwd' }, field: 'callback_url' },
      { settings: { ...good, inbound_secret: '' }, field: 'inbound_secret' },
      { settings: { ...good, callback_timeout: 0 }, field: 'callback_timeout' },
      { settings: { ...good, callback_max_retries: 99 }, field: 'callback_max_retries' },
      { settings: { ...good, default_session_type: 'channel' }, field: 'default_session_type' },
      { settings: { ...good, signature_required: 'yes' }, field: 'signature_required' },
    ],
    target: { target_type: 'person', target_id: 's-1', message_id: 'm-1' },
    connect: async (adapter: AdapterInstance) => {
      if (adapter.http !== undefined) server = await serve(adapter.http.handle)
    },
    shown: async () => shownMessages(receiver.received),
    deliver: ({ what, text, key }) => {
      if (what !== 'message') return null
      const body = JSON.stringify({ session_id: 's-1', message: text })
      return fetch(`${server?.origin}/bots/contract-bot`, {
        method: 'POST',
        body,
        headers: { ...signed(SECRET, body), 'x-lb-idempotency-key': key },
      }).then(() => {})
    },
    failures: [
      { kind: 'rate_limited', name: '429', arm: () => receiver.plan({ status: 429, headers: { 'retry-after': '2' } }) },
      { kind: 'too_long', name: '413', arm: () => receiver.plan({ status: 413 }) },
      { kind: 'refused', name: '403', arm: () => receiver.plan({ status: 403 }) },
      {
        kind: 'refused',
        name: 'redirect',
        arm: () => receiver.plan({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
      },
      { kind: 'unavailable', name: '500', arm: () => receiver.plan({ status: 500 }) },
      { kind: 'unknown_outcome', name: '504', arm: () => receiver.plan({ status: 504 }) },
    ],
    slow: (delayMs) => receiver.plan({ delayMs }),
    close: async () => {
      await server?.close()
      await receiver.close()
    },
  }
}

adapterContract({ name: 'http', make: () => make({}) })
adapterContract({ name: 'http, streaming', make: () => make({ stream_replies: true }) })
