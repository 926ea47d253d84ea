/** Settings: of the person who looks, the API keys of the host, and the host itself. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Appearance } from './appearance.tsx'
import { HostFacts } from './host-facts.tsx'
import { Keys } from './keys.tsx'
import { Password } from './password.tsx'
import { SETTINGS_TABS } from './route.tsx'
import { Sessions } from './sessions.tsx'
import { usePageWords } from './words/words.ts'

export function SettingsPage(): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  const { tab = 'you' } = useSearch({ from: '/settings' })
  return (
    <>
      <PageHeader title={words.title} />
      <Tabs
        label={words.title}
        tabs={SETTINGS_TABS.map((value) => ({ value, label: words.tabs[value] }))}
        value={tab}
        onValue={(next) => void navigate({ to: '/settings', search: next === 'you' ? {} : { tab: next } })}
      >
        <PageBody measure>
          {tab === 'you' && (
            <>
              <Appearance />
              <Password />
              <Sessions />
            </>
          )}
          {tab === 'keys' && <Keys />}
          {tab === 'host' && <HostFacts />}
        </PageBody>
      </Tabs>
    </>
  )
}
