import { decodeEpisode, encodeEpisode } from '../../records/kinds/episode.js'
import { type Superseding, type Tombstone, tombstoneKind } from '../../records/kinds/tombstone.js'
import type { MemoryContext } from '../context.js'
import type { Placed } from './live-set.js'
import type { Tombstones } from './tombstones.js'

/** What a restoring changes of other rows, because of who superseded whom. */
export interface Mended {
  /** The restored episodes, as they come back. */
  readonly restored: readonly Placed[]
  /** Live episodes that are superseded again. */
  readonly superseded: readonly Placed[]
  /** Tombstones that stay, and say something else. */
  readonly tombstones: ReadonlyMap<number, Tombstone>
}

/** An episode that comes back, and what its tombstone says beside. */
export interface Returning extends Placed {
  readonly supersedes: readonly Superseding[]
}

/**
 * Puts supersessions back as they were. An episode that one of the returning ones had superseded is so again, unless
 * another one has superseded it since; while it is forgotten itself, its tombstone remembers. A returning episode whose
 * successor is still forgotten is superseded once that one comes back.
 */
export async function mended(
  { indexes: { catalog }, rows }: Pick<MemoryContext, 'indexes' | 'rows'>,
  tombstones: Tombstones,
  returning: readonly Returning[],
): Promise<Mended> {
  const ids = new Set(returning.map(({ episode }) => episode.id))
  const changed = new Map<number, Tombstone>()
  const superseded: Placed[] = []
  const restored: Placed[] = []
  const tombstone = async (slot: number) => changed.get(slot) ?? tombstoneKind.decode((await rows([slot]))[0]!)
  const forgotten = new Map(tombstones.all().flatMap(({ id, slot, isEpisode }) => (isEpisode ? [[id, slot]] : [])))
  for (const { slot, episode } of returning) {
    const { superseded: how, ...rest } = episode
    if (how === undefined || ids.has(how.by) || catalog.slot(how.by) !== undefined) {
      restored.push({ slot, episode })
      continue
    }
    restored.push({ slot, episode: rest })
    const successor = forgotten.get(how.by)
    if (successor === undefined) continue
    const other = await tombstone(successor)
    const { at, recordedAt } = how
    changed.set(successor, { ...other, supersedes: [...other.supersedes, { slot, at, recordedAt }] })
  }
  for (const { episode: by, supersedes } of returning) {
    for (const { slot, at, recordedAt } of supersedes) {
      const again = { by: by.id, at, recordedAt }
      if (tombstones.at(slot) !== undefined) {
        const other = await tombstone(slot)
        const episode = decodeEpisode(other.row)
        if (episode.superseded === undefined)
          changed.set(slot, { ...other, row: encodeEpisode({ ...episode, superseded: again }) })
      } else if (catalog.has(slot)) {
        const episode = decodeEpisode((await rows([slot]))[0]!)
        if (episode.superseded === undefined) superseded.push({ slot, episode: { ...episode, superseded: again } })
      }
    }
  }
  return { restored, superseded, tombstones: changed }
}
