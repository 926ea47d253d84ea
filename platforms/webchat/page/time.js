/** Times as people say them, kept true while they stand on the page; the exact one on hover. */
import { el } from './dom.js'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

/**
 * @param {number} at Epoch milliseconds.
 * @param {number} [now]
 */
export function timeText(at, now = Date.now()) {
  const seconds = Math.round((now - at) / 1000)
  if (seconds < 45) return 'just now'
  if (seconds < 3600) return relative.format(-Math.max(1, Math.round(seconds / 60)), 'minute')
  return sameDay(at, now) ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`
}

/**
 * @param {number} at Epoch milliseconds.
 * @param {string} [className]
 */
export function timeNode(at, className = 'time') {
  return el(
    'time',
    {
      class: className,
      attrs: { datetime: new Date(at).toISOString(), title: exact.format(at) },
      data: { at: String(at) },
    },
    timeText(at),
  )
}

/** Rewrites every time on the page. */
export function refreshTimes() {
  for (const node of document.querySelectorAll('time[data-at]')) {
    if (node instanceof HTMLElement) node.textContent = timeText(Number(node.dataset.at))
  }
}

/**
 * The heading of a day: `Today`, `Yesterday` or the date.
 * @param {number} at
 * @param {number} [now]
 */
export function dayText(at, now = Date.now()) {
  if (sameDay(at, now)) return 'Today'
  if (sameDay(at, now - 86_400_000)) return 'Yesterday'
  return day.format(at)
}

/**
 * @param {number} a
 * @param {number} b
 */
export function sameDay(a, b) {
  return new Date(a).toDateString() === new Date(b).toDateString()
}
