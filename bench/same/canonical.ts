import { createHash } from 'node:crypto'

/** Fields that differ from run to run: how long something took, and the random handle of an `open`. */
const OF_THIS_RUN = new Set(['elapsedMs', 'from'])

/**
 * An answer as text, the same for equal answers: keys in the order of the alphabet, numbers exact, absent fields left
 * out. Fields that differ from run to run are left out.
 */
export function canonical(value: unknown): string {
  return JSON.stringify(plain(value)) ?? 'undefined'
}

function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return `bytes ${hashOf(value)}`
  if (ArrayBuffer.isView(value)) return [...(value as Float32Array)].map(plain)
  if (Array.isArray(value)) return value.map(plain)
  const entries = Object.entries(value).filter(([key, field]) => field !== undefined && !isOfThisRun(key, field))
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, plain(field)]))
}

/** `from` of a change is a handle; `from` of a period or of a change of state is an answer. */
function isOfThisRun(key: string, field: unknown): boolean {
  return OF_THIS_RUN.has(key) && (typeof field === 'number' || String(field).startsWith('ha_'))
}

/** The first 32 digits of the SHA-256 of a text or of bytes. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}
