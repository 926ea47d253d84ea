/**
 * Files of the chat on disk. The server makes every name; what a client calls a file is a cleaned label and nothing
 * else. What a file is, is read from its bytes; nothing that a client says about its type is believed.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Limits } from './limits.ts'
import type { FileView, StoredFile } from './model.ts'

const FILE_ID = /^f-[0-9a-f]{32}$/

/** A file that is not taken. `code`: `too_large` or `full`. */
export class FileError extends Error {
  readonly code: 'too_large' | 'full'
  constructor(code: FileError['code'], message: string) {
    super(message)
    this.name = 'FileError'
    this.code = code
  }
}

export class FileStore {
  readonly #folder: string
  readonly #limits: Limits
  readonly #now: () => number
  #total = 0

  constructor(folder: string, limits: Limits, now: () => number) {
    this.#folder = join(folder, 'files')
    this.#limits = limits
    this.#now = now
  }

  /** Makes the folder and counts what is in it. */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    this.#total = 0
    for (const name of await readdir(this.#folder)) this.#total += (await stat(join(this.#folder, name))).size
  }

  /** Writes the bytes to disk and answers their record, which the caller commits. Rejects with FileError. */
  async put(bytes: Uint8Array, name: string): Promise<StoredFile> {
    if (bytes.length > this.#limits.maxFileBytes) {
      throw new FileError('too_large', `A file may have ${this.#limits.maxFileBytes} bytes.`)
    }
    if (this.#total + bytes.length > this.#limits.maxFolderBytes) {
      throw new FileError('full', 'The file store of this chat is full. Delete messages with files, then try again.')
    }
    const id = `f-${randomBytes(16).toString('hex')}`
    this.#total += bytes.length
    try {
      await writeFile(join(this.#folder, id), bytes, { flag: 'wx', mode: 0o600, flush: true })
    } catch (error) {
      this.#total -= bytes.length
      throw error
    }
    const { mime, view } = sniff(bytes)
    return { id, name: cleanName(name), size: bytes.length, mime, view, stored_at: this.#now() }
  }

  /** The bytes of a file. Rejects if it is gone; an id of another shape never reaches the disk. */
  async read(id: string): Promise<Buffer> {
    if (!FILE_ID.test(id)) throw new Error('This is not the id of a file.')
    return await readFile(join(this.#folder, id))
  }

  /** Removes the files that `keep` does not name and that are old enough; answers their ids. */
  async sweep(keep: (id: string) => boolean): Promise<string[]> {
    const removed: string[] = []
    for (const id of await readdir(this.#folder)) {
      const path = join(this.#folder, id)
      const { size, mtimeMs } = await stat(path)
      if (keep(id) || this.#now() - mtimeMs < this.#limits.orphanFileMs) continue
      await rm(path, { force: true })
      this.#total -= size
      removed.push(id)
    }
    return removed
  }
}

/**
 * A label that is safe to show and to offer for saving: no folders, no control, invisible or direction-changing
 * characters, never empty, cut before its extension.
 */
export function cleanName(name: string, most = 120): string {
  const base = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const visible = base.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '').replace(/[<>:"|?*]/g, '_')
  // Windows drops dots and spaces at the end, and a leading dot hides a file.
  const trimmed = visible.replace(/^[.\s]+|[.\s]+$/gu, '')
  if (trimmed === '') return 'file'
  if (trimmed.length <= most) return trimmed
  const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(trimmed)?.[0] ?? ''
  return (
    trimmed
      .slice(0, most - extension.length)
      .toWellFormed()
      .replace(/\uFFFD$/, '') + extension
  )
}

const SIGNATURES: readonly {
  readonly at: number
  readonly bytes: string
  readonly mime: string
  readonly view: FileView
}[] = [
  { at: 0, bytes: '\x89PNG\r\n\x1a\n', mime: 'image/png', view: 'image' },
  { at: 0, bytes: '\xff\xd8\xff', mime: 'image/jpeg', view: 'image' },
  { at: 0, bytes: 'GIF87a', mime: 'image/gif', view: 'image' },
  { at: 0, bytes: 'GIF89a', mime: 'image/gif', view: 'image' },
  { at: 8, bytes: 'WEBP', mime: 'image/webp', view: 'image' },
  { at: 8, bytes: 'WAVE', mime: 'audio/wav', view: 'audio' },
  { at: 0, bytes: 'OggS', mime: 'audio/ogg', view: 'audio' },
  { at: 0, bytes: 'ID3', mime: 'audio/mpeg', view: 'audio' },
]

/** Type of a file by its first bytes; anything unknown, and everything a browser could run, is plain bytes. */
export function sniff(bytes: Uint8Array): { mime: string; view: FileView } {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1')
  const found = SIGNATURES.find(({ at, bytes }) => head.startsWith(bytes, at))
  // WEBP and WAVE stand inside a RIFF container.
  if (found === undefined || (found.at === 8 && !head.startsWith('RIFF'))) {
    return { mime: 'application/octet-stream', view: 'file' }
  }
  return { mime: found.mime, view: found.view }
}

/** The bytes in `data:<mime>;base64,<data>`; null if the text has another form. */
export function decodeDataUrl(text: string): Buffer | null {
  const match = /^data:[^,]{0,200};base64,/.exec(text)
  if (match === null) return null
  const data = text.slice(match[0].length)
  const bytes = Buffer.from(data, 'base64')
  // Buffer skips what is not base64; only an exact round trip counts.
  return bytes.toString('base64').replace(/=+$/, '') === data.replace(/=+$/, '') ? bytes : null
}
