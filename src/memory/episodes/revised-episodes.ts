import type { Episode } from '../../api/episode.js'
import type { EncodedSignatures } from '../../api/storage.js'
import type { Indexes } from '../../indexes/indexes.js'
import { encodeEpisode } from '../../records/kinds/episode.js'
import type { RecordChange } from '../../write/record-change.js'
import type { ChangedEpisode } from '../projection.js'

/** An episode that is to become another in its slot. */
export interface Revision {
  readonly slot: number
  readonly before: Episode
  readonly after: Episode
  /** The signatures that it has. */
  readonly stored: EncodedSignatures
  /** Whether what floors learned of it may be something else now. Default: if it gets other signatures. */
  readonly isRestated?: boolean
}

interface Revised extends Revision {
  /** The signatures that it gets; `undefined` where they stay. */
  readonly signed: EncodedSignatures | undefined
  /** The episode as it was about to be before. */
  readonly pending: Episode | undefined
}

/** A row of an episode that becomes another, or its signatures. */
type Rewritten = Extract<RecordChange, { readonly op: 'update' | 'setSignatures' }>

/** Episodes that become others in their slots: the indexes hold them as they will be, and they are to be written. */
export class RevisedEpisodes {
  readonly #indexes: Pick<Indexes, 'replacing' | 'replaced' | 'revise'>
  readonly #pending: Map<number, Episode>
  readonly #revised: Revised[] = []

  /** @param pending episodes as they are once what is being made is durable, by slot; these are put there. */
  constructor(indexes: Pick<Indexes, 'replacing' | 'replaced' | 'revise'>, pending: Map<number, Episode>) {
    this.#indexes = indexes
    this.#pending = pending
  }

  /**
   * Has the indexes hold an episode as it will be.
   *
   * @throws AgidbError `AGIDB_KERNEL` when the kernel's memory is full; {@link undo} takes back what there is.
   */
  add(revision: Revision): void {
    const { slot, before, after, stored } = revision
    const signed = this.#indexes.replacing(slot, before, after, stored)
    this.#revised.push({ ...revision, signed, pending: this.#pending.get(slot) })
    this.#pending.set(slot, after)
    this.#indexes.revise(slot, after, signed?.signatures)
  }

  /** The episodes as they will be, by slot. */
  get episodes(): ReadonlyMap<number, Episode> {
    return new Map(this.#revised.map(({ slot, after }) => [slot, after]))
  }

  /** Those that get other signatures. */
  get signed(): readonly Revision[] {
    return this.#revised.filter(({ signed }) => signed !== undefined)
  }

  /** For `Service.rederive`: what they said is gone, and what they say came. */
  get changed(): ChangedEpisode[] {
    return this.#revised.flatMap(({ slot, before, after: { id }, signed, isRestated }): ChangedEpisode[] =>
      (isRestated ?? signed !== undefined)
        ? [
            { id, slot, live: false, before },
            { id, slot, live: true, updated: true },
          ]
        : [],
    )
  }

  /** What is written of them. */
  get records(): Rewritten[] {
    return this.#revised.flatMap(({ slot, after, signed }): Rewritten[] => {
      const { id } = after
      const row: Rewritten = { op: 'update', slot, id, row: encodeEpisode(after) }
      return signed === undefined ? [row] : [row, { op: 'setSignatures', slot, id, ...signed }]
    })
  }

  /** Says that they are durable. */
  settle(): void {
    for (const { slot } of this.#revised) this.#pending.delete(slot)
  }

  /** Has the indexes hold them as they were. */
  undo(): void {
    for (const { slot, before, stored, signed, pending } of this.#revised) {
      if (pending === undefined) this.#pending.delete(slot)
      else this.#pending.set(slot, pending)
      this.#indexes.revise(slot, before, signed && this.#indexes.replaced(slot, before, stored, signed))
    }
  }
}
