/** Backups: what goes in comes out, other programs can read it, and nothing else is taken for one. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Packed, readArchive, writeArchive } from './archive.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-archive-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, bytes: Buffer, mode = 0o600): Packed {
  const path = join(folder, `source-${name.replaceAll('/', '_').slice(-60)}`)
  writeFileSync(path, bytes)
  return { file: path, name, size: bytes.length, mode }
}

test('files of every size come back with their names and modes; tar lists them, too', async () => {
  const long = `${'folder/'.repeat(18)}${'n'.repeat(90)}`
  const packed = [
    file('empty', Buffer.alloc(0)),
    file('a/one', Buffer.from('x'), 0o444),
    file('block', Buffer.alloc(512, 7)),
    file('large', Buffer.alloc(3 * 1024 * 1024 + 17, 9)),
    file('größe/naïve', Buffer.from('ü')),
    file(long, Buffer.from('long')),
  ]
  const archive = join(folder, 'b.tar')
  const bytes = await writeArchive(archive, packed)
  expect(statSync(archive)).toMatchObject({ size: bytes })
  expect(statSync(archive).mode & 0o777).toBe(0o600)
  const out = join(folder, 'out')
  expect(await readArchive(archive, out)).toEqual(packed.map(({ name }) => name))
  for (const { name, file: source, mode } of packed) {
    expect(readFileSync(join(out, name)).equals(readFileSync(source))).toBe(true)
    expect(statSync(join(out, name)).mode & 0o777).toBe(mode)
  }
  const listed = spawnSync('tar', ['tf', archive], {
    encoding: 'utf8',
    env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH },
  })
  if (listed.error === undefined) expect(listed.stdout.trim().split('\n')).toHaveLength(packed.length)
})

test('a file that grows or shrinks while it is copied keeps the size that was written before it', async () => {
  const grown = { ...file('grown', Buffer.from('12345')), size: 3 }
  const shrunk = { ...file('shrunk', Buffer.from('12')), size: 4 }
  const archive = join(folder, 'b.tar')
  await writeArchive(archive, [grown, shrunk])
  const out = join(folder, 'out')
  await readArchive(archive, out)
  expect(readFileSync(join(out, 'grown'), 'utf8')).toBe('123')
  expect(readFileSync(join(out, 'shrunk'), 'utf8')).toBe('12\0\0')
})

test.each(['../outside', '/outside', 'a/../../outside', 'a//b'])(
  'a name that leads elsewhere is refused: %s',
  async (name) => {
    const archive = join(folder, 'b.tar')
    await writeArchive(archive, [file(name, Buffer.from('x'))])
    await expect(readArchive(archive, join(folder, 'out', 'in'))).rejects.toThrow(/no usable backup/)
    expect(existsSync(join(folder, 'out', 'outside'))).toBe(false)
  },
)

test('a cut or changed archive, a link in it, and anything else are refused', async () => {
  const archive = join(folder, 'b.tar')
  await writeArchive(archive, [file('one', Buffer.alloc(2000, 1))])
  const whole = readFileSync(archive)
  const link = Buffer.from(whole)
  link.write('2', 156)
  for (const bytes of [whole.subarray(0, 700), whole.subarray(0, 100), link, Buffer.alloc(600, 65), Buffer.alloc(0)]) {
    writeFileSync(archive, bytes)
    await expect(readArchive(archive, mkdtempSync(join(folder, 'out-')))).rejects.toThrow(/no usable backup/)
  }
})

test('a name that is too long for a backup is said so', async () => {
  const archive = join(folder, 'b.tar')
  await expect(writeArchive(archive, [file('n'.repeat(300), Buffer.from('x'))])).rejects.toThrow(/too long/)
})
