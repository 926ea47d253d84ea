/** A preload: modules anywhere find this installation's packages, as plugin processes find its SDK. */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { hasPackage, moduleFile } from '../place/installation.ts'
import { AUTHORS_PACKAGES } from './templates.ts'

const own = new Map<string, string>(
  AUTHORS_PACKAGES.filter(hasPackage).map((name) => [name, pathToFileURL(moduleFile(name)).href]),
)

registerHooks({
  resolve(specifier, context, next) {
    const url = own.get(specifier)
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
})
