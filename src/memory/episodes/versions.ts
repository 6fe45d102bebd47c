import type { EpisodeId } from '../../api/episode.js'
import { HEAP } from '../../base/heap-size.js'
import { type VersionRecord, versionKind } from '../../records/kinds/version.js'
import { type Projection, projectionOf, type Service } from '../projection.js'

/** Where a version of an episode is stored, and until when it was what the episode said. */
export interface StoredVersion {
  readonly id: string
  readonly slot: number
  readonly number: number
  /** Transaction time (ISO 8601, UTC). */
  readonly replacedAt: string
}

/** What V8 takes for a version: itself, its two strings, and its place in an array. */
const VERSION = HEAP.object + 5 * HEAP.field + 2 * HEAP.name

/** Which earlier versions of episodes are stored. What they say stays in the storage. */
export class Versions implements Projection<VersionRecord>, Service {
  readonly projections = [projectionOf(versionKind, this)]
  readonly #byEpisode = new Map<EpisodeId, StoredVersion[]>()
  #size = 0

  /** Versions that are stored. */
  get size(): number {
    return this.#size
  }

  /** Bytes of main memory, about. */
  get bytes(): number {
    return this.#byEpisode.size * (HEAP.entry + HEAP.array) + this.#size * VERSION
  }

  apply({ id, episode, number, replacedAt }: VersionRecord, slot: number): void {
    const version: StoredVersion = { id, slot, number, replacedAt }
    const versions = this.#byEpisode.get(episode)
    if (versions === undefined) this.#byEpisode.set(episode, [version])
    // One that is restored is older than those that came meanwhile.
    else versions.splice(versions.findLastIndex((one) => one.slot < slot) + 1, 0, version)
    this.#size++
  }

  /** Takes versions out, by their ids. */
  retract(records: readonly Pick<VersionRecord, 'id' | 'episode'>[]): void {
    for (const { id, episode } of records) {
      const versions = this.#byEpisode.get(episode)
      const left = versions?.filter((version) => version.id !== id)
      if (versions === undefined || left!.length === versions.length) continue
      this.#size--
      if (left!.length === 0) this.#byEpisode.delete(episode)
      else this.#byEpisode.set(episode, left!)
    }
  }

  /** The earlier versions of an episode, oldest first. */
  of(episode: EpisodeId): readonly StoredVersion[] {
    return this.#byEpisode.get(episode) ?? []
  }
}
