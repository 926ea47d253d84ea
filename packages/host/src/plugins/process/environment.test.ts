/** The pin of what a plugin process may see of the environment: whoever widens it changes this list, and is asked why. */
import { expect, test } from 'vitest'
import { PLUGIN_ENVIRONMENT, pluginEnvironment } from './environment.ts'

test('the allowlist', () => {
  expect([...PLUGIN_ENVIRONMENT]).toEqual([
    'LANG',
    'LC_ALL',
    'TZ',
    'PATH',
    'HOME',
    'TMPDIR',
    'NODE_COMPILE_CACHE',
    'NODE_NO_WARNINGS',
    'RUNBOUND_MARK',
    'LANGBOT_PLUGIN_REGISTRATION_CAPABILITY',
  ])
})

test('nothing else of the host gets through, and what is passed on is what the host has', () => {
  const own = {
    LANG: 'de_DE.UTF-8',
    TZ: 'Europe/Vienna',
    PATH: '/root/secret/bin',
    HOME: '/root',
    NODE_OPTIONS: '--require /tmp/evil.js',
    AWS_SECRET_ACCESS_KEY: 'x',
    RUNBOUND_DATA: '/data',
    LD_PRELOAD: '/tmp/evil.so',
    DBUS_SESSION_BUS_ADDRESS: 'x',
  }
  const options = { capability: 'c', home: '/home-of-it', tmp: '/tmp', compileCache: '/cache', mark: 'm' }
  expect(pluginEnvironment(options, own)).toEqual({
    LANG: 'de_DE.UTF-8',
    TZ: 'Europe/Vienna',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/home-of-it',
    TMPDIR: '/tmp',
    NODE_COMPILE_CACHE: '/cache',
    NODE_NO_WARNINGS: '1',
    RUNBOUND_MARK: 'm',
    LANGBOT_PLUGIN_REGISTRATION_CAPABILITY: 'c',
  })
})
