/** Entry of the command: the compile cache first, then nothing but what the command needs. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { keepYoungSpace } = await import('./place/young-space.ts')
keepYoungSpace()
// Whoever read the output has had enough (`| head`): there is nobody left to tell anything.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
const { runCli } = await import('./program.ts')
process.exitCode = await runCli(process.argv.slice(2))
