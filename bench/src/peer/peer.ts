/** `--peer`: the real reference host, driven by peer-bench on this machine, beside our rows. */
import type { Row } from '../row.ts'
import { withPeer } from '../row.ts'
import { drivePeer } from './drive.ts'
import { peerEnvironment } from './environment.ts'
import { MATCHES, peerFigure } from './figures.ts'

/** Sections that answer our rows; the reference's tools, commands and listeners have no row here yet. */
const SECTIONS: readonly (readonly [section: string, rows: RegExp])[] = [
  ['start', /^ready/],
  ['latency', /^message overhead/],
  ['throughput', /^message rate/],
  ['hostapi', /^(no-op|state_)/],
  ['payload', /^plugin storage/],
  ['history', /^history/],
]

/** The rows with the peer's figures; as they are, with a sentence said, where the peer can't be run. */
export async function comparePeer(rows: readonly Row[], note: (text: string) => void): Promise<readonly Row[]> {
  const environment = peerEnvironment(note)
  if (typeof environment === 'string') {
    process.stdout.write(`${environment}\n\n`)
    return rows
  }
  const known = rows.filter(({ name }) => MATCHES.some((match) => match.row === name))
  const sections = SECTIONS.filter(([, pattern]) => known.some(({ name }) => pattern.test(name))).map(
    ([section]) => section,
  )
  // The idle memory is told by every set-up; `latency` is the shortest section that makes one.
  if (sections.length === 0 || (sections.length === 1 && sections[0] === 'start')) sections.push('latency')
  const lines = await drivePeer(environment, sections, note)
  return rows.map((own) => {
    const peer = peerFigure(own.name, own.raw ?? 0, lines)
    return peer === undefined ? own : withPeer(own, peer)
  })
}
