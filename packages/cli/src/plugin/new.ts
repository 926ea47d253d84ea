/** `runbound plugin new NAME`: a folder with a plugin that answers, checked by types against this installation. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { CliError } from '../errors.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { pluginFiles, tsconfigText } from './templates.ts'

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Options as they were written; default author: the name of this user. */
export interface NewOptions {
  readonly author?: string
}

/** Writes the folder. CliError `usage` when the name does not fit, `failed` when the folder is not empty. */
export async function newPlugin(terminal: Terminal, options: NewOptions, where: string): Promise<void> {
  const folder = resolve(where)
  const name = basename(folder)
  if (!NAME.test(name))
    throw new CliError(
      'usage',
      `"${name}" can't name a plugin: letters, digits, "_" and "-", a letter first, at most 64.`,
    )
  const author = options.author ?? ownName()
  if (!NAME.test(author))
    throw new CliError(
      'usage',
      `"${author}" can't name an author: letters, digits, "_" and "-", a letter first, at most 64.`,
    )
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CliError('failed', `${folder} is there already and not empty. Choose another name.`)
  const files = pluginFiles({ name, author })
  mkdirSync(folder, { recursive: true })
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
  terminal.result({ folder, plugin_id: `${author}/${name}`, files: Object.keys(files) }, () =>
    [
      `${paint('green', `${author}/${name}`)} is in ${folder}: ${Object.keys(files).join(', ')}`,
      `Try it: runbound dev ${relative(process.cwd(), folder) || '.'}`,
    ].join('\n'),
  )
}

/** `runbound plugin types`: the plugin came from elsewhere, and its types shall come from this installation. */
export async function writeTypes(terminal: Terminal, _options: object, directory: string): Promise<void> {
  const folder = resolve(directory)
  if (!existsSync(folder)) throw new CliError('usage', `There is no folder ${folder}.`)
  const file = join(folder, 'tsconfig.json')
  writeFileSync(file, tsconfigText())
  terminal.note(`${file} leads to the Runbound on this machine.`)
}

/** The name of this user, as far as it fits. */
function ownName(): string {
  const name = userInfo().username.replaceAll(/[^A-Za-z0-9_-]/g, '')
  return NAME.test(name) ? name : 'me'
}
