/** Which lane an entry stands on. */
import type { Key } from './keys.ts'

export type Lane = 'event' | 'admission' | 'grant' | 'model' | 'tool' | 'host' | 'reply' | 'log' | 'steering' | 'run'

const MODEL = /^(invoke_(llm|llm_stream|embedding|rerank)|count_tokens|get_llm_model|list_llm|get_llm)/
const REPLY = new Set(['reply', 'reply_stream', 'reply_files', 'send_message'])

export function laneOf({ rank, kind, target }: Pick<Key, 'rank' | 'kind' | 'target'>): Lane {
  switch (rank) {
    case 0:
      return 'event'
    case 1:
      return 'admission'
    case 2:
      return kind === 'intake' || kind === 'route' ? 'event' : kind === 'delivery' ? 'reply' : stepLane(kind)
    case 3:
      return 'grant'
    case 4:
      return ledgerLane(kind)
    case 5:
      return callLane(kind, target)
    default:
      return 'reply'
  }
}

const stepLane = (step: string): Lane => (step === 'admission' ? 'admission' : 'run')

function ledgerLane(type: string): Lane {
  if (type.startsWith('run.')) return 'run'
  if (type.startsWith('message.') || type.startsWith('delivery.')) return 'reply'
  if (type.startsWith('tool.')) return 'tool'
  if (type.startsWith('steering.')) return 'steering'
  return type === 'processor.log' ? 'log' : 'host'
}

/** A call of a tool that answers is a reply, whatever way it took. */
function callLane(method: string, target: string | null): Lane {
  if (method === 'steering_pull') return 'steering'
  if (REPLY.has(method) || (method === 'call_tool' && target === 'event_reply')) return 'reply'
  if (method === 'call_tool' || method === 'get_tool_detail') return 'tool'
  return MODEL.test(method) ? 'model' : 'host'
}
