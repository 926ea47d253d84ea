/** `runbound plugin test DIR`: a plugin's own tests on this installation's SDK and test kit, without a registry. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError } from '../errors.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Runs `node --test` in the folder; CliError `failed` when a test fails. */
export async function testPlugin(_terminal: Terminal, _options: object, directory: string): Promise<void> {
  const folder = resolve(directory)
  if (!existsSync(folder)) throw new CliError('usage', `There is no folder ${folder}.`)
  const preload = new URL('./own-packages.ts', import.meta.url).href
  const code = await new Promise<number | null>((done, reject) => {
    const child = spawn(process.execPath, ['--import', preload, '--test'], { cwd: folder, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', done)
  })
  if (code !== 0) throw new CliError('failed', 'Tests failed; what they said stands above.')
}
