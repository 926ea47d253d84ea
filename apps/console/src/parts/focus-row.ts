/** Moves the keyboard to a row of a virtual list: at once where it is drawn, so that an Enter right after an arrow is its. */
export function focusRow(list: HTMLElement | null, index: number): void {
  const take = (): boolean => {
    const link = list?.querySelector<HTMLElement>(`[data-index="${index}"] :is(a,button)`)
    link?.focus({ preventScroll: true })
    return link != null
  }
  if (!take()) requestAnimationFrame(take)
}
