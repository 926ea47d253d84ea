/** Which form a request has, and whether its parameters fit that form. */
import { type AnyForm, type FormName, type JsonObject, type MethodRecord, WireError } from '@runbound/protocol'
import type * as z from 'zod'

/** What each form is recognised by, for the message of a wrong one. */
const FORM_MARKS: Record<FormName, string> = {
  run: 'inside a run (with run_id)',
  query: 'for a query (with query_id)',
  installation: 'outside runs (without run_id)',
}

/**
 * The form: a run when `run_id` is there, a query when `query_id` is there and the method has that form, else outside
 * both. `query_id: 0` is what the documents tell authors to send when they have none. Throws `unknown_form`.
 */
export function formOf(record: MethodRecord, data: JsonObject): FormName {
  const { run, query, installation } = record.forms
  const wanted = asked(data, query !== undefined, installation !== undefined)
  const found = wanted === 'run' ? run : wanted === 'query' ? query : installation
  if (found !== undefined) return wanted
  const offered = Object.keys(FORM_MARKS)
    .filter((name): name is FormName => name in record.forms && record.forms[name as FormName] !== undefined)
    .map((name) => FORM_MARKS[name])
  throw new WireError('unknown_form', `${record.name} can be called only ${offered.join(' or ')}.`)
}

function asked(data: JsonObject, hasQueryForm: boolean, hasInstallationForm: boolean): FormName {
  if (data.run_id != null) return 'run'
  if (!hasQueryForm || data.query_id == null) return 'installation'
  return data.query_id === 0 && hasInstallationForm ? 'installation' : 'query'
}

/** The parameters as the record's schema reads them. Throws `invalid_params` that names the field. */
export function readParams(method: string, form: AnyForm, data: JsonObject): never {
  const read = form.params.safeParse(data)
  if (!read.success) throw invalidParams(method, read.error.issues)
  // The record forgot its types; the handler knows them again (handlers.ts).
  return read.data as never
}

function invalidParams(method: string, issues: readonly z.core.$ZodIssue[]): WireError {
  const first = issues[0]
  const field = first === undefined ? '' : fieldOf(first)
  const message = `${method}: ${field === '' ? '' : `"${field}": `}${first?.message ?? 'the parameters do not fit'}`
  const tooBig = first?.code === 'too_big'
  return new WireError(tooBig ? 'too_large' : 'invalid_params', message, {
    details: { field, issues: issues.slice(0, 5).map((issue) => ({ field: fieldOf(issue), message: issue.message })) },
  })
}

function fieldOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return [...issue.path, issue.keys[0]].map(String).join('.')
  return issue.path.map(String).join('.')
}
