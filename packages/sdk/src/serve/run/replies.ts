/** Replies of a run: text as the tool `event_reply`, chains and files as a platform call that aims at the event. */
import type { JsonObject, MessageChainInput } from '@runbound/protocol'
import { LIMITS } from '@runbound/protocol'
import type { ActionResult, CanReply } from '../../context/replies.ts'
import { SdkError } from '../../errors.ts'
import { chainArgument } from '../calls/arguments.ts'
import { dataOf } from '../calls/wire.ts'
import type { RunParts } from './parts.ts'
import { openReplyStream } from './reply-stream.ts'
import { asObject } from './trace.ts'

const REPLY = 'event_reply'

/** Makes the reply methods. */
export function repliesOf(run: RunParts): CanReply {
  const { life, calls, traced } = run

  async function replyText(text: string): Promise<ActionResult> {
    const parameters = { text }
    return traced(REPLY, parameters, async () =>
      asObject((await calls.run('call_tool', { tool_name: REPLY, parameters })).result),
    )
  }

  async function replyChain(message: MessageChainInput | string, quote_origin: boolean): Promise<ActionResult> {
    const params: JsonObject = dataOf({ message: chainArgument('reply', message), quote_origin })
    return traced(REPLY, params, async () => {
      const answer = await calls.run('call_platform_api', { action: 'send_message', context_tool: REPLY, params })
      return asObject(answer.result)
    })
  }

  return {
    async reply(message, { quote_origin = false } = {}) {
      life.check('reply')
      return typeof message === 'string' && !quote_origin ? replyText(message) : replyChain(message, quote_origin)
    },

    async replyStream(write) {
      life.check('replyStream')
      return openReplyStream(run, write)
    },

    async replyFiles(file_ids) {
      life.check('replyFiles')
      checkFileIds(file_ids)
      const answer = await calls.run('call_platform_api', {
        action: 'send_message',
        context_tool: REPLY,
        params: { message: [] },
        file_ids: [...file_ids],
      })
      return asObject(answer.result)
    },
  }
}

function checkFileIds(file_ids: readonly string[]): void {
  if (!Array.isArray(file_ids) || file_ids.length === 0 || file_ids.some((id) => typeof id !== 'string')) {
    throw new SdkError('invalid_argument', 'replyFiles takes a list of ids that exportBoxFiles gave, at least one.')
  }
  if (file_ids.length > LIMITS.file_ids.value) {
    throw new SdkError('too_large', `replyFiles takes at most ${LIMITS.file_ids.value} ids, not ${file_ids.length}.`)
  }
}
