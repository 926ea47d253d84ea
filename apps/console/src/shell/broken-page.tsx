/** What stands in the place of a page that failed, and of one that does not exist. The rail stays usable. */
import { ApiError } from '@runbound/api'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Compass, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../parts/button.tsx'
import { Empty } from '../parts/states.tsx'
import { useWords } from '../words/words.ts'

export function BrokenPage({ error, reset }: ErrorComponentProps): ReactNode {
  const words = useWords()
  return (
    <div role="alert" className="flex flex-1 flex-col">
      <Empty
        icon={TriangleAlert}
        title={words.failures.title}
        action={
          <>
            <Button kind="primary" onClick={reset}>
              {words.failures.retry}
            </Button>
            <Button onClick={() => location.reload()}>{words.failures.reload}</Button>
          </>
        }
      >
        <p>{error instanceof Error ? error.message : String(error)}</p>
        {ApiError.is(error) && (
          <p>
            <code>{error.code}</code> {error.at !== null && words.failures.where(error.at)}
          </p>
        )}
      </Empty>
    </div>
  )
}

export function NoSuchPage(): ReactNode {
  const words = useWords()
  return (
    <Empty
      icon={Compass}
      title={words.failures.notFound}
      action={
        <Link to="/chats" className={buttonClass('primary')}>
          {words.failures.toChats}
        </Link>
      }
    >
      {words.failures.notFoundAbout}
    </Empty>
  )
}
