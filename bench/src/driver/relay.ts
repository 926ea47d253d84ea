/** The bare relay: HTTP POST in, over a pipe to a process and back, HTTP POST out. What any host of this shape must pay. */
import { Agent, createServer, request } from 'node:http'
import { serveCommands } from './child.ts'
import { startRawEcho } from './raw-echo.ts'

const echo = startRawEcho()
const agent = new Agent({ keepAlive: true })
let callback = ''

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    const { session_id, message } = JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(202).end('{}')
    echo.send({ session_id, message }, () => {
      const body = JSON.stringify({
        session_id,
        is_final: true,
        message: [{ type: 'Plain', text: `echo: ${message[0].text}` }],
      })
      const call = request(
        callback,
        { agent, method: 'POST', headers: { 'content-length': Buffer.byteLength(body) } },
        (answer) => answer.resume(),
      )
      call.on('error', (error) => process.stderr.write(`relay: ${error.message}\n`))
      call.end(body)
    })
  })
})

const commands = {
  /** Listens; replies go to `callback`. Gives the address. */
  async start(input: { readonly callback: string }): Promise<string> {
    callback = input.callback
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('no address')
    return `http://127.0.0.1:${address.port}/bots/relay`
  },

  /** CPU of this process so far, in milliseconds. */
  cpu(_input: null): number {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}
export type RelayCommands = typeof commands

serveCommands(commands, () => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
  return echo.stop()
})
