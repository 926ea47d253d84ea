/** The components of a plugin as its manifest declares them. A manifest is a stranger's: nothing of its shape is taken for granted. */
import type { Language } from '../../words/languages.ts'

export interface Component {
  readonly kind: string
  readonly name: string
  readonly label: string
  readonly about: string | null
  readonly usages: readonly string[]
  readonly events: readonly string[]
}

const LOCALES: Readonly<Record<Language, readonly string[]>> = {
  en: ['en_US'],
  'zh-Hans': ['zh_Hans', 'zh_CN', 'en_US'],
  ja: ['ja_JP', 'en_US'],
}

/** What a plugin says of itself, and its components in the order of the manifest. */
export function componentsOf(
  manifest: unknown,
  language: Language,
): { readonly about: string | null; readonly components: readonly Component[] } {
  const components = at(manifest, 'components')
  return {
    about: localText(at(at(at(manifest, 'manifest'), 'metadata'), 'description'), language),
    components: (Array.isArray(components) ? components : []).map((component: unknown) => {
      const [metadata, spec] = [at(component, 'metadata'), at(component, 'spec')]
      const name = String(at(metadata, 'name') ?? '')
      return {
        kind: String(at(component, 'kind') ?? ''),
        name,
        label: localText(at(metadata, 'label'), language) ?? name,
        about: localText(at(metadata, 'description'), language),
        usages: texts(at(spec, 'usages')),
        events: texts(at(spec, 'events')),
      }
    }),
  }
}

function localText(value: unknown, language: Language): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  const found = LOCALES[language]
    .map((locale) => at(value, locale))
    .find((text) => typeof text === 'string' && text !== '')
  return typeof found === 'string' ? found : null
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
