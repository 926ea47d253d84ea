/**
 * The kill test: `npm run kill`. Hosts under load are killed at named points and at random times; at the end the log of the
 * platform, which no kill reaches, says what people really got. Options: --rounds, --kills (a round), --conversations,
 * --messages (a conversation), --plugin inline|node|both, --seed, --json FILE, --keep, --quick (also --short).
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { killPlanner } from './plan.ts'
import { reportLines, sum } from './report.ts'
import { runRound } from './round.ts'
import { randomOf } from './seed.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    kills: { type: 'string' },
    conversations: { type: 'string' },
    messages: { type: 'string' },
    plugin: { type: 'string', default: 'both' },
    seed: { type: 'string' },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
})
const quick = values.quick || values.short

function whole(name: 'rounds' | 'kills' | 'conversations' | 'messages' | 'seed', fallback: number): number {
  const given = values[name]
  const number = given === undefined ? fallback : Number(given)
  if (Number.isSafeInteger(number) && number >= 0) return number
  console.error(`--${name} takes a whole number, not "${given}".`)
  process.exit(2)
}

const { plugin } = values
if (plugin !== 'inline' && plugin !== 'node' && plugin !== 'both') {
  console.error(`--plugin takes inline, node or both, not "${plugin}".`)
  process.exit(2)
}
const rounds = whole('rounds', quick ? 1 : 4)
const kills = whole('kills', quick ? 4 : 6)
const conversations = whole('conversations', quick ? 40 : 200)
const messages = whole('messages', quick ? 3 : 5)
const seed = whole('seed', Date.now() % 1_000_000)
const random = randomOf(seed)
const planKills = killPlanner(random)

console.log(
  `seed ${seed}: ${rounds} rounds, ${kills} kills each, ${conversations} conversations with ${messages} messages`,
)
const verdicts = []
for (let round = 1; round <= rounds; round++) {
  const carried = plugin === 'both' ? (round % 2 === 1 ? 'inline' : 'node') : plugin
  console.log(`round ${round}, plugin ${carried}`)
  const verdict = await runRound({
    random,
    kills: planKills(kills, carried),
    plugin: carried,
    conversations,
    messages,
    spreadMs: kills * 1_500,
    keep: values.keep,
    say: (line) => console.log(line),
  })
  if (rounds > 1) console.log(reportLines(verdict).join('\n'))
  verdicts.push(verdict)
}
const all = sum(verdicts)
console.log(['all rounds', ...reportLines(all)].join('\n'))
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ seed, rounds: verdicts, all }, null, 2)}\n`)
const failed = all.faults.length > 0 || all.lost + all.doubled + all.reordered > 0
console.log(failed ? `FAILED; the same again: npm run kill -- --seed ${seed}` : 'passed')
process.exitCode = failed ? 1 : 0
