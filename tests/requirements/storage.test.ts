import { describe, expect, test } from 'vitest'
import { onEveryTransport } from './transports.ts'

const bytes = (...values: number[]) => ({ bytes: values })

onEveryTransport(
  (bench) => {
    test('[storage.bytes] values are bytes that come back unchanged, whatever they are', async () => {
      const { value } = await (await bench().chat()).play('everyByte')
      expect(value).toEqual({ isBytes: true, length: 70_000, same: true, empty: 0 })
    })

    describe('of the plugin', () => {
      test('[storage.plugin.set-get] read by another run of the same plugin, and by no other plugin', async () => {
        const [one, two, other] = [
          await bench().chat(),
          await bench().chat(),
          await bench().chat({ runner: 'other/other' }),
        ]
        const key = crypto.randomUUID()
        expect((await one.play('storePlugin', { key, ...bytes(0, 1, 255) })).error).toBeNull()
        expect((await two.play('readPlugin', { key })).value).toEqual(bytes(0, 1, 255))
        expect((await other.play('readPlugin', { key })).error).toMatchObject({
          kind: 'AgentAPIException',
          reason: 'not_found',
        })
        // The other plugin's value of the same key is its own.
        await other.play('storePlugin', { key, ...bytes(9) })
        expect((await other.play('readPlugin', { key })).value).toEqual(bytes(9))
        expect((await one.play('readPlugin', { key })).value).toEqual(bytes(0, 1, 255))
      })

      test('[storage.plugin.keys] [storage.plugin.delete] the keys that are there and no others; deleted ones are gone', async () => {
        const [chat, other] = [await bench().chat(), await bench().chat({ runner: 'other/other' })]
        const mine = [crypto.randomUUID(), crypto.randomUUID()]
        const before = (await chat.play('pluginKeys')).value as string[]
        for (const key of mine) await chat.play('storePlugin', { key, ...bytes(1) })
        await other.play('storePlugin', { key: 'of the other', ...bytes(1) })
        const after = (await chat.play('pluginKeys')).value as string[]
        expect([...after].sort()).toEqual([...before, ...mine].sort())
        await chat.play('dropPlugin', { key: mine[0] ?? '' })
        expect(((await chat.play('pluginKeys')).value as string[]).sort()).toEqual([...before, mine[1] ?? ''].sort())
        expect((await chat.play('readPlugin', { key: mine[0] ?? '' })).error).toMatchObject({ reason: 'not_found' })
        expect((await chat.play('readPlugin', { key: mine[1] ?? '' })).value).toEqual(bytes(1))
      })
    })

    describe('of the workspace', () => {
      test('[storage.workspace.set-get] read by another plugin of the same workspace', async () => {
        const [one, other] = [await bench().chat(), await bench().chat({ runner: 'other/other' })]
        const key = crypto.randomUUID()
        await one.play('storeWorkspace', { key, ...bytes(7, 8) })
        expect((await other.play('readWorkspace', { key })).value).toEqual(bytes(7, 8))
        await other.play('storeWorkspace', { key, ...bytes(9) })
        expect((await one.play('readWorkspace', { key })).value).toEqual(bytes(9))
        // Neither is it the plugin's own storage.
        expect((await one.play('readPlugin', { key })).error).toMatchObject({ reason: 'not_found' })
      })

      test('[storage.workspace.keys] [storage.workspace.delete] the keys that are there and no others; deleted ones are gone', async () => {
        const chat = await bench().chat()
        const mine = [crypto.randomUUID(), crypto.randomUUID()]
        const before = (await chat.play('workspaceKeys')).value as string[]
        for (const key of mine) await chat.play('storeWorkspace', { key, ...bytes(1) })
        await chat.play('storePlugin', { key: 'of the plugin', ...bytes(1) })
        expect(((await chat.play('workspaceKeys')).value as string[]).sort()).toEqual([...before, ...mine].sort())
        await chat.play('dropWorkspace', { key: mine[0] ?? '' })
        expect(((await chat.play('workspaceKeys')).value as string[]).sort()).toEqual([...before, mine[1] ?? ''].sort())
        expect((await chat.play('readWorkspace', { key: mine[0] ?? '' })).error).toMatchObject({ reason: 'not_found' })
      })
    })

    test('[storage.same-as-self-plugin] ctx.api and ctx.host (self.plugin) work on the same data', async () => {
      const { value, error } = await (await bench().chat()).play('storageDoors')
      expect(error).toBeNull()
      const { read, keys, gone } = Object(value)
      expect(read).toEqual([bytes(1), bytes(2)])
      expect(keys[0]).toEqual(keys[1])
      expect(keys[0]).toContain('door')
      expect(gone).toMatchObject([{ error: { reason: 'not_found' } }, { error: { reason: 'not_found' } }])
    })

    test('without the grant neither is read nor written', async () => {
      const chat = await bench().chat({ grants: { storage: { plugin: false, workspace: false } } })
      const key = crypto.randomUUID()
      for (const scene of ['storePlugin', 'storeWorkspace', 'readPlugin', 'readWorkspace'])
        expect((await chat.play(scene, { key, ...bytes(1) })).error, scene).toMatchObject({ code: 'permission_denied' })
      const granted = await bench().chat()
      expect((await granted.play('readPlugin', { key })).error).toMatchObject({ reason: 'not_found' })
      expect((await granted.play('readWorkspace', { key })).error).toMatchObject({ reason: 'not_found' })
    })
  },
  { plugins: ['probe', 'other'] },
)
