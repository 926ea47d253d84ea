/**
 * What a person has changed and not saved yet. A failed save keeps it; what the host says stands at its field. While
 * nothing is changed it follows what is stored; when both change, the person decides.
 */
import { ApiError } from '@runbound/api'
import { useCallback, useState } from 'react'
import { sameJson } from './json.ts'

/** Why the host did not take it. */
export interface SaveFailure {
  readonly message: string
  /** The same without the path before it: at its field that is plain. */
  readonly atField: string
  readonly code: string
  /** A path such as `config.greeting` or `routes.0.event_pattern`; null: about the whole. */
  readonly at: string | null
}

export interface Draft<T> {
  readonly value: T
  /** Something differs from what is stored. */
  readonly dirty: boolean
  /** Nothing is stored yet: it can be saved as it is. */
  readonly fresh: boolean
  readonly saving: boolean
  readonly failure: SaveFailure | null
  /** What is stored was changed by someone else meanwhile. */
  readonly outdated: boolean
  /** Something that was typed can't be read yet, so nothing can be saved. */
  readonly unreadable: boolean
  readonly set: (next: T | ((before: T) => T)) => void
  /** Back to what is stored. */
  readonly reset: () => void
  /** Resolves when the host answered; true when it took it. */
  readonly save: () => Promise<boolean>
  /** What is wrong at this path, by the form itself or by the host; null: nothing. */
  readonly faultAt: (path: string) => string | null
  /** A control says that what is typed at this path can't be read; null takes it back. */
  readonly refuse: (path: string, fault: string | null) => void
}

export interface DraftOptions<T> {
  readonly stored: T
  /** True: nothing is stored yet. */
  readonly fresh?: boolean
  /** What is wrong before the host is asked, by path; shown once a save was tried. */
  readonly check?: (value: T) => ReadonlyMap<string, string>
  /** Rejects with {@link ApiError}. */
  readonly save: (value: T) => Promise<unknown>
}

export function useDraft<T>({ stored, fresh = false, check, save }: DraftOptions<T>): Draft<T> {
  const [seen, setSeen] = useState(stored)
  const [base, setBase] = useState(stored)
  const [value, setValue] = useState(stored)
  const [outdated, setOutdated] = useState(false)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<SaveFailure | null>(null)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const changed = !sameJson(value, base)
  const refuse = useCallback(
    (path: string, fault: string | null) =>
      setRefused((before) => {
        if ((before.get(path) ?? null) === fault) return before
        const next = new Map(before)
        if (fault === null) next.delete(path)
        else next.set(path, fault)
        return next
      }),
    [],
  )

  if (!sameJson(stored, seen)) {
    setSeen(stored)
    if (changed) setOutdated(true)
    else {
      setBase(stored)
      setValue(stored)
    }
  }

  const faults = tried ? check?.(value) : undefined
  return {
    value,
    dirty: changed || refused.size > 0,
    fresh,
    saving,
    failure,
    outdated,
    unreadable: refused.size > 0,
    set: (next) => {
      setFailure(null)
      setValue(next)
    },
    reset: () => {
      setBase(stored)
      setValue(stored)
      setOutdated(false)
      setFailure(null)
      setTried(false)
      setRefused(new Map())
    },
    save: async () => {
      setTried(true)
      setFailure(null)
      if (refused.size > 0 || (check?.(value).size ?? 0) > 0) return false
      setSaving(true)
      try {
        await save(value)
        setBase(value)
        setOutdated(false)
        setTried(false)
        return true
      } catch (error) {
        setFailure(failureOf(error))
        return false
      } finally {
        setSaving(false)
      }
    },
    faultAt: (path) =>
      refused.get(path) ?? (failure?.at === path ? failure.atField : null) ?? faults?.get(path) ?? null,
    refuse,
  }
}

function failureOf(error: unknown): SaveFailure {
  if (!ApiError.is(error)) throw error
  // One way to write a place in a list: the host has `routes[0].name` and `body.routes.0.name`.
  const at = error.at === null ? null : error.at.replace(/^body\./, '').replaceAll(/\[(\d+)\]/g, '.$1')
  const path = `${error.at}: `
  const rest = error.message.startsWith(path) ? error.message.slice(path.length) : error.message
  return {
    message: error.message,
    atField: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`,
    code: error.code,
    at,
  }
}
