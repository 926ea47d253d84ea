/** Says in words what a record's `authorize` asks for: it is called with grants that note the questions and allow all. */

/** Anything that a record may ask a grant: the questions become the text. */
type Ask = (...args: readonly unknown[]) => null

/** A value that stands for a parameter: prints as the name in code marks, has fields of the same sort, counts as not empty. */
function standIn(name: string): unknown {
  const known: Record<PropertyKey, unknown> = {
    length: 1,
    [Symbol.toPrimitive]: () => `\`${name}\``,
    toString: () => `\`${name}\``,
  }
  return new Proxy(known, { get: (target, key) => (key in target ? target[key] : standIn(String(key))) })
}

const PHRASES: Readonly<Record<string, (...args: readonly string[]) => string>> = {
  'grant.flag': (flag) => `\`available_apis.${flag}\``,
  'grant.tool': (tool, operation) => `tool ${tool}: ${operation}`,
  'grant.model': (id, operation) => `model ${id}: ${operation}`,
  'grant.knowledgeBase': (id, operation) => `knowledge base ${id}: ${operation}`,
  'grant.storage': (area) => `${area} storage`,
  'grant.stateScope': (scope) => `state scope ${scope}`,
  'grant.platform': () => 'the platform call, its bot and its target',
  'grant.interaction': () => 'interactions',
  'installation.api': (name) => `installation: ${name}`,
  'installation.tool': (name) => `installation: tool ${name}`,
  'installation.storage': (area) => `installation: ${area} storage`,
  'installation.admin': (permission) => `installation: admin \`${permission}\``,
  'query.query': () => 'the query is in the hands of this plugin',
}

function noting(of: string, asked: string[]): unknown {
  const ask =
    (question: string): Ask =>
    (...args) => {
      const phrase = PHRASES[question]
      if (phrase === undefined) throw new Error(`needs-text.ts has no phrase for ${question}; give it one.`)
      asked.push(phrase(...args.map(String)))
      return null
    }
  return new Proxy({}, { get: (_target, key) => ask(`${of}.${String(key)}`) })
}

/** What a method or result needs, such as ``tool `tool_name`: call``; `nothing` when everyone may. */
export function needsText(authorize: (input: never) => unknown): string {
  const asked: string[] = []
  const input = {
    grant: noting('grant', asked),
    query: noting('query', asked),
    installation: noting('installation', asked),
    params: standIn('params'),
    payload: standIn('payload'),
  }
  // The record's own type wants one form's input; this one answers for every form.
  authorize(input as never)
  return asked.length === 0 ? 'nothing' : asked.join('; ')
}
