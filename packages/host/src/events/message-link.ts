/** Which platform messages a person may mean by what they paste: a link to a message, or its id. */

/** Longest id of a message that is looked for. */
const ID_MAX = 256
const SLACK = /^p(\d{10})(\d{6})$/

/**
 * Ids that the text may name: itself, and of a link the parts of its path and query, the last first. A text of several words
 * names none.
 */
export function messageIdsIn(text: string): readonly string[] {
  const trimmed = text.trim()
  if (trimmed === '' || /\s/.test(trimmed)) return []
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) || !URL.canParse(trimmed))
    return trimmed.length > ID_MAX ? [] : [trimmed]
  const link = new URL(trimmed)
  const parts = [
    ...link.pathname.split('/').reverse(),
    ...link.searchParams.values(),
    ...link.hash.replace(/^#/, '').split('/'),
  ]
  const ids = new Set<string>()
  for (const part of parts) {
    const id = decoded(part)
    // A part without a digit is a word of the path: "channels", "archives".
    if (id === '' || id.length > ID_MAX || !/\d/.test(id)) continue
    const slack = SLACK.exec(id)
    ids.add(slack === null ? id : `${slack[1]}.${slack[2]}`)
  }
  return [...ids]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
