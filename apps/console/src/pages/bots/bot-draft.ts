/** A bot as it is edited: what is saved of it, and the same as YAML. */
import type { Input, Output } from '../../data/client.ts'
import type { FormItem } from '../../forms/items.ts'
import type { JsonObject } from '../../forms/json.ts'
import { cleanValues, type FaultWords, faultsOf, maskSecrets, unmaskSecrets } from '../../forms/values.ts'
import type { FormWords } from '../../forms/words/words.ts'
import { readSetupEntry, writeYaml, type YamlCodec } from '../../forms/yaml.ts'

export interface BotDraft {
  readonly name: string
  readonly platform: string
  readonly settings: JsonObject
  readonly admins: readonly string[]
  readonly enabled: boolean
}
export type BotInput = Input<'putBot'>['body']

/** What a stored bot is edited as. */
export function draftOf({ name, platform, settings, admins, enabled }: Output<'getBot'>): BotDraft {
  return { name, platform, settings, admins, enabled }
}

/** What is sent: a setting that was cleared goes as null, so that the stored one goes too. */
export function inputOf(draft: BotDraft, items: readonly FormItem[], botUuid?: string): BotInput {
  return {
    ...(botUuid === undefined ? {} : { bot_uuid: botUuid }),
    ...draft,
    settings: cleanValues(items, draft.settings),
    admins: draft.admins.map((id) => id.trim()).filter((id) => id !== ''),
  }
}

/** What is wrong before the host is asked, by path. */
export function botFaults(draft: BotDraft, items: readonly FormItem[], words: FaultWords): ReadonlyMap<string, string> {
  return new Map([
    ...(draft.name.trim() === '' ? [['name', words.needed] as const] : []),
    ...(draft.platform === '' ? [['platform', words.needed] as const] : []),
    ...[...faultsOf(items, draft.settings, words)].map(([name, fault]) => [`settings.${name}`, fault] as const),
  ])
}

/** As `runbound apply` takes it. */
export function botYaml(
  itemsOf: (platform: string) => readonly FormItem[],
  words: FormWords['yaml'],
): YamlCodec<BotDraft> {
  return {
    applies: true,
    write: ({ settings, admins, ...draft }) => {
      const given = Object.entries(maskSecrets(itemsOf(draft.platform), settings)).filter(([, value]) => value !== null)
      return writeYaml({
        bots: [
          {
            name: draft.name,
            platform: draft.platform,
            ...(given.length === 0 ? {} : { settings: Object.fromEntries(given) }),
            ...(admins.length === 0 ? {} : { admins }),
            enabled: draft.enabled,
          },
        ],
      })
    },
    read: (text, before) => {
      const read = readSetupEntry(text, 'bots', words)
      if (!read.ok) return read
      const { name, platform, settings, admins, enabled } = read.value
      // What the text leaves out of what was there is taken away: the form and the text say the same.
      const gone = Object.keys(before.settings).filter((key) => !(key in settings))
      const cleared = Object.fromEntries(gone.map((key) => [key, null]))
      const kept = unmaskSecrets(itemsOf(platform), before.settings, settings)
      return {
        ok: true,
        value: {
          name,
          platform,
          settings: platform === before.platform ? { ...cleared, ...kept } : kept,
          admins: admins ?? [],
          enabled,
        },
      }
    },
  }
}
