import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cleanName, decodeDataUrl, sniff } from './files.ts'
import { LIMITS } from './limits.ts'
import { openChat, type TestChat } from './testing/chat.ts'
import { FakePage } from './testing/fake-page.ts'

let chat: TestChat
const root = 'http://127.0.0.1/bots/bot-1'
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40)])

beforeEach(async () => {
  chat = await openChat({ limits: { maxFileBytes: 100_000, maxFolderBytes: 250_000 } })
})
afterEach(() => chat.remove())

async function http(path: string, init?: RequestInit): Promise<Response> {
  const response = await chat.adapter.http?.handle(new Request(`${root}${path}`, init))
  if (response === undefined) throw new Error('no http')
  return response
}

async function upload(name: string | null, body: Uint8Array): Promise<Response> {
  const headers: Record<string, string> = name === null ? {} : { 'x-file-name': name }
  return http('/files', { method: 'POST', headers, body: new Uint8Array(body) })
}

const HOSTILE = [
  '../../x',
  '..\\..\\x',
  '/etc/x',
  'C:\\x',
  'a\0b',
  'x'.repeat(300),
  '..',
  '.',
  '',
  'a/../../b',
  '\u202Egnp.exe',
  'con\r\nSet-Cookie: a=b',
]

describe('names', () => {
  test.each(HOSTILE)('[D100] the hostile name %j is only a label; the file lies under the root', async (name) => {
    const response = await upload(encodeURIComponent(name), Buffer.from('hello'))
    expect(response.status).toBe(201)
    const file: { id: string; name: string } = await response.json()
    expect(file.name).not.toMatch(/[/\\]|\p{Cc}|\p{Cf}/u)
    expect(file.name.length).toBeLessThanOrEqual(LIMITS.maxFileName)
    expect(['', '.', '..']).not.toContain(file.name)
    expect(await readdir(join(chat.folder, 'files'))).toEqual([file.id])
    expect(file.id).toMatch(/^f-[0-9a-f]{32}$/)
    const served = await http(`/files/${file.id}`)
    expect(await served.text()).toBe('hello')
    expect(served.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w. -]*"; filename\*=UTF-8''[\w.%!~-]+$/,
    )
  })

  test('whatever the name is, its label is visible, short and well formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const label = cleanName(name)
        expect(label).not.toMatch(/[/\\<>:"|?*]|\p{Cc}|\p{Cf}/u)
        expect(label.length).toBeGreaterThan(0)
        expect(label.length).toBeLessThanOrEqual(LIMITS.maxFileName)
        expect(label.isWellFormed()).toBe(true)
      }),
    )
    expect(cleanName('报告.pdf')).toBe('报告.pdf')
    expect(cleanName(`${'长'.repeat(200)}.pdf`)).toMatch(/^长+\.pdf$/)
    expect(cleanName(`${'x'.repeat(115)}😀.jpeg`)).toBe(`${'x'.repeat(115)}.jpeg`)
  })
})

describe('serving', () => {
  test('a picture is shown; nothing else that a browser could run ever is', async () => {
    const html = Buffer.from('<script>alert(1)</script>')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    const cases: [string, Uint8Array, string, string][] = [
      ['a.png', PNG, 'image/png', 'inline'],
      ['fake.png', html, 'application/octet-stream', 'attachment'],
      ['a.svg', svg, 'application/octet-stream', 'attachment'],
      ['a.html', html, 'application/octet-stream', 'attachment'],
      ['a.pdf', Buffer.from('%PDF-1.4'), 'application/octet-stream', 'attachment'],
    ]
    for (const [name, bytes, type, disposition] of cases) {
      const { id } = await (await upload(name, bytes)).json()
      const served = await http(`/files/${id}`)
      expect(served.headers.get('content-type'), name).toBe(type)
      expect(served.headers.get('content-disposition'), name).toMatch(new RegExp(`^${disposition}`))
      expect(served.headers.get('x-content-type-options')).toBe('nosniff')
      expect(served.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      const download = await http(`/files/${id}?download`)
      expect(download.headers.get('content-disposition')).toMatch(/^attachment/)
    }
  })

  test.each([
    '/files/../journal-00000001.log',
    '/files/%2e%2e%2fjournal-00000001.log',
    '/files/f-0',
    '/page/../src/index.ts',
    '/page/..%2fpackage.json',
    '/page/tsconfig.json',
    '/package.json',
    '/ws',
    '//evil.example/',
  ])('nothing is at %s', async (path) => {
    expect((await http(path)).status).toBe(404)
  })

  test('the page is strict about what it loads, and its address ends with a slash', async () => {
    const page = await http('/')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const html = await page.text()
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|style=|https?:\/\//)
    for (const [, asset] of html.matchAll(/(?:src|href)="(page\/[^"]+)"/g)) {
      expect((await http(`/${asset}`)).status, asset).toBe(200)
    }
    expect((await http('')).headers.get('location')).toBe('/bots/bot-1/')
    expect((await http('/', { method: 'HEAD' })).status).toBe(200)
    expect((await http('/', { method: 'DELETE' })).status).toBe(405)
  })
})

describe('uploading', () => {
  test('limits and mistakes are refused, each with a sentence', async () => {
    const cases: [Promise<Response>, number][] = [
      [upload(null, PNG), 400],
      [upload('%E0%A4%A', PNG), 400],
      [upload('a', Buffer.alloc(0)), 400],
      [upload('a', Buffer.alloc(100_001)), 413],
    ]
    for (const [response, status] of cases) {
      expect((await response).status).toBe(status)
      expect((await (await response).json()).message.length).toBeGreaterThan(10)
    }
    expect(await readdir(join(chat.folder, 'files'))).toEqual([])
  })

  test('a body that hides its length is read no further than allowed', async () => {
    let read = 0
    const body = new ReadableStream({
      pull: (controller) => {
        read += 10_000
        controller.enqueue(new Uint8Array(10_000))
      },
    })
    const init = { method: 'POST', headers: { 'x-file-name': 'a' }, body, duplex: 'half' } as RequestInit
    expect((await http('/files', init)).status).toBe(413)
    expect(read).toBeLessThan(200_000)
  })

  test('a full store says so, and has room again when old files are gone', async () => {
    const big = Buffer.alloc(100_000, 'x')
    expect((await upload('1', big)).status).toBe(201)
    expect((await upload('2', big)).status).toBe(201)
    expect((await upload('3', big)).status).toBe(507)
    await chat.remove()
    chat = await openChat({ limits: { maxFolderBytes: 250_000, orphanFileMs: 0 } })
    const page = await FakePage.open(chat.adapter)
    const { id } = await (await upload('used', big)).json()
    await upload('unused', big)
    await page.command({
      type: 'send',
      user_id: 'u-1',
      chat: 'private:u-1',
      text: '',
      quote_id: null,
      attachments: [{ file_id: id }],
    })
    await chat.restart()
    await expect.poll(() => readdir(join(chat.folder, 'files'))).toEqual([id])
    expect((await http(`/files/${id}`)).status).toBe(200)
  })
})

test('types are read from the bytes', () => {
  expect(sniff(PNG).mime).toBe('image/png')
  expect(sniff(Buffer.from('RIFF0000WEBPVP8 ')).mime).toBe('image/webp')
  expect(sniff(Buffer.from('XXXX0000WEBPVP8 ')).mime).toBe('application/octet-stream')
  expect(sniff(Buffer.alloc(0)).view).toBe('file')
})

test('a data URL is base64 or nothing', () => {
  expect(decodeDataUrl('data:text/plain;base64,aGk=')?.toString()).toBe('hi')
  expect(decodeDataUrl('data:text/plain;base64,aGk')?.toString()).toBe('hi')
  for (const bad of ['data:text/plain,hi', 'data:text/plain;base64,a*b=', 'http://x', 'data:;base64,a']) {
    expect(decodeDataUrl(bad), bad).toBe(null)
  }
})
