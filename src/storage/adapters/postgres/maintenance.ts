import type { StorageMaintenance, StoredEpisode, VerifyVisitor } from '../../../api/storage.js'
import { AgidbError } from '../../../base/errors.js'
import { pace } from '../../../base/pace.js'
import type { KeptCheckpoint } from './checkpoint.js'
import { rowsOf, type PostgresDriver } from './driver.js'
import type { Nearest } from './nearest.js'
import { PAGE, type Reader } from './reader.js'

/** What the maintenance needs of an open memory. */
interface OpenMemory {
  readonly driver: PostgresDriver
  readonly reader: Reader
  readonly checkpoint: KeptCheckpoint
  /** Present where the server searches. */
  readonly nearest?: Nearest
  /** Makes the bits that it searches again. */
  refillBits(): Promise<void>
  /** Refuses what is closed, and tells what is deleted. */
  whileOpen<T>(work: () => Promise<T>): Promise<T>
  /** The content that is valid, and the live slots of it. */
  current(): { readonly content: number; readonly slots: readonly number[] }
}

/** The compaction and the verification of a memory. */
export function maintenanceOf(memory: OpenMemory): StorageMaintenance {
  const { driver, checkpoint, nearest, whileOpen, refillBits, current } = memory
  return {
    // For all memories, since rows of several share the pages of a table.
    compact: () =>
      whileOpen(async () => {
        await rowsOf(driver, 'vacuum agidb_episode, agidb_signature, agidb_checkpoint, agidb_bits')
      }),
    // PostgreSQL frees by itself what was removed.
    garbage: () => undefined,
    verify: (visitor) => whileOpen(() => verify(memory, visitor)),
    repair: (codes) =>
      whileOpen(async () => {
        if (!codes.includes('image-damaged')) return
        await checkpoint.remove()
        if (((await nearest?.wrong(current().content)) ?? 0) > 0) await refillBits()
      }),
  }
}

async function verify({ reader, checkpoint, nearest, current }: OpenMemory, visitor: VerifyVisitor): Promise<void> {
  const { findings } = visitor
  const { content, slots } = current()
  const rest = pace()
  findings.checked.bytes += await reader.bytes()
  for (let at = 0; at < slots.length; at += PAGE) {
    await verifyRows(reader, content, slots.slice(at, at + PAGE), visitor)
    await rest()
  }
  await checkpoint.verify(visitor)
  const wrong = (await nearest?.wrong(content)) ?? 0
  if (wrong === 0) return
  const message = `${wrong} signatures that PostgreSQL searches are not as they are stored; they will be made again`
  findings.add('image-damaged', 'none', message, { part: 'agidb_bits' }, wrong)
}

/** Visits the rows of slots. Where one cannot be read, each is read by itself. */
async function verifyRows(
  reader: Reader,
  content: number,
  slots: readonly number[],
  visitor: VerifyVisitor,
): Promise<void> {
  const { findings, visit } = visitor
  let found: ReadonlyMap<number, StoredEpisode>
  try {
    found = await reader.episodes(content, slots)
  } catch (error) {
    if (!(error instanceof AgidbError) || error.code !== 'AGIDB_CORRUPT') throw error
    if (slots.length === 1) findings.add('row-unreadable', 'loss', error.message, { slot: slots[0] })
    else for (const slot of slots) await verifyRows(reader, content, [slot], visitor)
    return
  }
  for (const slot of slots) {
    const episode = found.get(slot)
    if (episode === undefined) {
      findings.add('row-unreadable', 'loss', `the row in slot ${slot} is gone`, { slot })
      continue
    }
    visit(episode)
    findings.checked.rows++
  }
}
