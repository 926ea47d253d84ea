/** What a call was about, in one short text for the trace. Never a value, only names and ids. */
const NAMES = [
  'tool_name',
  'action',
  'event_id',
  'target_run_id',
  'conversation_id',
  'stream_id',
  'llm_model_uuid',
  'embedding_model_uuid',
  'rerank_model_uuid',
  'kb_id',
  'collection_id',
  'box_id',
  'bot_uuid',
  'runtime_id',
  'file_key',
] as const

const LONGEST = 128

/** The first name that the parameters give; for state the scope and key; null when the call has no target. */
export function targetOf(params: object): string | null {
  const key: unknown = Reflect.get(params, 'key')
  const scope: unknown = Reflect.get(params, 'scope')
  if (typeof key === 'string') return short(typeof scope === 'string' ? `${scope}/${key}` : key)
  if (typeof scope === 'string') return scope
  for (const name of NAMES) {
    const value: unknown = Reflect.get(params, name)
    if (typeof value === 'string') return short(value)
  }
  return null
}

function short(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`
}
