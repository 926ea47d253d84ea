/** Icon, readme and assets of a package: chunks first, then the answer that names them (wire.md §2.2, §4). */
import type { IncomingRequest, PackageManifest, Peer } from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import { LIMITS, WireError } from '@runbound/protocol'
import type { PackageFiles, ReadFile } from './surroundings.ts'

type Answer = (request: IncomingRequest) => Promise<JsonObject>

const LANGUAGE = /^[A-Za-z0-9_-]{1,16}$/

/** Makes the answers. Without files nothing can be read, which is an answer and no error where one is documented. */
export function assetAnswers(
  peer: Peer,
  { manifest }: PackageManifest,
  files: PackageFiles | undefined,
): Readonly<Record<string, Answer>> {
  const send = async (file: ReadFile, signal: AbortSignal): Promise<string> => {
    if (file.bytes.length > LIMITS.asset_file.value) {
      throw new WireError(
        'too_large',
        `A file of a plugin has at most ${LIMITS.asset_file.value} bytes, not ${file.bytes.length}.`,
      )
    }
    return peer.sendFile(file.bytes, { signal })
  }

  return {
    async get_plugin_icon({ signal }) {
      const { icon } = manifest.metadata as JsonObject
      if (typeof icon !== 'string' || icon === '') return { plugin_icon_file_key: '', mime_type: '' }
      const file = await files?.read(icon)
      if (file === undefined) throw new WireError('not_found', `The icon ${icon} is not in the package.`)
      return { plugin_icon_file_key: await send(file, signal), mime_type: file.mime_type }
    },

    async get_plugin_readme({ data, signal }) {
      const { language } = data
      if (typeof language !== 'string' || !LANGUAGE.test(language)) {
        throw new WireError('invalid_params', 'get_plugin_readme needs a language, such as en or zh_Hans.')
      }
      const own = language === 'en' ? undefined : await files?.read(`readme/README_${language}.md`)
      const file = own ?? (await files?.read('README.md'))
      if (file === undefined) throw new WireError('not_found', 'The package has no README.md.')
      return { plugin_readme_file_key: await send(file, signal), mime_type: 'text/markdown' }
    },

    async get_plugin_assets_file({ data, signal }) {
      if (typeof data.file_key !== 'string')
        throw new WireError('invalid_params', 'get_plugin_assets_file needs a file_key.')
      const file = await files?.read(assetPath(data.file_key))
      if (file === undefined) return { file_file_key: null, mime_type: null }
      return { file_file_key: await send(file, signal), mime_type: file.mime_type }
    },
  }
}

/** Keys resolve below `assets/`, unless they name it; pages will bring their own folder when there are pages. */
function assetPath(key: string): string {
  const path = key.replaceAll('\\', '/')
  return path.startsWith('assets/') ? path : `assets/${path}`
}
