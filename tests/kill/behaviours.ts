/** What each bot of the load does with a message, and what its chat must show for it. */

export interface Behaviour {
  /** The Runner that answers. */
  readonly runner: 'echo' | 'counter' | 'stream' | 'slow' | 'twice'
  /** The adapter can say afterwards what became of a send. */
  readonly proves: boolean
  readonly streams: boolean
  /** The complete texts that answer the message, in order. */
  answers(tag: string): readonly RegExp[]
}

const whole = (text: string): RegExp => new RegExp(`^${text}$`)

const KINDS: readonly Omit<Behaviour, 'proves'>[] = [
  { runner: 'echo', streams: false, answers: (tag) => [whole(`${tag} echo`)] },
  { runner: 'counter', streams: false, answers: (tag) => [whole(`${tag} number \\d+`)] },
  { runner: 'stream', streams: true, answers: (tag) => [whole(`${tag} begins, goes on, and ends`)] },
  { runner: 'slow', streams: false, answers: (tag) => [whole(`${tag} slowly`)] },
  { runner: 'twice', streams: false, answers: (tag) => [whole(`${tag} one`), whole(`${tag} two`)] },
]

/** Each kind once with an adapter that proves delivery and once with one that does not. */
export const BEHAVIOURS: readonly Behaviour[] = KINDS.flatMap((kind) => [
  { ...kind, proves: false },
  { ...kind, proves: true },
])

/** The name of a behaviour's bot, and of its agent. */
export const nameOf = ({ runner, proves }: Pick<Behaviour, 'runner' | 'proves'>): string =>
  `${runner}-${proves ? 'proves' : 'trusts'}`

/** What a chat user reads in place of an answer that failed or was cut off. */
export const SENTENCE = 'Sorry, that was interrupted.'
