/** Where one can go: a rail at the left with icons and words; on phones a bar at the bottom. */
import { Link } from '@tanstack/react-router'
import { Ellipsis, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { PAGES } from '../pages/registry.ts'
import { cx } from '../parts/class-names.ts'
import { Menu } from '../parts/menu.tsx'
import { useWords } from '../words/words.ts'
import { AccountMenu, useAccountItems } from './account-menu.tsx'
import { LiveMark } from './live-mark.tsx'

/** Entries that fit beside "More" at 390 px. */
const ON_PHONES = 4
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

export interface RailProps {
  readonly onSearch: () => void
  /** Goes to a page from the phone's menu. */
  readonly onGo: (path: string) => void
}

export function Rail({ onSearch, onGo }: RailProps): ReactNode {
  const words = useWords()
  return (
    <>
      <nav
        aria-label={words.shell.navigation}
        className="flex min-h-0 flex-col border-line border-r bg-ground-soft max-wide:hidden"
      >
        <div className="flex h-[var(--head)] flex-none items-center gap-2 px-4">
          <img src="/console/icon.svg" alt="" className="size-5" />
          <span className="flex-1 font-semibold">{words.product}</span>
          <LiveMark />
        </div>
        <div className="px-2 pb-2">
          <button
            type="button"
            onClick={onSearch}
            className="quick flex h-8 w-full items-center gap-2 rounded-md border border-line bg-ground px-2 text-ink-soft hover:bg-ground-hover"
          >
            <Search className="icon" aria-hidden />
            <span className="flex-1 text-left">{words.shell.search}</span>
            <kbd aria-hidden>{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
        </div>
        <ul className="min-h-0 flex-1 overflow-y-auto px-2">
          {PAGES.map(({ id, path, icon: Icon }) => (
            <li key={id} className="mb-0.5">
              <Link
                to={path}
                activeOptions={{ exact: false, includeSearch: false }}
                className="quick flex h-8 items-center gap-2.5 rounded-md px-2 font-medium text-ink-soft hover:bg-ground-hover hover:text-ink data-[status=active]:bg-ground-hover data-[status=active]:text-ink"
              >
                <Icon className="icon" aria-hidden />
                {words.pages[id]}
              </Link>
            </li>
          ))}
        </ul>
        <div className="flex flex-none items-center p-2">
          <AccountMenu />
        </div>
      </nav>
      <BottomBar onSearch={onSearch} onGo={onGo} />
    </>
  )
}

const BAR_ENTRY =
  'flex h-14 w-full flex-col items-center justify-center gap-0.5 text-ink-soft text-xs focus-visible:outline-offset-[-2px]'

function BottomBar({ onSearch, onGo }: RailProps): ReactNode {
  const words = useWords()
  const account = useAccountItems()
  const rest = PAGES.slice(ON_PHONES)
  return (
    <nav
      aria-label={words.shell.navigation}
      className="order-last flex flex-none border-line border-t bg-ground-soft pb-[env(safe-area-inset-bottom)] wide:hidden"
    >
      {PAGES.slice(0, ON_PHONES).map(({ id, path, icon: Icon }) => (
        <Link
          key={id}
          to={path}
          activeOptions={{ exact: false, includeSearch: false }}
          className={cx(BAR_ENTRY, 'data-[status=active]:font-medium data-[status=active]:text-accent')}
        >
          <Icon className="size-5" strokeWidth={1.75} aria-hidden />
          {words.pages[id]}
        </Link>
      ))}
      <Menu
        label={words.shell.more}
        side="above"
        groups={[
          [
            { id: 'search', label: words.shell.search, icon: Search, run: onSearch },
            ...rest.map(({ id, path, icon }) => ({ id, label: words.pages[id], icon, run: () => onGo(path) })),
          ],
          ...account,
        ]}
      >
        {(trigger) => (
          <button type="button" {...trigger} className={BAR_ENTRY}>
            <Ellipsis className="size-5" strokeWidth={1.75} aria-hidden />
            {words.shell.more}
          </button>
        )}
      </Menu>
    </nav>
  )
}
