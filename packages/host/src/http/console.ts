/**
 * The console's files: built by `apps/console`, handed to the host as a folder. Hashed assets are kept by browsers for ever,
 * everything else is asked for anew. Files hold nothing secret; the page itself is given to who is signed in.
 */
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Hono } from 'hono'
import { askToSignIn } from './login.ts'

/** Where the console lives on this server. */
export const CONSOLE_PATH = '/console/'

/** Nothing inline, nothing from elsewhere, framed by nobody; frames are the web chats of this host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** One name, without a folder and without a dot at its beginning: nothing outside of the folder can be named. */
const FILE = /^(?:assets\/)?[A-Za-z0-9_-][A-Za-z0-9_.-]*\.(?:js|css|svg)$/
/** Below `assets/`, hidden, or with a dot in the first part; ids further down an address may have dots. */
const NAMED_AS_FILE = /^(?:assets\/|\.|[^/]*\.[^/]*$)/
const MISSING = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Runbound</title><link rel="stylesheet" href="/login.css"></head><body><main><h1>The console is not built</h1><p>The host runs; only the console's files are missing. This builds them and starts the host:</p><pre>npm start</pre></main></body></html>`

/** Serves `folder` below {@link CONSOLE_PATH}; `signedIn` says whether a request carries a session. */
export function mountConsole(app: Hono, folder: string, signedIn: (headers: Headers) => Promise<boolean>): void {
  app.get('/console', (c) => c.redirect(CONSOLE_PATH, 308))
  app.get(`${CONSOLE_PATH}*`, async (c) => {
    const headers = c.req.raw.headers
    const name = new URL(c.req.url).pathname.slice(CONSOLE_PATH.length)
    if (FILE.test(name)) return (await file(folder, name, headers)) ?? notThere()
    // What is named as a file and is none stays missing: a page in its place would be run as a script.
    if (NAMED_AS_FILE.test(name)) return notThere()
    if (!(await signedIn(headers))) return askToSignIn(true)
    return (await file(folder, 'index.html', headers)) ?? new Response(MISSING, { status: 503, headers: pageHeaders() })
  })
}

/** Null when there is no such file. */
async function file(folder: string, name: string, asked: Headers): Promise<Response | null> {
  const zipped = /\bgzip\b/.test(asked.get('accept-encoding') ?? '') ? await bytesOf(join(folder, `${name}.gz`)) : null
  const bytes = zipped ?? (await bytesOf(join(folder, name)))
  if (bytes === null) return null
  const headers = pageHeaders()
  headers.set('content-type', TYPES[extname(name)] ?? 'application/octet-stream')
  headers.set('content-length', String(bytes.length))
  headers.set('vary', 'accept-encoding')
  if (zipped !== null) headers.set('content-encoding', 'gzip')
  if (name.startsWith('assets/')) headers.set('cache-control', 'public, max-age=31536000, immutable')
  return new Response(new Uint8Array(bytes), { headers })
}

async function bytesOf(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path)
  } catch {
    return null
  }
}

function pageHeaders(): Headers {
  return new Headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-cache',
  })
}

function notThere(): Response {
  return new Response('There is no such file.\n', {
    status: 404,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
