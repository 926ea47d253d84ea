import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../host.ts'
import { createLogger } from '../telemetry/log.ts'

const around = mkdtempSync(join(tmpdir(), 'runbound-console-'))
const built = join(around, 'dist')
const hosts: Host[] = []
let url = ''
let cookie = ''

beforeAll(async () => {
  mkdirSync(join(built, 'assets'), { recursive: true })
  mkdirSync(join(built, '.vite'))
  writeFileSync(join(built, 'index.html'), '<!doctype html><title>the console</title>')
  writeFileSync(join(built, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(built, 'assets/page-a1B2.js'), 'let plain')
  writeFileSync(join(built, 'assets/big-c3D4.js'), 'let plain')
  writeFileSync(join(built, 'assets/big-c3D4.js.gz'), gzipSync('let zipped'))
  writeFileSync(join(built, '.vite/manifest.json'), '{}')
  writeFileSync(join(around, 'secret.js'), 'the secret')
  ;({ url, cookie } = await hostWith(built))
})
afterAll(async () => {
  for (const host of hosts) await host.stop({ drainMs: 0 })
  rmSync(around, { recursive: true, force: true })
})

async function hostWith(folder: string): Promise<{ url: string; cookie: string }> {
  const host = await startHost({
    folder: null,
    platforms: {},
    runtime: null,
    http: { port: 0, console: folder },
    logger: createLogger({ level: 'silent' }),
  })
  hosts.push(host)
  const link = await host.identity.loginLink()
  const own = host.http?.url ?? ''
  const answer = await fetch(`${own}/login/${link.token}`, { method: 'POST', redirect: 'manual' })
  expect(answer.headers.get('location')).toBe('/console/')
  return { url: own, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { redirect: 'manual', headers })

describe('the page', () => {
  test('is given at every address of the console, under a policy that lets nothing in from elsewhere', async () => {
    for (const path of ['/console/', '/console/runs', '/console/agents/agent-v1.2?tab=grants']) {
      const answer = await get(path, { cookie })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('the console')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
    }
  })

  test('asks to sign in where nobody is, and the start leads to it', async () => {
    const stranger = await get('/console/runs')
    expect(stranger.status).toBe(401)
    expect(await stranger.text()).toContain('Sign in')
    const home = await get('/', { cookie })
    expect([home.status, home.headers.get('location')]).toEqual([303, '/console/'])
    expect((await get('/console', { cookie })).headers.get('location')).toBe('/console/')
  })

  test('says how to build it where it is not built', async () => {
    const bare = await hostWith(join(around, 'never-built'))
    const answer = await fetch(`${bare.url}/console/`, { headers: { cookie: bare.cookie } })
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('npm start')
  })
})

describe('files', () => {
  test('with a hash are kept for ever, the others asked for anew; compressed where the browser takes it', async () => {
    const asset = await get('/console/assets/page-a1B2.js')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await get('/console/icon.svg')).headers.get('cache-control')).toBe('no-cache')
    const big = await get('/console/assets/big-c3D4.js', { 'accept-encoding': 'gzip' })
    expect([big.headers.get('content-encoding'), await big.text()]).toEqual(['gzip', 'let zipped'])
    expect(await (await get('/console/assets/big-c3D4.js', { 'accept-encoding': 'identity' })).text()).toBe('let plain')
  })

  test('that are not there are missing, and no page stands in their place', async () => {
    for (const path of [
      '/console/assets/gone-1.js',
      '/console/assets/',
      '/console/gone.css',
      '/console/.vite/manifest.json',
    ]) {
      const answer = await get(path, { cookie })
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.text()).not.toContain('the console')
    }
  })

  test('outside of the folder can not be named', async () => {
    for (const path of [
      '/console/../secret.js',
      '/console/assets/../../secret.js',
      '/console/%2e%2e/secret.js',
      '/console/assets/%2e%2e/%2e%2e/secret.js',
      '/console/assets/..%2f..%2fsecret.js',
      '/console/assets/..\\..\\secret.js',
      `/console/${encodeURIComponent(join(around, 'secret.js'))}`,
    ])
      expect(await raw(path), path).not.toContain('the secret')
  })
})

/** Without a client that tidies the address up. */
function raw(path: string): Promise<string> {
  const { hostname, port, host } = new URL(url)
  return new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`),
    )
    socket.on('data', (chunk) => {
      got += chunk.toString()
    })
    socket.on('close', () => resolve(got))
    socket.on('error', reject)
  })
}
