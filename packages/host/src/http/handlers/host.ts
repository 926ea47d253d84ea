/** Endpoints of the host as a whole. */
import { existsSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { HOST_ENDPOINTS } from '@runbound/api'
import { StoreError } from '@runbound/store'
import { HostError } from '../../errors.ts'
import type { Handlers } from '../api-routes.ts'
import { shownBot } from '../views.ts'
import { runnersOf } from './plugins.ts'
import type { HandlerRooms } from './rooms.ts'

export function hostHandlers(rooms: HandlerRooms): Handlers<typeof HOST_ENDPOINTS> {
  const { identity, platforms, plugins, runs, store } = rooms
  return {
    status: async () => ({
      version: rooms.version,
      instance_uuid: identity.instance_uuid,
      workspace_uuid: identity.workspace_uuid,
      started_at: rooms.startedAt,
      runs_active: runs.active,
      plugins: [...plugins.list()],
      bots: (await platforms.bots()).map((bot) => shownBot(bot, platforms.status(bot.bot_uuid))),
      runners: runnersOf(plugins),
      platforms: [...rooms.platformNames],
      debug: await plugins.debugging(),
    }),
    inspect: async () => {
      const facts = await store.inspect()
      return { ...facts, rows: { ...facts.rows } }
    },
    backup: async ({ body }) => {
      // The host's own folder means nothing to the caller; and SQLite would read a name that begins with `file:` as a URI.
      if (!isAbsolute(body.file) || body.file.includes('\0'))
        throw new HostError(
          'invalid_config',
          'Name the file with its whole path on the host, such as /srv/backup/a.db.',
          {
            at: 'body.file',
          },
        )
      await store.backup(body.file).catch((error: unknown) => {
        // The file of the caller is at fault (taken, no such folder, not writable), and nothing was written.
        if (!StoreError.is(error) || error.code !== 'backup') throw error
        throw new HostError(existsSync(body.file) ? 'conflict' : 'invalid_config', `${error.message}.`, {
          at: 'body.file',
          cause: error,
        })
      })
      return { file: body.file, bytes: statSync(body.file).size }
    },
  }
}
