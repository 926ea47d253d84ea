import { expect, test } from 'vitest'
import { createLogger } from './log.ts'

function lines(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const out: string[] = []
  write(createLogger({ destination: { write: (line: string) => void out.push(line) } }))
  return out.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('secrets are hidden by name and by look, also deep inside and in errors of callers', () => {
  const [line] = lines((log) =>
    log
      .child({ bot_uuid: 'b-1' })
      .info(
        { settings: { api_key: 'k-1', list: [{ Authorization: 'x' }] }, note: 'Bearer abcdefghijkl' },
        'key rbk_abcdefghijkl used',
      ),
  )
  expect(JSON.stringify(line)).not.toMatch(/k-1|abcdefghijkl|"x"/)
  expect(line).toMatchObject({
    level: 'info',
    bot_uuid: 'b-1',
    msg: 'key [hidden] used',
    settings: { api_key: '[hidden]' },
  })
})

test('an error is written with its cause and its type', () => {
  const [line] = lines((log) => log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed'))
  expect(line).toMatchObject({ level: 'error', err: { message: expect.stringContaining('outer') } })
  expect(JSON.stringify(line)).toContain('inner')
})
