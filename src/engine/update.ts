import type { Caller } from '../api/caller.js'
import { checkId, checkKeys, invalid } from '../api/check.js'
import type { Episode, EpisodeId, EpisodePatch, UpdateOptions } from '../api/episode.js'
import type { EncodedSignatures, StorageChange } from '../api/storage.js'
import { toIso } from '../api/time.js'
import { idOf } from '../base/ids.js'
import type { Floors, Rederivation } from '../memory/memory.js'
import { checkPatch, patched } from '../records/observation.js'
import { decodeEpisode, encodeEpisode } from '../records/kinds/episode.js'
import { type VersionRecord, versionKind } from '../records/kinds/version.js'
import type { RecordChange } from '../write/record-change.js'
import { liveSlot, type Rewriting } from '../write/writer.js'
import type { EngineContext } from './context.js'

/** An episode that is about to become another, as it is stored. */
interface Before {
  readonly slot: number
  readonly episode: Episode
  readonly stored: EncodedSignatures
}

/**
 * Changes what episodes say, in their place: row, signatures, indexes and floors become those of a memory that had
 * observed them as they are now.
 */
export class Updater {
  readonly #context: EngineContext
  readonly #floors: Floors
  readonly #revised: (slot: number) => void
  /** The episodes that are being written, by slot: the indexes have them already. */
  readonly #pending = new Map<number, Episode>()

  /** @param revised called with the slot of an episode whose signatures must be made again by an encoder. */
  constructor(context: EngineContext, floors: Floors, revised: (slot: number) => void) {
    this.#context = context
    this.#floors = floors
    this.#revised = revised
  }

  /** The episode that a slot is about to have, as the indexes have it. */
  pending(slot: number): Episode | undefined {
    return this.#pending.get(slot)
  }

  /** @throws AgidbError as `EpisodeMethods.update` does; then nothing has changed. */
  async update(caller: Caller, id: EpisodeId, patch: EpisodePatch, options: UpdateOptions = {}): Promise<Episode> {
    const { checkOpen, config, writer, tell } = this.#context
    checkOpen()
    checkId('id', id, config.limits)
    checkPatch(patch, config.limits)
    checkKeys('update', options, ['keep'])
    const { keep = true } = options
    if (typeof keep !== 'boolean') throw invalid('keep must be true or false', { option: 'keep' })
    let slot: number | undefined
    const updated = await writer.rewrite(async () => {
      const before = await this.#read(id)
      const unmarked = patched(before.episode, patch)
      const isChanged = !isSame(unmarked, before.episode)
      const dropped = keep ? [] : this.#floors.versions.of(id)
      if (!isChanged && dropped.length === 0)
        return { changes: [], records: [], receipt: { caller }, done: () => before.episode, undo: () => {} }
      slot = before.slot
      const now = toIso(config.clock())
      const { version: _, ...rest } = isChanged ? { ...unmarked, updatedAt: now } : unmarked
      const versions = this.#floors.versions.of(id)
      const number = (versions.at(-1)?.number ?? 0) + 1
      const after: Episode = keep ? { ...rest, version: number + 1 } : rest
      const version = keep ? this.#version(before.episode, number, now) : undefined
      return this.#rewriting(caller, before, after, version, dropped)
    })
    if (slot !== undefined) tell('episodeUpdated', [id], slot, caller)
    return updated
  }

  async #rewriting(
    caller: Caller,
    { slot, episode: before, stored }: Before,
    after: Episode,
    version: VersionRecord | undefined,
    dropped: readonly { readonly id: string; readonly slot: number }[],
  ): Promise<Rewriting<Episode>> {
    const { indexes } = this.#context
    const { id } = after
    const signed = indexes.replacing(slot, before, after, stored)
    const unsigned = signed && indexes.replaced(slot, before, stored, signed)
    const undo = () => {
      this.#pending.delete(slot)
      indexes.revise(slot, before, unsigned)
    }
    this.#pending.set(slot, after)
    let rederived: Rederivation
    try {
      indexes.revise(slot, after, signed?.signatures)
      // What it said is gone, and what it says came.
      rederived = await this.#floors.rederive([
        { id, slot, live: false, before },
        { id, slot, live: true, updated: true },
      ])
    } catch (error) {
      undo()
      throw error
    }
    const changes: StorageChange[] = [{ op: 'update', slot, id, row: encodeEpisode(after) }]
    if (signed !== undefined) changes.push({ op: 'setSignatures', slot, id, ...signed })
    const records: RecordChange[] = [
      ...rederived.records,
      ...dropped.map(({ id, slot }): RecordChange => ({ op: 'remove', slot, id })),
    ]
    if (version !== undefined) records.push({ op: 'put', id: version.id, row: versionKind.encode(version) })
    return {
      changes,
      records,
      receipt: { caller },
      undo,
      done: (slots: readonly number[]) => {
        this.#pending.delete(slot)
        rederived.done(slots)
        this.#floors.versions.retract(dropped.map((one) => ({ ...one, episode: id })))
        if (version !== undefined) this.#floors.versions.apply(version, slots.at(-1)!)
        if (signed !== undefined) this.#revised(slot)
        return after
      },
    }
  }

  async #read(id: EpisodeId): Promise<Before> {
    const { indexes, storage } = this.#context
    const slot = liveSlot(indexes, id)
    const [{ row, signatures, encoder }] = await storage.rows.read([slot])
    return { slot, episode: decodeEpisode(row), stored: { signatures, encoder } }
  }

  /** Its id is a function of what it is a version of, so that no id is drawn. */
  #version(content: Episode, number: number, replacedAt: string): VersionRecord {
    const { kernel } = this.#context.indexes
    const id = idOf('ve_', kernel.fromName(`agidb/version/${number}/${content.id}`))
    return { id, episode: content.id, number, replacedAt, content }
  }
}

/** Whether two episodes have the same row. */
function isSame(a: Episode, b: Episode): boolean {
  const [one, other] = [encodeEpisode(a), encodeEpisode(b)]
  return one.length === other.length && one.every((byte, i) => byte === other[i])
}
