/**
 * A link for rows of long lists. The router's own asks the whole router about each of them, which costs milliseconds a row;
 * this one is a plain link that goes without loading the page anew.
 */
import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react'

export interface RowLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** Within the console, with its search: `/runs/<id>?entry=...`. */
  readonly to: string
  /** Takes the place of the present address: "back" leads to what was before it. */
  readonly replace?: boolean
}

export function RowLink({ to, replace = false, children, ...rest }: RowLinkProps): ReactNode {
  const router = useRouter()
  const href = `${router.basepath === '/' ? '' : router.basepath}${to}`
  function go(event: MouseEvent): void {
    // A new tab or window is the browser's own matter.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (replace) router.history.replace(href)
    else router.history.push(href)
  }
  return (
    <a {...rest} href={href} onClick={go}>
      {children}
    </a>
  )
}

/** `?a=b&c=d` of what is set; empty where nothing is. */
export function searchText(search: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? '' : `?${query}`
}
