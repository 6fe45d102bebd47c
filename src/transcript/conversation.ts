/**
 * The session of an exported conversation: its title with the beginning of its id, because titles repeat
 * (`Dinner in Bandra (6f1c2a9e)`).
 */
export function sessionOf(title: string | undefined, id: string | undefined): string {
  const short = title === undefined ? undefined : [...title.trim()].slice(0, 120).join('')
  if (short && id) return `${short} (${id.slice(0, 8)})`
  return short || id || 'conversation'
}
