/** Backups as one file: a plain tar (POSIX ustar), which any `tar` can also read. Streams; nothing is held in memory. */
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CliError } from '../errors.ts'

const BLOCK = 512
/** How much is copied at once, in bytes. */
const CHUNK = 1024 * 1024

/** A file for an archive. */
export interface Packed {
  /** Where it is now. */
  readonly file: string
  /** Its name in the archive, with `/`. */
  readonly name: string
  readonly size: number
  /** Permission bits. */
  readonly mode: number
}

/** Writes the files in their order and syncs. A file that shrinks meanwhile is filled up with zeros, one that grows is cut. */
export async function writeArchive(target: string, files: AsyncIterable<Packed> | Iterable<Packed>): Promise<number> {
  if (!existsSync(dirname(target))) {
    throw new CliError('usage', `There is no folder ${dirname(target)}. Make it, or choose another.`)
  }
  const out = await open(target, 'wx', 0o600)
  let bytes = 0
  const write = async (data: Uint8Array): Promise<void> => {
    await out.write(data)
    bytes += data.length
  }
  try {
    for await (const packed of files) {
      await write(headerOf(packed))
      let left = packed.size
      if (left > 0) {
        for await (const chunk of createReadStream(packed.file, { end: left - 1, highWaterMark: CHUNK })) {
          await write(chunk as Buffer)
          left -= (chunk as Buffer).length
        }
      }
      await write(Buffer.alloc(left + padding(packed.size)))
    }
    await write(Buffer.alloc(2 * BLOCK))
    await out.sync()
    return bytes
  } finally {
    await out.close()
  }
}

/** Unpacks below `folder`; resolves with the names. CliError `invalid_file` for what is no archive of ours. */
export async function readArchive(source: string, folder: string): Promise<string[]> {
  const input = await open(source, 'r')
  const names: string[] = []
  try {
    let position = 0
    for (;;) {
      const header = await read(input, source, position, BLOCK)
      position += BLOCK
      if (header.every((byte) => byte === 0)) return names
      const { name, size, mode } = entryOf(header, source)
      await unpack(input, source, position, size, join(folder, name), mode)
      names.push(name)
      position += size + padding(size)
    }
  } finally {
    await input.close()
  }
}

async function unpack(input: FileHandle, source: string, from: number, size: number, target: string, mode: number) {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const out = await open(target, 'wx', mode)
  try {
    for (let done = 0; done < size; done += CHUNK)
      await out.write(await read(input, source, from + done, Math.min(CHUNK, size - done)))
    await out.sync()
  } finally {
    await out.close()
  }
}

async function read(input: FileHandle, source: string, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await input.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw damaged(source, 'it ends too early')
  return buffer
}

function headerOf({ name, size, mode }: Packed): Buffer {
  const header = Buffer.alloc(BLOCK)
  const [prefix, rest] = splitName(name)
  header.write(rest, 0)
  header.write(octal(mode & 0o777, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(0, 12), 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(prefix, 345)
  header.write(`${octal(sum(header), 7)} `, 148)
  return header
}

function entryOf(
  header: Buffer,
  source: string,
): { readonly name: string; readonly size: number; readonly mode: number } {
  const text = (from: number, length: number): string =>
    header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const number = (from: number, length: number): number => Number.parseInt(text(from, length).trim(), 8)
  if (text(257, 5) !== 'ustar' || number(148, 8) !== sum(header))
    throw damaged(source, 'it is no archive, or was changed')
  const prefix = text(345, 155)
  const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
  const parts = name.split('/')
  if (text(156, 1) !== '0' || name.startsWith('/') || parts.includes('..') || parts.includes(''))
    throw damaged(source, `it holds "${name}", which no backup holds`)
  return { name, size: number(124, 12), mode: number(100, 8) & 0o777 }
}

/** The checksum of a header counts its own field as spaces. */
function sum(header: Buffer): number {
  return header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
}

function splitName(name: string): [string, string] {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let cut = name.indexOf('/'); cut !== -1; cut = name.indexOf('/', cut + 1)) {
    const [prefix, rest] = [name.slice(0, cut), name.slice(cut + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(rest) <= 100) return [prefix, rest]
  }
  throw new CliError('failed', `The path "${name}" is too long for a backup.`)
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

function damaged(source: string, why: string): CliError {
  return new CliError('invalid_file', `${source} is no usable backup: ${why}.`)
}
