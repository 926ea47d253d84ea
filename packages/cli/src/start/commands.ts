/** Commands that start a host, speak to one, or sign a person in. */
import { type Command, Option } from 'commander'
import { action, asksHost, collect, withJson } from '../terminal/options.ts'

/** Adds `start`, `dev`, `chat`, `apply`, `login`, `password` and `status`. */
export function addHostCommands(program: Command): void {
  hostOptions(withJson(program.command('start').description('start the host')))
    .addOption(
      new Option('--drain <seconds>', 'how long running work may finish when it stops')
        .default('10')
        .env('RUNBOUND_DRAIN'),
    )
    .action(action(async () => (await import('./start.ts')).start))
  hostOptions(
    withJson(program.command('dev').description('serve a plugin from its folder; each save is loaded at once')),
  )
    .argument('<folder>', 'the plugin')
    .addOption(new Option('--url <url>', 'attach to this host (also RUNBOUND_URL)'))
    .action(action(async () => (await import('../dev/dev.ts')).dev))
  asksHost(program.command('chat').description('talk to a bot in its web chat, or pipe a message through it'))
    .option('--once', 'send standard input as one message, print the answer, end')
    .option('--bot <name>', 'name or id of a web chat bot (default: the one of `dev`, else the first)')
    .option('--as <person>', 'who speaks, by name or id; made when unknown')
    .option('--group <name>', 'speak in this group instead of in private')
    .option('--timeout <seconds>', 'how long an answer may take', '120')
    .action(action(async () => (await import('../chat/chat.ts')).chat))
  asksHost(program.command('apply').description('bring bots, agents, plugin processors and routes to what a file says'))
    .requiredOption('-f, --file <file>', 'the file (YAML)')
    .option('--dry-run', 'only show what would change')
    .option('-y, --yes', 'do not ask')
    .action(action(async () => (await import('../apply/apply.ts')).apply))
  asksHost(program.command('login').description('print a link that signs you in once')).action(
    action(async () => (await import('./status.ts')).login),
  )
  asksHost(program.command('password').description('set the password of the owner; asks for it twice'))
    .option('--stdin', 'read it from standard input')
    .action(action(async () => (await import('./password.ts')).setPassword))
  asksHost(program.command('status').description('show what runs: bots, plugins, runs')).action(
    action(async () => (await import('./status.ts')).status),
  )
}

/** The options of a host that is started here; each is also an environment variable. */
export function hostOptions(command: Command): Command {
  return command
    .addOption(new Option('--data <folder>', 'data folder (also RUNBOUND_DATA)'))
    .addOption(new Option('--port <port>', 'port; 0 takes any free one').default('5490').env('RUNBOUND_PORT'))
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1').env('RUNBOUND_HOST'))
    .addOption(
      new Option('--allowed-host <name>', 'further name of this host in the Host header, with port; repeatable')
        .default([])
        .env('RUNBOUND_ALLOWED_HOST')
        .argParser((value: string, before: readonly string[]) =>
          value.split(',').reduce((all, one) => collect(one.trim(), all), before),
        ),
    )
    .addOption(
      new Option(
        '--public-url <url>',
        'where people reach it through a reverse proxy, such as https://bots.example',
      ).env('RUNBOUND_PUBLIC_URL'),
    )
    .addOption(
      new Option('--log-level <level>', 'debug, info, warn, error, silent').default('warn').env('RUNBOUND_LOG_LEVEL'),
    )
    .addOption(
      new Option('--synchronous <how>', '"full" also survives lost power')
        .default('normal')
        .env('RUNBOUND_SYNCHRONOUS'),
    )
    .addOption(
      new Option(
        '--otlp <url>',
        'send traces to this OTLP/HTTP collector (also RUNBOUND_OTLP, OTEL_EXPORTER_OTLP_ENDPOINT)',
      ),
    )
}
