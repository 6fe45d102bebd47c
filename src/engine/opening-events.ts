import type { StorageEvent } from '../api/stats.js'
import type { Kernel } from '../kernel/port.js'
import type { Restorer } from './restore.js'

/** Whether the console of this thread was told of a slow kernel. */
let warned = false

/** What opening reports of the memory that it found, and of the kernel that runs. */
export function openingEvents({ encoded, damage }: Restorer, kernel: Kernel): StorageEvent[] {
  return [...reencoded(encoded), ...madeAgain(damage), ...slowKernel(kernel)]
}

/** Signatures were of another version of the encoder or another codebook, or left out for want of one. */
function reencoded(episodes: number): StorageEvent[] {
  if (episodes === 0) return []
  const message =
    `the signatures of ${episodes} episodes were made by another version of agidb or without its codebook; ` +
    'they were made again in memory'
  return [{ kind: 're-encoded', message, details: { episodes } }]
}

/** The checkpoint is damaged. */
function madeAgain(damage: unknown): StorageEvent[] {
  if (damage === undefined) return []
  const message = 'what was kept of the indexes is damaged; they were made again from the episodes, and nothing is lost'
  return [
    { kind: 'index-damaged', message, details: { reason: damage instanceof Error ? damage.message : String(damage) } },
  ]
}

/** The TypeScript kernel runs though nobody asked for it; the console is told once. */
function slowKernel({ fallback }: Kernel): StorageEvent[] {
  if (fallback === undefined) return []
  const message =
    'the TypeScript kernel runs, with the same answers but many times slower, ' +
    `because the WebAssembly kernel cannot be used: ${fallback}`
  if (!warned) console.warn(`agidb: ${message}`)
  warned = true
  return [{ kind: 'slow-kernel', message }]
}
