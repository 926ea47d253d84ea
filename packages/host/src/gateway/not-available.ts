/** Methods that the wire knows and this version does not carry out: a typed refusal that says so, never silence. */
import { type FormName, WireError } from '@runbound/protocol'
import { METHODS } from '@runbound/protocol/schemas'
import type { MethodName } from './handlers.ts'
import type { Handler, HandlerTable } from './types.ts'

/** Refusals for every form of the named methods. `what` starts a sentence: `Boxes are`. */
export function notAvailable(what: string, names: readonly MethodName[]): HandlerTable {
  const table: Record<string, Partial<Record<FormName, Handler>>> = {}
  for (const name of names) {
    const forms: Partial<Record<FormName, Handler>> = {}
    for (const form of Object.keys(METHODS[name].forms) as FormName[]) {
      forms[form] = () => {
        throw new WireError('not_available', `${what} not available in this version of Runbound.`, {
          details: { method: name },
        })
      }
    }
    table[name] = forms
  }
  return table
}
