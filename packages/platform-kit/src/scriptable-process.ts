/**
 * The oracle as a process: `node scriptable-process.ts LOGFILE`. Says its port to its parent (or on standard output) and
 * ends when the parent lets go. A killed host never takes it along: it is a child of the test, not of the host.
 */
import { openOracle } from './oracle-server.ts'

const [, , logFile] = process.argv
if (logFile === undefined) {
  console.error('Usage: node scriptable-process.ts LOGFILE')
  process.exit(2)
}
const oracle = await openOracle(logFile)
if (process.send === undefined) console.log(oracle.port)
else process.send(oracle.port)
process.once('disconnect', () => void oracle.close().then(() => process.exit(0)))
