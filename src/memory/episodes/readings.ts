import type { Episode } from '../../api/episode.js'
import type { EncodedSignatures } from '../../api/storage.js'
import { decodeEpisode, encodeEpisode } from '../../records/kinds/episode.js'
import { withExtraction, withoutExtraction } from '../../records/extraction.js'
import type { RecordChange } from '../../write/record-change.js'
import type { MemoryContext } from '../context.js'
import type { ChangedEpisode } from '../projection.js'
import { contextOf, turnsAfter, turnsBefore } from './reading-context.js'

/** An episode in which something else is found, since other turns stand before it now. */
interface Reread {
  readonly slot: number
  readonly before: Episode
  readonly after: Episode
  readonly stored: EncodedSignatures
  readonly signed: EncodedSignatures | undefined
}

/** The readings that change with the turns before them: in the indexes already, and to be written. */
export class Rereading {
  readonly #context: MemoryContext
  readonly #reread: readonly Reread[]

  constructor(context: MemoryContext, reread: readonly Reread[]) {
    this.#context = context
    this.#reread = reread
  }

  /** The episodes as they are now, by slot. */
  get episodes(): ReadonlyMap<number, Episode> {
    return new Map(this.#reread.map(({ slot, after }) => [slot, after]))
  }

  /** For `Service.rederive`. */
  get changed(): ChangedEpisode[] {
    return this.#reread.flatMap(({ slot, before, after: { id }, signed }): ChangedEpisode[] =>
      signed === undefined
        ? []
        : [
            { id, slot, live: false, before },
            { id, slot, live: true, updated: true },
          ],
    )
  }

  /** What is written of them. */
  get records(): RecordChange[] {
    return this.#reread.flatMap(({ slot, after, signed }): RecordChange[] => {
      const { id } = after
      const row: RecordChange = { op: 'update', slot, id, row: encodeEpisode(after) }
      return signed === undefined ? [row] : [row, { op: 'setSignatures', slot, id, ...signed }]
    })
  }

  /** Has the indexes hold them as they were. */
  undo(): void {
    const { indexes } = this.#context
    for (const { slot, before, stored, signed } of this.#reread)
      indexes.revise(slot, before, signed && indexes.replaced(slot, before, stored, signed))
  }
}

/** The live episodes that were read with one of these before them, and are none of these. */
export function readWith({ indexes }: Pick<MemoryContext, 'indexes'>, slots: readonly number[]): number[] {
  const own = new Set(slots)
  const after = new Set(slots.flatMap((slot) => turnsAfter(indexes, slot)))
  return [...after].filter((slot) => !own.has(slot) && indexes.extracted.isRead(slot)).sort((a, b) => a - b)
}

/**
 * Reads episodes again whose session is another now, and has the indexes hold what is found in them. What cannot be
 * read at once is taken away, and read later.
 *
 * @param pending episodes as they are once what is being made is durable, by slot; those that change are put there.
 */
export async function reread(
  context: MemoryContext,
  slots: readonly number[],
  pending: Map<number, Episode>,
): Promise<Rereading> {
  const { indexes } = context
  const stored = slots.length === 0 ? [] : await context.read(slots)
  const reread: Reread[] = []
  try {
    for (const { slot, row, signatures, encoder } of stored) {
      const before = pending.get(slot) ?? decodeEpisode(row)
      const after = await readAgain(context, slot, before)
      if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) continue
      const kept = { signatures, encoder }
      const signed = indexes.replacing(slot, before, after, kept)
      reread.push({ slot, before, after, stored: kept, signed })
      indexes.revise(slot, after, signed?.signatures)
      pending.set(slot, after)
    }
  } catch (error) {
    new Rereading(context, reread).undo()
    throw error
  }
  return new Rereading(context, reread)
}

/** An episode with what is found in it now; `undefined` where no extractor has read it. */
async function readAgain(context: MemoryContext, slot: number, episode: Episode): Promise<Episode | undefined> {
  const { extraction } = episode
  if (extraction === undefined) return undefined
  const turns = await context.fetch(turnsBefore(context.indexes, slot))
  const found = await context.extractNow(
    episode,
    contextOf(
      episode,
      turns.filter((turn) => turn !== undefined),
    ),
  )
  if (found === undefined) return withoutExtraction(episode)
  return withExtraction(episode, found, { id: extraction.extractor, version: extraction.version })
}
