/** Fake models by table: what they answer is a function of the messages. */
import type { ModelEngine } from '@runbound/host'
import type { JsonObject, Message, MessageInput } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import { MessageChunkSchema, MessageSchema } from '@runbound/protocol/schemas'

/** What a fake chat model was asked. */
export interface FakeModelRequest {
  readonly model_id: string
  readonly messages: readonly Message[]
  /** Functions that the Runner offers to the model. */
  readonly funcs: readonly JsonObject[]
  readonly extra_args: JsonObject
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal
}

/** An answer: a text, a whole message (tool calls too), either with its usage, or pieces of a text one after another. */
export type FakeAnswer =
  | string
  | MessageInput
  | { readonly message: string | MessageInput; readonly usage: JsonObject }
  | Iterable<string>
  | AsyncIterable<string>

/** A fake chat model. A throw is the model's own failure. */
export type FakeModel = (messages: readonly Message[], request: FakeModelRequest) => FakeAnswer | Promise<FakeAnswer>

/**
 * Fake models by id.
 *
 * @example
 * ```ts
 * import type { FakeModels } from '@runbound/testing'
 *
 * export const models: FakeModels = {
 *   parrot: (messages) => `You said ${String(messages.at(-1)?.content)}`,
 *   slow: async function* () {
 *     yield 'one '
 *     yield 'two'
 *   },
 * }
 * ```
 */
export type FakeModels = Readonly<Record<string, FakeModel>>

/** The engine of a table. An answer in pieces is streamed piece by piece, a text word by word. */
export function fakeModelEngine(table: FakeModels): ModelEngine {
  async function ask(request: Asked): Promise<Answer> {
    const model = Object.hasOwn(table, request.model_id) ? table[request.model_id] : undefined
    if (model === undefined) throw new WireError('not_found', `There is no fake model "${request.model_id}".`)
    const messages = request.messages.map((message) => MessageSchema.parse(message))
    return answerOf(await model(messages, { ...request, messages }))
  }
  return {
    models: () =>
      Object.keys(table).map((model_id) => ({ model_id, model_type: 'chat' as const, provider: 'test-kit' })),
    async invoke(request) {
      const { pieces, message, usage } = await ask(request)
      const whole = message ?? { role: 'assistant', content: await joined(pieces) }
      return { message: { ...MessageSchema.parse(whole) }, usage }
    },
    async *stream(request) {
      const { pieces, message, usage } = await ask(request)
      let all_content = ''
      let msg_sequence = 0
      const chunk = (content: string | null, is_final: boolean, more: object = {}) => ({
        chunk: {
          ...MessageChunkSchema.parse({
            role: 'assistant',
            ...more,
            content,
            all_content,
            is_final,
            msg_sequence: ++msg_sequence,
          }),
        },
      })
      for await (const piece of pieces) {
        all_content += piece
        yield chunk(piece, false)
      }
      const calls = message?.tool_calls ?? null
      yield chunk('', true, calls === null ? {} : { tool_calls: calls })
      if (usage !== null) yield { usage }
    },
    // A token a word: enough to see that counting happens.
    countTokens: async ({ messages }) => JSON.stringify(messages).split(/\s+/).length,
  }
}

interface Asked {
  readonly model_id: string
  readonly messages: readonly JsonObject[]
  readonly funcs: readonly JsonObject[]
  readonly extra_args: JsonObject
  readonly signal: AbortSignal
}

interface Answer {
  readonly pieces: Iterable<string> | AsyncIterable<string>
  readonly message: MessageInput | null
  readonly usage: JsonObject | null
}

function answerOf(answer: FakeAnswer): Answer {
  if (typeof answer === 'string') return { pieces: words(answer), message: null, usage: null }
  if (Symbol.asyncIterator in answer || Symbol.iterator in answer) return { pieces: answer, message: null, usage: null }
  if ('usage' in answer && 'message' in answer) return { ...answerOf(answer.message), usage: answer.usage }
  const { content } = answer
  return { pieces: typeof content === 'string' ? words(content) : [], message: answer, usage: null }
}

/** Pieces that join to the same text again. */
function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

async function joined(pieces: Answer['pieces']): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}
