/** Arguments of authors, checked and completed before they are sent. */
import type { MessageChain, MessageChainInput } from '@runbound/protocol'
import { exceedsCharacters, LIMITS, MESSAGE_COMPONENT_TYPES, STATE_SCOPES } from '@runbound/protocol'
import { SdkError } from '../../errors.ts'
import { chain } from '../../messages/chain.ts'

const COMPONENTS: ReadonlySet<unknown> = new Set(MESSAGE_COMPONENT_TYPES)

/** Gives the whole chain. Throws SdkError `invalid_argument` for what is none. */
export function chainArgument(what: string, message: string | MessageChainInput): MessageChain {
  if (typeof message === 'string') return chain(message)
  if (!Array.isArray(message)) {
    throw new SdkError(
      'invalid_argument',
      `${what} takes a text or a message chain (a list of components), not ${typeof message}.`,
    )
  }
  for (const part of message) {
    if (typeof part !== 'object' || part === null || !COMPONENTS.has(part.type)) {
      throw new SdkError(
        'invalid_argument',
        `${what}: ${JSON.stringify(part) ?? String(part)} is no message component. Make it with text(), at(), image() ...`,
      )
    }
  }
  return chain(...message)
}

/** Refuses a scope that does not exist. */
export function checkScope(scope: string): void {
  if ((STATE_SCOPES as readonly string[]).includes(scope)) return
  throw new SdkError('invalid_argument', `There is no state scope "${scope}". Scopes are: ${STATE_SCOPES.join(', ')}.`)
}

/** Refuses a value that is no text. */
export function checkName(what: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return
  throw new SdkError(
    'invalid_argument',
    `${what} is a text that is not empty, not ${JSON.stringify(value) ?? typeof value}.`,
  )
}

/** Refuses a text above a named limit. */
export function checkText(
  what: string,
  text: unknown,
  limit: 'log_text' | 'reply_stream_text',
): asserts text is string {
  if (typeof text !== 'string') throw new SdkError('invalid_argument', `${what} takes a text, not ${typeof text}.`)
  const { value } = LIMITS[limit]
  if (exceedsCharacters(text, value)) {
    throw new SdkError(
      'too_large',
      `${what} takes at most ${value} characters. Cut the text, or send it in several pieces.`,
    )
  }
}
