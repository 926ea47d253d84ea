/** Theme and language of this browser. */
import type { ReactNode } from 'react'
import { setTheme, THEMES, useTheme } from '../../look/theme.ts'
import { Field, Select } from '../../parts/field.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { LANGUAGE_NAMES, LANGUAGES, setLanguage, useLanguage } from '../../words/languages.ts'
import { useWords } from '../../words/words.ts'
import { usePageWords } from './words/words.ts'

export function Appearance(): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const theme = useTheme()
  const shown = useLanguage()
  return (
    <Section title={words.appearance} about={words.storedHere}>
      <Card className="grid gap-4 p-4 wide:grid-cols-2">
        <Field label={words.theme}>
          {(control) => (
            <Select
              {...control}
              value={theme}
              onValue={setTheme}
              choices={THEMES.map((value) => ({ value, label: shell.themes[value] }))}
            />
          )}
        </Field>
        <Field label={words.language}>
          {(control) => (
            <Select
              {...control}
              value={shown}
              onValue={setLanguage}
              choices={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
            />
          )}
        </Field>
      </Card>
    </Section>
  )
}
