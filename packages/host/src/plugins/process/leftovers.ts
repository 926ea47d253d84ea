/** Finds and ends plugin processes that an earlier start of this host left behind, by the mark in their environment. */
import { readdirSync, readFileSync } from 'node:fs'

/** Ends every process of this user that carries the mark; returns how many. Linux only; elsewhere nothing can be left. */
export function endLeftovers(mark: string): number {
  if (process.platform !== 'linux') return 0
  let ended = 0
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`RUNBOUND_MARK=${mark}`)) continue
      process.kill(pid, 'SIGKILL')
      ended++
    } catch {
      // Not ours to read, or gone meanwhile.
    }
  }
  return ended
}
