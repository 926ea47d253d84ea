/** How far into the run an entry lies, short enough for its narrow column whatever the run's length. */

const two = (part: number): string => String(part).padStart(2, '0')

/** Milliseconds since the first entry: "+7 ms", "+1.20 s", "+12:30", "+1:02:30", "+3 d 04 h". */
export function sinceText(ms: number): string {
  if (ms < 1_000) return `+${Math.round(ms)} ms`
  if (ms < 60_000) return `+${(Math.floor(ms / 10) / 100).toFixed(2)} s`
  const seconds = Math.floor(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours >= 24) return `+${Math.floor(hours / 24)} d ${two(hours % 24)} h`
  return hours > 0 ? `+${hours}:${two(minutes)}:${two(seconds % 60)}` : `+${minutes}:${two(seconds % 60)}`
}
