/** A preload: modules anywhere find this installation's packages, as plugin processes find its SDK. */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { moduleFile } from '../place/installation.ts'

const own = new Map(['@runbound/sdk', '@runbound/testing'].map((name) => [name, pathToFileURL(moduleFile(name)).href]))

registerHooks({
  resolve(specifier, context, next) {
    const url = own.get(specifier)
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
})
