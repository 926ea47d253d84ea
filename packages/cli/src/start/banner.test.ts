/** What `start` prints can be pasted: it reaches the host that printed it. */
import { expect, test } from 'vitest'
import { dataFolder } from '../place/installation.ts'
import { banner, type Ready } from './banner.ts'

const ready: Ready = {
  event: 'ready',
  url: 'http://127.0.0.1:5555',
  login_url: null,
  data: dataFolder(undefined, {}),
  pid: 1,
  first_start: true,
  ms: 10,
  path_hint: null,
}

test.each([
  ['the default folder', ready.data, 'runbound dev hello\n'],
  ['another folder', '/tmp/mine', 'runbound dev hello --data /tmp/mine\n'],
  ['a folder that a shell would split', "/tmp/it's mine", "runbound dev hello --data '/tmp/it'\\''s mine'\n"],
])('the next command of a host on %s', (_what, data, command) => {
  expect(banner({ ...ready, data })).toContain(command)
})
