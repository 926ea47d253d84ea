/** A plugin's own process that connects to a host's debug link: `node websocket-plugin.child.ts <url> <key> <module>`. */
import { pathToFileURL } from 'node:url'
import { connectWebsocket } from '@runbound/link/websocket'
import { isPlugin } from '@runbound/sdk'

const [url = '', key = '', module = ''] = process.argv.slice(2)
const loaded: { readonly default?: unknown } = await import(pathToFileURL(module).href)
if (!isPlugin(loaded.default)) throw new TypeError(`${module} has no plugin as its default export.`)
const transport = await connectWebsocket(url, { headers: { 'x-langbot-plugin-debug-key': key } })
const session = loaded.default.serve(transport, { capability: '', debugKey: key })
await session.registered
const { why } = await session.closed
process.exit(why === 'remote' || why === 'local' ? 0 : 1)
