/** Theme, language, sign out: under one button at the foot of the rail. */
import { LogOut, Monitor, Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { client } from '../data/client.ts'
import { setTheme, THEMES, useTheme } from '../look/theme.ts'
import { IconButton } from '../parts/button.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { notify } from '../parts/toasts.tsx'
import { LANGUAGE_NAMES, LANGUAGES, setLanguage, useLanguage } from '../words/languages.ts'
import { useWords, type Words } from '../words/words.ts'

export const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon } as const

/** The groups of the menu, for the rail and for the sheet of a phone. */
export function useAccountItems(): readonly (readonly MenuItem[])[] {
  const words = useWords()
  const theme = useTheme()
  const language = useLanguage()
  return [
    THEMES.map((one) => ({
      id: `theme-${one}`,
      label: words.themes[one],
      icon: THEME_ICONS[one],
      checked: one === theme,
      run: () => setTheme(one),
    })),
    LANGUAGES.map((one) => ({
      id: `language-${one}`,
      label: LANGUAGE_NAMES[one],
      checked: one === language,
      run: () => setLanguage(one),
    })),
    [{ id: 'sign-out', label: words.shell.signOut, icon: LogOut, run: () => void signOut(words) }],
  ]
}

export function AccountMenu(): ReactNode {
  const words = useWords()
  const theme = useTheme()
  return (
    <Menu label={words.shell.account} groups={useAccountItems()} side="above" align="start">
      {(trigger) => <IconButton icon={THEME_ICONS[theme]} label={words.shell.account} {...trigger} />}
    </Menu>
  )
}

async function signOut(words: Words): Promise<void> {
  try {
    await client.signOut()
    location.assign('/console/')
  } catch (error) {
    notify({ tone: 'danger', text: error instanceof Error ? error.message : words.failures.unreachable })
  }
}
