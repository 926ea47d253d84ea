/** `runbound apply`, and `runs` and `events` over what it set up. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { going, json, newFolder, PATIENCE, type RunningHost, runbound, say, startHost, stopHost } from './harness.ts'

const SETUP = `# The help desk
bots:
  - name: Desk
    platform: webchat
  - name: Shop
    platform: http
    settings:
      inbound_secret: \${SHOP_SECRET}
      callback_url: http://127.0.0.1:9/answers
agents:
  - name: Greeter
    runner: plugin:runbound/guide/guide
    config: { greeting: Welcome }
    grants: { history: false }
routes:
  - { bot: Desk, event: message.received, agent: Greeter }
  - bot: Shop
    event: message.received
    agent: Greeter
    filters:
      - { field: message_text, operator: contains, value: help }
  - { bot: Shop, event: "*", discard: true }
`
const SECRET = 'a-secret-of-the-shop-1234567890'

let host: RunningHost
let data = ''
let place = ''
beforeAll(async () => {
  data = newFolder()
  place = newFolder()
  host = await startHost(data)
}, PATIENCE)
afterAll(() => stopHost(host).then(() => undefined), PATIENCE)

function apply(text: string, args: readonly string[] = [], secret: string | null = SECRET) {
  const file = join(place, 'setup.yaml')
  writeFileSync(file, text)
  return runbound(['apply', '-f', file, ...args], { data, env: secret === null ? {} : { SHOP_SECRET: secret } })
}

test(
  'apply shows the difference, changes it on a yes, and finds nothing to do the second time',
  async () => {
    const dry = await apply(SETUP, ['--dry-run'])
    expect(dry.code).toBe(0)
    expect(dry.stdout.split('\n')).toEqual([
      '+ bot "Desk"',
      '    platform: webchat',
      '+ bot "Shop"',
      '    platform: http',
      '    inbound_secret: (given)',
      '    callback_url: (given)',
      '+ agent "Greeter"',
      '    runner: "plugin:runbound/guide/guide"',
      '    grants: {"history":false}',
      '    config.greeting: "Welcome"',
      '+ routes "Desk"',
      '    + message.received -> agent "Greeter"',
      '+ routes "Shop"',
      '    + message.received -> agent "Greeter", where message_text contains "help"',
      '    + * -> discard',
      '',
    ])
    expect((await host.client.status()).bots).toHaveLength(1)
    expect((await apply(SETUP)).code).toBe(2) // nobody can be asked
    expect((await host.client.status()).bots).toHaveLength(1)

    expect((await apply(SETUP, ['--yes'])).code).toBe(0)
    expect(await say('hello', data, ['--bot', 'Desk'])).toContain('Welcome, Ann!')
    const again = await apply(SETUP, ['--yes'])
    expect(again.stdout).toBe('Nothing to change.\n')

    const other = SETUP.replace('greeting: Welcome', 'greeting: Ahoy')
      .replace('contains', 'eq')
      .replace('history: false', 'history: true')
    const changed = await apply(other, ['--dry-run'], 'another-secret-of-the-shop-12345')
    expect(changed.stdout.split('\n')).toEqual([
      '~ bot "Shop"',
      '    inbound_secret: (set) -> (another)',
      '~ agent "Greeter"',
      '    grants: {"history":false} -> {"history":true}',
      '    config.greeting: "Welcome" -> "Ahoy"',
      '~ routes "Shop"',
      '    - message.received -> agent "Greeter", where message_text contains "help"',
      '    + message.received -> agent "Greeter", where message_text eq "help"',
      '',
    ])
    for (const run of [dry, again, changed]) expect(run.stdout + run.stderr).not.toContain('secret-of-the-shop')
    const routesBefore = await routesOf('Shop')
    expect((await apply(other, ['--yes'])).code).toBe(0)
    expect((await routesOf('Shop')).map(({ route_id }) => route_id)).toEqual(
      routesBefore.map(({ route_id }) => route_id),
    )
    expect(await say('hello', data, ['--bot', 'Desk'])).toContain('Ahoy, Ann!')
  },
  PATIENCE,
)

async function routesOf(name: string) {
  const bot = (await host.client.status()).bots.find((one) => one.name === name)
  return (await host.client.getRoutes({ params: { bot_uuid: bot?.bot_uuid ?? '' } })).routes
}

test.each([
  [
    'a key that is none',
    SETUP.replace('platform: webchat', 'plattform: webchat'),
    /setup\.yaml:4:5: there is no key "plattform" here/,
  ],
  [
    'a wrong type',
    SETUP.replace('history: false', 'history: maybe'),
    /setup\.yaml:14:24: agents\.0\.grants\.history: .*boolean/,
  ],
  ['broken YAML', SETUP.replace('agents:', 'agents: ['), /setup\.yaml:\d+:\d+: /],
  [
    'a setting that the platform has not',
    SETUP.replace('callback_url', 'callback_uri'),
    /setup\.yaml:9:21: .*callback_uri/,
  ],
  [
    'a setting that the Runner has not',
    SETUP.replace('greeting: Welcome', 'greting: Hi'),
    /setup\.yaml:13:24: .*greting/,
  ],
  ['a Runner that is not there', SETUP.replace('guide/guide', 'guide/nobody'), /setup\.yaml:12:13: .*nobody/],
  [
    'an agent that is nowhere',
    SETUP.replace('agent: Greeter }', 'agent: Nobody }'),
    /setup\.yaml:16:50: there is no agent "Nobody"/,
  ],
  ['a route that leads nowhere', SETUP.replace(', discard: true', ''), /setup\.yaml:22:5: .*"agent".*"discard/],
  [
    'a name that stands there twice',
    SETUP.replace('name: Shop', 'name: Desk'),
    /setup\.yaml:5:11: "Desk" stands there twice/,
  ],
])(
  'apply: %s is an error with its line, before anything changes',
  async (_what, text, error) => {
    const before = await host.client.status()
    const refused = await apply(text, ['--yes'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(error)
    expect((await host.client.status()).bots).toEqual(before.bots)
  },
  PATIENCE,
)

test(
  'a variable that is not set is an error with its line; a plugin processor follows its list of bots',
  async () => {
    const unset = await apply(SETUP, ['--yes'], null)
    expect(unset.stderr).toMatch(/setup\.yaml:8:23: the environment variable SHOP_SECRET is not set/)
    const nobody = await apply(
      'plugin_processors:\n  - { name: P, runner: "plugin:runbound/guide/guide", bots: [Web chat] }\n',
    )
    expect(nobody.code).toBe(1) // a Runner for agents
    expect(nobody.stderr).toMatch(/setup\.yaml:2:\d+: /)
  },
  PATIENCE,
)

test(
  'runs and events tell what happened',
  async () => {
    const follow = going(['runs', 'follow'], { data })
    const asked = await runbound(['chat', '--once', '--bot', 'Web chat', '--json'], { data, input: 'trace me' })
    const { event_id, messages } = JSON.parse(asked.stdout)
    const run_id: string = messages[0].run_id
    await follow.next((entry) => entry.run_id === run_id && entry.type === 'run.completed')
    follow.signal('SIGINT')
    expect(await follow.ended).toBe(0)

    expect(await json(['runs', 'list', '--status', 'completed', '-n', '1'], { data })).toMatchObject([
      { run_id, event_id },
    ])
    const shown = await json(['runs', 'show', run_id], { data })
    expect(shown).toMatchObject({
      run: { run_id, status: 'completed' },
      events: [{ sequence: 1, type: 'run.started' }, {}, {}, {}, {}],
    })
    const grant = await runbound(['runs', 'show', run_id, '--grant'], { data })
    expect(grant.stdout).toContain('✓ tool:event_reply')
    expect(grant.stdout).toMatch(/^✗ \S+: .+ \(to act: \w+\)$/m)
    expect(grant.stdout).not.toMatch(/null|undefined/)
    const trace = await json(['runs', 'show', run_id, '--trace'], { data })
    expect(JSON.stringify(trace)).toContain('reply_stream')
    const past = await runbound(['runs', 'follow', run_id], { data })
    expect(past.code).toBe(0)
    expect(past.stdout).toContain('run.completed')
    const why = await runbound(['events', 'why', event_id], { data })
    expect(why.stdout).toMatch(/^answered: .*\(delivered\)/)
    const late = await runbound(['runs', 'cancel', run_id], { data })
    expect(late).toMatchObject({ code: 1, stdout: '' })
    expect(late.stderr).toContain('is completed; there is nothing to cancel')
    const unknown = await runbound(['runs', 'show', 'nope', '--json'], { data })
    expect(JSON.parse(unknown.stderr)).toMatchObject({ error: { code: 'not_found' } })
  },
  PATIENCE,
)
