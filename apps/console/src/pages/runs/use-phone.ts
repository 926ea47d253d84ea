/** Whether the page is as narrow as a phone: rows of virtual lists need their height before they are drawn. */
import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(width < 761px)')

export function usePhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
