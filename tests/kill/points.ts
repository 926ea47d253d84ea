/** Named moments at which a host under test can be killed: on the way in, at the platform's border, and inside a run. */
import type { AdapterInstance, AdapterServices, OutgoingStream, PlatformDefinition } from '@runbound/platform-kit'

/** Points by name, with what is true when the host dies there. */
export const POINTS = {
  'emit.before': 'an event was handed in, nothing is written',
  'emit.after': 'the event is kept, the platform has no confirmation',
  'run.entered': 'the run has begun and has done nothing',
  'state.written': 'the run has had an effect and has said nothing',
  'send.before': 'the intent is written, the platform was not called',
  'send.after': 'the platform has the message, the host does not know',
  'reply.between': 'the first of two answers is sent',
  'reply.returned': 'the answer is sent, the run has not ended',
  'run.ended': 'the run has ended',
  'stream.open.before': 'a stream is intended, the platform was not called',
  'stream.open.after': 'the platform shows the first text, the host has no id of it',
  'stream.update.after': 'the platform shows more than is noted',
  'stream.finish.before': 'the final text is not shown',
  'stream.finish.after': 'the final text is shown, the host does not know',
  'stream.returned': 'the stream has ended, the run has not',
  'recovery.outcome': 'a host that takes up what was left asks what became of a send',
  'recovery.resume': 'a host that takes up what was left has taken up a stream',
  'bot.start': 'everything left was taken up, the bots are about to start',
} as const
export type Point = keyof typeof POINTS

/** Points inside a run: only where the plugin lives in the host's own process. */
export const INLINE_POINTS: ReadonlySet<Point> = new Set([
  'run.entered',
  'state.written',
  'reply.between',
  'reply.returned',
  'stream.returned',
])

export type Reached = (point: Point) => void

/** The same platform, which tells when a point is reached. */
export function withPoints(platform: PlatformDefinition, reached: Reached): PlatformDefinition {
  return {
    ...platform,
    create: (settings, services) =>
      adapterWithPoints(platform.create(settings, servicesWithPoints(services, reached)), reached),
  }
}

function servicesWithPoints(services: AdapterServices, reached: Reached): AdapterServices {
  return {
    ...services,
    async emit(event) {
      reached('emit.before')
      const accepted = await services.emit(event)
      reached('emit.after')
      return accepted
    },
  }
}

function adapterWithPoints(adapter: AdapterInstance, reached: Reached): AdapterInstance {
  const { outcome, openStream, resumeStream } = adapter
  return {
    ...adapter,
    async start() {
      reached('bot.start')
      await adapter.start()
    },
    async send(message, signal) {
      reached('send.before')
      const sent = await adapter.send(message, signal)
      reached('send.after')
      return sent
    },
    ...(outcome === undefined
      ? {}
      : {
          outcome(deliveryKey: string) {
            reached('recovery.outcome')
            return outcome.call(adapter, deliveryKey)
          },
        }),
    ...(openStream === undefined
      ? {}
      : {
          async openStream(...given: Parameters<typeof openStream>) {
            reached('stream.open.before')
            const { message_id, stream } = await openStream.apply(adapter, given)
            reached('stream.open.after')
            return { message_id, stream: streamWithPoints(stream, reached) }
          },
        }),
    ...(resumeStream === undefined
      ? {}
      : {
          async resumeStream(...given: Parameters<typeof resumeStream>) {
            const stream = await resumeStream.apply(adapter, given)
            reached('recovery.resume')
            return stream
          },
        }),
  }
}

function streamWithPoints(stream: OutgoingStream, reached: Reached): OutgoingStream {
  return {
    async update(text) {
      await stream.update(text)
      reached('stream.update.after')
    },
    async finish(text) {
      reached('stream.finish.before')
      const sent = await stream.finish(text)
      reached('stream.finish.after')
      return sent
    },
    abort: (text) => stream.abort(text),
  }
}
