/** Settings of the person who looks: appearance, password, sessions; and the keys of the host. */
import type { ReactNode } from 'react'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Appearance } from './appearance.tsx'
import { usePageWords } from './words/words.ts'

export function SettingsPage(): ReactNode {
  const words = usePageWords()
  return (
    <>
      <PageHeader title={words.title} />
      <PageBody measure>
        <Appearance />
      </PageBody>
    </>
  )
}
