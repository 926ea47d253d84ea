/** Turns what the link reports into what authors catch (wire.md §1.13). */
import { LinkError, RemoteError } from '@runbound/link'
import { AgentAPIException, SdkError } from '../../errors.ts'

/** Gives the author's error for a failed call. An abort reason of our own passes through. */
export function authorError(action: string, error: unknown): unknown {
  if (RemoteError.is(error)) {
    return new AgentAPIException(
      error.error ?? {
        code: 'host.action_error',
        message: error.message,
        retryable: false,
        details: { action, response_data: error.data },
      },
      { cause: error },
    )
  }
  if (LinkError.is(error)) return linkError(action, error)
  return error
}

function linkError(action: string, error: LinkError): unknown {
  switch (error.code) {
    case 'timeout':
      return AgentAPIException.of('deadline', `${action} took too long: ${error.message}`, { action })
    case 'closed':
      return AgentAPIException.of('link_closed', `${action} has no answer: ${error.message}`, { action })
    case 'too_large':
      return AgentAPIException.of('too_large', `${action} was not sent: ${error.message}`, { action })
    case 'invalid':
      return new SdkError('not_json', `${action} was not sent: ${error.message}`, { cause: error })
    default:
      return malformed(action, error.message)
  }
}

/** The host's answer lacks what is documented. */
export function malformed(action: string, message: string, details: Record<string, unknown> = {}): AgentAPIException {
  return new AgentAPIException({
    code: 'host.malformed_response',
    message: `${action}: ${message}`,
    retryable: false,
    details: { action, ...details },
  })
}
