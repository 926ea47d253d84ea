/** The reference host in a virtual environment of its own under `bench/.peer`; made once. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../.peer')
const VERSION = '4.11.2'
/** With SQLAlchemy 2.1 the reference fails to write its monitoring rows for every message. */
const PACKAGES = [`langbot==${VERSION}`, 'sqlalchemy<2.1']

export interface PeerEnvironment {
  readonly python: string
  /** The folder with `bench_host.py`. */
  readonly scripts: string
  /** A scratch folder. */
  readonly work: string
}

/** The environment, or one sentence that says why there is none here. */
export function peerEnvironment(note: (text: string) => void): PeerEnvironment | string {
  const scripts = resolve(process.env.RUNBOUND_PEER_BENCH ?? join(import.meta.dirname, '../../../../shared/peer-bench'))
  if (!existsSync(join(scripts, 'bench_host.py')))
    return `The peer is not measured: there is no bench_host.py in ${scripts}. Set RUNBOUND_PEER_BENCH to the folder peer-bench.`
  if (process.platform !== 'linux') return 'The peer is not measured: peer-bench reads /proc, which only Linux has.'
  const python = join(FOLDER, 'venv/bin/python')
  const done = join(FOLDER, 'installed')
  if (!existsSync(done)) {
    if (spawnSync('python3.11', ['--version']).status !== 0)
      return 'The peer is not measured: Python 3.11 is missing. Install python3.11 (with venv) and run this again.'
    note(`installing ${PACKAGES.join(' ')} into ${FOLDER} (some minutes, once)`)
    mkdirSync(FOLDER, { recursive: true })
    for (const [command, args] of [
      ['python3.11', ['-m', 'venv', join(FOLDER, 'venv')]],
      [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]],
    ] as const) {
      const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
      if (status !== 0)
        return `The peer is not measured: ${command} ${args.join(' ')} failed: ${stderr.trim().slice(-400)}`
    }
    writeFileSync(done, `${PACKAGES.join('\n')}\n`)
  }
  const work = join(FOLDER, 'work')
  mkdirSync(work, { recursive: true })
  return { python, scripts, work }
}
