/** `dev` says what works here and would be refused under an operator's default grant. */
import { expect, test } from 'vitest'
import { grantsLine, needsYes } from './grants-line.ts'

const asking = (permissions: object) => ({
  manifest: {
    components: [
      { kind: 'Runner', spec: { permissions: {} } },
      { kind: 'Runner', spec: { permissions } },
    ],
  },
})

test.each([
  ['nothing', {}, []],
  ['what the default has', { storage: ['plugin'], history: ['page'], tools: ['detail'] }, []],
  ['tools', { tools: ['call'] }, ['tools other than event_reply']],
  [
    'all of it',
    { storage: ['plugin', 'workspace'], knowledge_bases: ['retrieve'], models: ['invoke'], tools: ['detail', 'call'] },
    ['tools other than event_reply', 'models that its settings do not name', 'knowledge bases', 'workspace storage'],
  ],
])('a plugin that asks for %s', (_what, permissions, things) => {
  expect(needsYes(asking(permissions))).toEqual(things)
})

test('one line, and none where the default is enough', () => {
  expect(grantsLine('', [])).toEqual([])
  const [line, ...more] = grantsLine('Grants ', ['knowledge bases', 'workspace storage'])
  expect(more).toEqual([])
  expect(line).toMatch(/^Grants .*operator's yes: knowledge bases, workspace storage \(docs\/apply\.md.*--grant\)$/)
})
