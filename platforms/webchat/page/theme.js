/** Light, dark, or as the system says; remembered in the browser. */
import { openMenu } from './popover.js'

const KEY = 'runbound-theme'
const CHOICES = /** @type {const} */ ([
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
])

function current() {
  try {
    return localStorage.getItem(KEY) ?? 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme() {
  show()
  // The console around this page, or another tab of it, has chosen.
  window.addEventListener('storage', (event) => {
    if (event.key === KEY) show()
  })
}

function show() {
  const theme = current()
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
}

/** @param {HTMLElement} anchor */
export function chooseTheme(anchor) {
  const chosen = current()
  openMenu(
    anchor,
    'Light or dark',
    CHOICES.map(({ value, label }) => ({
      label,
      checked: value === chosen,
      run: () => {
        try {
          localStorage.setItem(KEY, value)
        } catch {
          // Without storage the choice lasts until the page is left.
        }
        if (value === 'system') delete document.documentElement.dataset.theme
        else document.documentElement.dataset.theme = value
      },
    })),
  )
}
