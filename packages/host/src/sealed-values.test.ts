/** Sealed settings: what opens, and where. The whole way is in tests/cli/secrets.test.ts. */
import { expect, test } from 'vitest'
import { createSealer } from './identity/secrets.ts'
import { openValues, sealValues } from './sealed-values.ts'

test('what was written before secrets were sealed is read; a sealed text that was moved does not open', () => {
  const secrets = createSealer(null)
  expect(openValues({ token: 'plain', n: 1 }, 'plugins/a', secrets)).toEqual({
    values: { token: 'plain', n: 1 },
    unreadable: {},
  })
  const stored = sealValues({ token: 'x', empty: '', n: 1 }, new Set(['token', 'empty', 'n']), 'plugins/a', secrets)
  expect(JSON.stringify(stored)).not.toContain('"x"')
  expect(openValues(stored, 'plugins/a', secrets).values).toEqual({ token: 'x', empty: '', n: 1 })
  expect(Object.keys(openValues(stored, 'plugins/b', secrets).unreadable)).toEqual(['token'])
  expect(() => sealValues({ $sealed: 1 }, new Set(), 'plugins/a', secrets)).toThrow(/can't be called "\$sealed"/)
})
