/** Entry of the command: the compile cache first, then nothing but what the command needs. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runCli } = await import('./program.ts')
process.exitCode = await runCli(process.argv.slice(2))
