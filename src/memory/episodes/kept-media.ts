import { HEAP } from '../../base/heap-size.js'
import { type MediaRecord, mediaKind } from '../../records/kinds/media.js'
import type { RecordChange } from '../../write/record-change.js'
import { type Projection, projectionOf, type Service } from '../projection.js'

/** Where a piece of a picture or sound is stored. */
export interface StoredPiece extends Pick<MediaRecord, 'id' | 'sense' | 'type' | 'piece' | 'size'> {
  readonly slot: number
}

/** What V8 takes for a piece: itself, its strings, and its places in an array and two maps. */
const PIECE = HEAP.object + 6 * HEAP.field + HEAP.name + 2 * HEAP.entry

/** Which pictures and sounds are kept, by the slots of their episodes. Their bytes stay in the storage. */
export class KeptMedia implements Projection<MediaRecord>, Service {
  readonly projections = [projectionOf(mediaKind, this)]
  readonly #byEpisode = new Map<number, StoredPiece[]>()
  /** The slots of episodes by those of pieces. */
  readonly #owners = new Map<number, number>()

  /** Bytes of main memory, about. */
  get bytes(): number {
    return this.#byEpisode.size * (HEAP.entry + HEAP.array) + this.#owners.size * PIECE
  }

  apply({ id, sense, type, offset, piece, size }: MediaRecord, slot: number): void {
    const owner = slot - offset
    const pieces = this.#byEpisode.get(owner)
    const stored: StoredPiece = { id, sense, type, piece, size, slot }
    this.#owners.set(slot, owner)
    if (pieces === undefined) this.#byEpisode.set(owner, [stored])
    else pieces.push(stored)
  }

  /** A projection by slots: {@link drop} is called with the slots that are retracted. */
  retract(): void {}

  /** The slot of the episode to which the piece in a slot belongs; `undefined` where there is no piece. */
  owner(slot: number): number | undefined {
    return this.#owners.get(slot)
  }

  /** The pieces that belong to the episode in a slot, in order. */
  of(episode: number): readonly StoredPiece[] {
    return this.#byEpisode.get(episode) ?? []
  }

  /** What removes the pieces of episodes for good. */
  removals(episodes: readonly number[]): RecordChange[] {
    return episodes.flatMap((episode) =>
      this.of(episode).map(({ slot, id }): RecordChange => ({ op: 'remove', slot, id })),
    )
  }

  /** Says that what {@link removals} answered is durable. */
  drop(episodes: readonly number[]): void {
    for (const episode of episodes) {
      for (const { slot } of this.of(episode)) this.#owners.delete(slot)
      this.#byEpisode.delete(episode)
    }
  }
}
