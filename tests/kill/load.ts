/** Who says what where and when: the same for the same seed. */
import { BEHAVIOURS, nameOf } from './behaviours.ts'
import type { Random } from './seed.ts'

/** One message of the load. */
export interface Spoken {
  /** Unique; the answer begins with it. */
  readonly tag: string
  /** Name of the bot. */
  readonly bot: string
  /** Chat id: a person or a group. */
  readonly chat: string
  readonly sender: string
  readonly group: string | null
  readonly dedupe_key: string
  /** Milliseconds after the load begins. */
  readonly at: number
  /** The platform delivers it a second time, with the same key. */
  readonly repeated: boolean
}

export interface LoadOptions {
  readonly conversations: number
  readonly messages: number
  /** The load is spread over this time, in milliseconds. */
  readonly spreadMs: number
}

/** The whole load in the order of time. Of one conversation the order is that of its tags. */
export function planLoad(random: Random, { conversations, messages, spreadMs }: LoadOptions): Spoken[] {
  const load: Spoken[] = []
  for (let conversation = 0; conversation < conversations; conversation++) {
    const behaviour = BEHAVIOURS[conversation % BEHAVIOURS.length]
    if (behaviour === undefined) continue
    const inGroup = random.whole(0, 4) === 0
    const chat = `${inGroup ? 'g' : 'u'}-${conversation}`
    const times = Array.from({ length: messages }, () => random.whole(0, spreadMs)).sort((a, b) => a - b)
    for (const [index, at] of times.entries()) {
      const tag = `c${conversation}m${index}`
      load.push({
        tag,
        bot: nameOf(behaviour),
        chat,
        sender: inGroup ? `u-${conversation}-${index % 3}` : chat,
        group: inGroup ? chat : null,
        dedupe_key: `key-${tag}`,
        at,
        repeated: random.whole(0, 19) === 0,
      })
    }
  }
  return load.sort((a, b) => a.at - b.at)
}
