import type { Episode, TriplePattern } from '../api/episode.js'
import type { CheckpointParts } from '../base/checkpoint-parts.js'
import type { IndexedText } from '../encoding/spaces/space.js'
import type { Words } from '../encoding/words.js'

/** What an index keeps, by slot. */
export interface IndexContents {
  /** Bytes of main memory. */
  readonly bytes: number
  /** Adds its arrays to a checkpoint; their names begin with `name`. They must not change until it is written. */
  save(parts: CheckpointParts, name: string): void
  /** Takes over what {@link save} saved, while it is empty. Throws when a part is missing. */
  load(parts: CheckpointParts, name: string): void
  /** Gives the kernel's memory back. */
  free?(): void
}

/** What of a cue an index can be asked. */
export interface IndexCue {
  /** The cue as it was put. */
  readonly question: string
  /** Index terms with their weights. */
  readonly terms: ReadonlyMap<string, number>
  /** Keys of the concepts that it names, those of one concept together. */
  readonly named: readonly (readonly string[])[]
  /** A statement with holes that was asked for. */
  readonly pattern?: TriplePattern
}

/**
 * How live episodes are indexed. The contents are a function of the live episodes: after `remove` they answer as if the
 * episode had never come, after `update` as if it had come as it is now.
 */
export interface Index<Contents extends IndexContents = IndexContents> {
  readonly contents: Contents
  /** Adds the episode of a slot that has none. */
  add(slot: number, episode: Episode, read: IndexedText): void
  /**
   * Takes over the episode of a slot as it is now. An index compares it with what it has: most changes leave most
   * indexes as they are.
   *
   * @param read reads the text; the first index that needs it pays for it.
   */
  update(slot: number, episode: Episode, read: () => IndexedText): void
  /** Removes what {@link add} added for the episode. */
  remove(slot: number, episode: Episode): void
  /**
   * Slots that may answer a cue, in any order; recall drops those that the question may not see. Absent for an index
   * that proposes none.
   *
   * @param depth how many at most.
   * @param mask the visible slots as a bit set; absent: all.
   */
  candidates?(cue: IndexCue, depth: number, mask: Uint32Array | undefined): Iterable<number>
}

/** Makes indexes of the graphs. */
export interface GraphIndexing {
  index(name: 'chain' | 'entities' | 'associations'): Index
}

/** What indexes are made with. */
export interface IndexTools {
  readonly words: Words
  /** The graphs, which may come later. */
  readonly graphs: GraphIndexing
}
