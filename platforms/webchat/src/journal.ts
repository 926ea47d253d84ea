/**
 * An append-only log file of lines that survives a killed process: `append` resolves when the line is on disk. Lines
 * that wait for the disk are written together. Knows nothing about what the lines mean.
 */
import { type FileHandle, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

const HEADER = 'runbound-webchat 1'
const NAME = /^journal-(\d{8})\.log$/

/** A log that can't be read or written. `code`: `damaged`, `newer`, `closed` or `write_failed`. */
export class JournalError extends Error {
  readonly code: 'damaged' | 'newer' | 'closed' | 'write_failed'
  constructor(code: JournalError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'JournalError'
    this.code = code
  }
}

export interface JournalOptions {
  readonly folder: string
  /** The log is rewritten above this size, in bytes. */
  readonly compactBytes: number
  /** All lines that a new log starts with; has to contain the effect of every line given to `append` so far. */
  snapshot(): readonly string[]
}

interface Waiting {
  readonly line: string
  resolve(): void
  reject(error: JournalError): void
}

export class Journal {
  readonly #options: JournalOptions
  #handle: FileHandle | null = null
  #number = 0
  #size = 0
  #compactAt: number
  #queue: Waiting[] = []
  #writing: Promise<void> | null = null

  constructor(options: JournalOptions) {
    this.#options = options
    this.#compactAt = options.compactBytes
  }

  /**
   * Opens the newest log, or makes one. Answers its lines; a torn last line is cut off (it was never confirmed).
   * Rejects with `damaged` when a line in the middle is broken, and `newer` when a newer version wrote it.
   */
  async open(): Promise<string[]> {
    const { folder } = this.#options
    const numbers = (await readdir(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []).sort()
    const newest = numbers.at(-1)
    if (newest === undefined) {
      this.#number = 1
      await this.#create([])
      return []
    }
    this.#number = Number(newest)
    const path = this.#path(this.#number)
    const { lines, goodSize } = parse(await readFile(path), path)
    const handle = await open(path, 'r+')
    await handle.truncate(goodSize)
    await handle.datasync()
    this.#handle = handle
    this.#size = goodSize
    this.#compactAt = Math.max(this.#options.compactBytes, goodSize * 2)
    // A rewrite that was cut off leaves its half file or its predecessor behind.
    for (const number of numbers.slice(0, -1)) await rm(this.#path(Number(number)), { force: true })
    return lines
  }

  /** Adds a line (no line break in it). Resolves once it is on disk; after a rejection nothing of it will ever be read. */
  append(line: string): Promise<void> {
    if (this.#handle === null) return Promise.reject(new JournalError('closed', 'The message log is closed.'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, resolve, reject })
      // Starts in the next tick: everything of this tick shares one write.
      this.#writing ??= Promise.resolve().then(() => this.#drain())
    })
  }

  /** Waits for what was appended, then closes. Idempotent. */
  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing
    const handle = this.#handle
    this.#handle = null
    await handle?.close()
  }

  async #drain(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue
        this.#queue = []
        try {
          if (this.#size > this.#compactAt && (await this.#compact(batch))) continue
          await this.#write(batch.map(({ line }) => encode(line)).join(''))
          for (const { resolve } of batch) resolve()
        } catch (cause) {
          const error = new JournalError('write_failed', 'The message log could not be written.', cause)
          // What was appended meanwhile was decided on top of what just failed.
          for (const { reject } of [...batch, ...this.#queue.splice(0)]) reject(error)
        }
      }
    } finally {
      this.#writing = null
    }
  }

  async #write(text: string): Promise<void> {
    const handle = this.#handle
    if (handle === null) throw new JournalError('closed', 'The message log is closed.')
    const bytes = Buffer.from(text)
    try {
      let done = 0
      while (done < bytes.length) {
        done += (await handle.write(bytes, done, bytes.length - done, this.#size + done)).bytesWritten
      }
      await handle.datasync()
      this.#size += bytes.length
    } catch (error) {
      // Whatever reached the file has to go, or a later start would read a line that was refused.
      await handle.truncate(this.#size).catch(() => {
        this.#handle = null
        return handle.close().catch(() => {})
      })
      throw error
    }
  }

  /** Rewrites the log from the snapshot, which already has the batch in it. False: it failed, the old log goes on. */
  async #compact(batch: readonly Waiting[]): Promise<boolean> {
    const old = { handle: this.#handle, number: this.#number }
    try {
      this.#number += 1
      await this.#create(this.#options.snapshot())
    } catch {
      this.#number = old.number
      this.#handle = old.handle
      this.#compactAt = this.#size + this.#options.compactBytes
      return false
    }
    for (const { resolve } of batch) resolve()
    await old.handle?.close().catch(() => {})
    await rm(this.#path(old.number), { force: true }).catch(() => {})
    return true
  }

  async #create(lines: readonly string[]): Promise<void> {
    const path = this.#path(this.#number)
    const bytes = Buffer.from([HEADER, ...lines].map(encode).join(''))
    await writeFile(`${path}.new`, bytes, { flush: true })
    await rename(`${path}.new`, path)
    await syncFolder(this.#options.folder)
    this.#handle = await open(path, 'r+')
    this.#size = bytes.length
    this.#compactAt = Math.max(this.#options.compactBytes, this.#size * 2)
  }

  #path(number: number): string {
    return join(this.#options.folder, `journal-${String(number).padStart(8, '0')}.log`)
  }
}

function encode(line: string): string {
  return `${crc32(line).toString(16).padStart(8, '0')} ${line}\n`
}

function decode(text: string): string | null {
  const line = text.slice(9)
  return text[8] === ' ' && crc32(line) === Number.parseInt(text.slice(0, 8), 16) ? line : null
}

function parse(bytes: Buffer, path: string): { lines: string[]; goodSize: number } {
  const lines: string[] = []
  let goodSize = 0
  let bad = false
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start)
    const line = end === -1 ? null : decode(bytes.toString('utf8', start, end))
    if (line === null) bad = true
    else if (bad) {
      throw new JournalError('damaged', `${path} is damaged in the middle. Restore it, or move it away to start empty.`)
    } else {
      lines.push(line)
      goodSize = end + 1
    }
    start = end === -1 ? bytes.length : end + 1
  }
  const header = lines.shift()
  if (header === HEADER) return { lines, goodSize }
  if (header?.startsWith('runbound-webchat ')) {
    throw new JournalError('newer', `${path} was written by a newer version ("${header}"). Start that version.`)
  }
  throw new JournalError('damaged', `${path} is not a message log. Restore it, or move it away to start empty.`)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
