/** A web chat bot's own page, in the place of a conversation: say something and see what comes back. */
import { ArrowLeft, ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { buttonClass, IconButton } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { useWords } from '../../words/words.ts'
import { usePageWords } from './words/words.ts'

export interface TryItProps {
  readonly bot: { readonly bot_uuid: string; readonly name: string }
  readonly onBack: () => void
}

/** The page shares this one's origin: it reads the same stored theme, and follows when it changes. */
export function TryIt({ bot, onBack }: TryItProps): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const [loaded, setLoaded] = useState(false)
  const address = `/bots/${encodeURIComponent(bot.bot_uuid)}/`
  return (
    <section aria-label={words.tryBot(bot.name)} className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-[var(--head)] flex-none items-center gap-2 border-line border-b px-4 py-1.5 max-wide:px-3">
        <IconButton icon={ArrowLeft} label={shell.parts.back} onClick={onBack} className="-ml-2 wide:hidden" />
        <h2 className="min-w-0 truncate font-semibold text-[15px]">{words.tryBot(bot.name)}</h2>
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          aria-label={words.ownTab}
          title={words.ownTab}
          className={cx(buttonClass('quiet'), 'ml-auto !w-8 !px-0')}
        >
          <ExternalLink className="icon" aria-hidden />
        </a>
      </header>
      <iframe
        src={address}
        title={words.tryBot(bot.name)}
        onLoad={() => setLoaded(true)}
        className={cx('min-h-0 w-full flex-1 border-0 bg-ground', !loaded && 'invisible')}
      />
    </section>
  )
}
