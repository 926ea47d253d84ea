/** The web chat over HTTP: its page, uploads, and files with types that a browser can't be tricked by. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpRoute } from '@runbound/platform-kit'
import { FileError, type FileStore } from './files.ts'
import { JournalError } from './journal.ts'
import type { Limits } from './limits.ts'
import type { Store } from './store.ts'

/** Everything comes from this server; no inline script or style, nothing framed by others, no text becomes script. */
const PAGE_POLICY = [
  "default-src 'self'",
  "img-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const ASSETS = new URL('../page/', import.meta.url)

export interface HttpParts {
  readonly botUuid: string
  readonly store: Store
  readonly files: FileStore
  readonly limits: Limits
}

/** Routes below the bot's address: `` (page), `page/<asset>`, `files` (POST), `files/<id>`. */
export function createHttp(parts: HttpParts): HttpRoute {
  const root = `/bots/${encodeURIComponent(parts.botUuid)}`
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.slice(pathname.indexOf(root) + root.length)
    if (path === '/files' && request.method === 'POST') return upload(parts, request)
    if (request.method !== 'GET' && request.method !== 'HEAD') return problem(405, 'This address can only be read.')
    // Without the slash the page's relative addresses would miss the bot.
    if (path === '') return new Response(null, { status: 308, headers: { location: `${pathname}/` } })
    const response = path.startsWith('/files/')
      ? await serveFile(parts, path.slice('/files/'.length), searchParams.has('download'))
      : await serveAsset(path)
    return request.method === 'HEAD' ? new Response(null, response) : response
  }
}

async function serveAsset(path: string): Promise<Response> {
  const name = path === '/' ? 'index.html' : /^\/page\/([a-z][a-z-]*\.(?:js|css|svg))$/.exec(path)?.[1]
  if (name === undefined) return problem(404, 'There is no such page.')
  try {
    const bytes = await readFile(fileURLToPath(new URL(name, ASSETS)))
    return new Response(bytes, {
      headers: {
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        'content-security-policy': PAGE_POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      },
    })
  } catch {
    return problem(404, 'There is no such page.')
  }
}

async function serveFile(parts: HttpParts, id: string, download: boolean): Promise<Response> {
  const file = parts.store.world.files.get(id)
  if (file === undefined) return problem(404, 'This file is not here any more.')
  const shown = file.view !== 'file' && !download
  return new Response(new Uint8Array(await parts.files.read(id)), {
    headers: {
      'content-type': shown ? file.mime : 'application/octet-stream',
      'content-disposition': shown ? 'inline' : `attachment; ${dispositionName(file.name)}`,
      'content-length': String(file.size),
      // Even if a browser were brought to open it as a page, it could do nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=31536000, immutable',
    },
  })
}

/** The name once in plain ASCII and once in full; neither can end the header. */
function dispositionName(name: string): string {
  const ascii = name.replace(/[^\w. -]/g, '_')
  const full = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `filename="${ascii}"; filename*=UTF-8''${full}`
}

async function upload({ files, store, limits }: HttpParts, request: Request): Promise<Response> {
  // A header that a foreign site can't send without asking this server first.
  const encoded = request.headers.get('x-file-name')
  if (encoded === null) return problem(400, 'The header "x-file-name" (percent-encoded) is missing.')
  let name: string
  try {
    name = decodeURIComponent(encoded)
  } catch {
    return problem(400, 'The header "x-file-name" is not percent-encoded.')
  }
  const bytes = await readBody(request, limits.maxFileBytes)
  if (bytes === null) return problem(413, `A file may have ${limits.maxFileBytes} bytes.`)
  if (bytes.length === 0) return problem(400, 'The file is empty.')
  try {
    const file = await files.put(bytes, name)
    await store.commit([{ t: 'file', file }])
    return Response.json(file, { status: 201 })
  } catch (error) {
    if (error instanceof FileError) return problem(error.code === 'full' ? 507 : 413, error.message)
    if (error instanceof JournalError) return problem(503, 'The file could not be saved. Try again.')
    throw error
  }
}

/** The body, read only as far as allowed; null if it is longer. */
async function readBody(request: Request, most: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length') ?? 0) > most) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function problem(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: { 'x-content-type-options': 'nosniff' } })
}
