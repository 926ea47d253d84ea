/** A new conversation in a chat: what was said before stays stored, but is no longer history. */
import type { ReplyTarget } from '@runbound/platform-kit'
import { type Slots, type Statement, statement } from '@runbound/store'

const resetChat = statement(
  (
    db,
    p: Slots<{
      workspace_uuid: string
      bot_uuid: string
      chat_type: string
      chat_id: string
      thread_id: string | null
    }>,
  ) =>
    db
      .updateTable('conversations')
      .set((e) => ({ reset_after_seq: e.ref('last_seq') }))
      .where('workspace_uuid', '=', p('workspace_uuid'))
      .where('bot_uuid', '=', p('bot_uuid'))
      .where('chat_type', '=', p('chat_type'))
      .where('chat_id', '=', p('chat_id'))
      .where('thread_id', 'is', p('thread_id')),
)

/** All conversations of this chat and thread, those of single members included. */
export function resetStatement(workspace_uuid: string, bot_uuid: string, target: ReplyTarget): Statement {
  return resetChat({
    workspace_uuid,
    bot_uuid,
    chat_type: target.target_type,
    chat_id: target.target_id,
    thread_id: target.thread_id ?? null,
  })
}
