import type { Caller } from '../api/caller.js'
import { checkId, checkKeys, invalid } from '../api/check.js'
import type { Episode, EpisodeId, EpisodePatch, UpdateOptions } from '../api/episode.js'
import type { EncodedSignatures } from '../api/storage.js'
import type { Extractor } from '../api/extractor.js'
import { toIso } from '../api/time.js'
import { idOf } from '../base/ids.js'
import { sameBytes } from '../base/same-bytes.js'
import type { Found } from '../maintenance/found.js'
import type { Floors, Rederivation } from '../memory/memory.js'
import type { LateFloors } from './late-floors.js'
import { checkPatch, patched } from '../records/observation.js'
import { RevisedEpisodes } from '../memory/episodes/revised-episodes.js'
import type { NewEvent } from '../records/event-log.js'
import { withExtraction } from '../records/extraction.js'
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

/** What an episode is to become. */
interface Change extends Before {
  readonly after: Episode
  /** Whether what floors learned of it may be something else now. */
  readonly isRestated: boolean
}

const NOTHING = { changes: [], records: [], done: () => {}, undo: () => {} }

/**
 * Changes what episodes say, in their place: row, signatures, indexes and floors become those of a memory that had
 * observed them as they are now.
 */
export class Updater {
  readonly #context: EngineContext
  readonly #floors: LateFloors
  readonly #revised: (slot: number) => void
  /** The episodes that are being written, by slot: the indexes have them already. */
  readonly #pending = new Map<number, Episode>()

  /** @param revised called with the slot of an episode whose signatures must be made again by an encoder. */
  constructor(context: EngineContext, floors: LateFloors, revised: (slot: number) => void) {
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
      const floors = await this.#floors.get()
      const before = await this.#read(id)
      expectContent(before.episode, patch)
      const unmarked = patched(before.episode, patch)
      const isChanged = !isSame(unmarked, before.episode)
      const dropped = keep ? [] : floors.versions.of(id)
      if (!isChanged && dropped.length === 0) return { ...NOTHING, receipt: { caller }, done: () => before.episode }
      slot = before.slot
      const now = toIso(config.clock())
      const { version: _, ...rest } = isChanged ? { ...unmarked, updatedAt: now } : unmarked
      const versions = floors.versions.of(id)
      // The versions of an episode may be forgotten and restored: what it says now knows its own number.
      const number = Math.max(before.episode.version ?? 1, (versions.at(-1)?.number ?? 0) + 1)
      const after: Episode = keep ? { ...rest, version: number + 1 } : rest
      const version = keep ? this.#version(before.episode, number, now) : undefined
      return {
        ...(await this.#updating(floors, { ...before, after, isRestated: true }, version, dropped)),
        receipt: { caller },
      }
    })
    if (slot !== undefined) tell('episodeUpdated', [id], slot, caller)
    return this.#floors.shown(updated)
  }

  /**
   * Gives episodes what an extractor found in them, in one commit. An episode that is gone or says something else since
   * it was read is passed over.
   */
  async extracted(found: readonly Found[], extractor: Pick<Extractor, 'id' | 'version'>): Promise<void> {
    const { indexes, writer, config } = this.#context
    await writer.rewrite(async () => {
      const there = found.filter(({ slot, episode: { id } }) => indexes.catalog.slot(id) === slot)
      const stored = await this.#readAll(there.map(({ slot }) => slot))
      const changes = there.flatMap(({ episode, extraction }, i): Change[] => {
        const before = stored[i]
        if (!isReadAlike(before.episode, episode)) return []
        const after = withExtraction(before.episode, extraction, extractor)
        return [
          { ...before, after, isRestated: JSON.stringify(after.triples) !== JSON.stringify(before.episode.triples) },
        ]
      })
      const receipt = { caller: config.caller }
      return { ...(changes.length === 0 ? NOTHING : await this.#rewriting(await this.#floors.get(), changes)), receipt }
    })
  }

  /**
   * Changes what episodes are beside their texts, and learns events, in one commit; episodes that are gone are passed
   * over.
   */
  async restate(
    caller: Caller,
    ids: readonly EpisodeId[],
    change: (episode: Episode) => Episode,
    events: readonly NewEvent[] = [],
  ): Promise<void> {
    const { indexes, writer, checkOpen } = this.#context
    checkOpen()
    await writer.rewrite(async () => {
      const slots = ids.map((id) => indexes.catalog.slot(id)).filter((slot) => slot !== undefined)
      const stored = await this.#readAll(slots)
      const changes = stored.flatMap((before): Change[] => {
        const after = change(before.episode)
        return isSame(before.episode, after) ? [] : [{ ...before, after, isRestated: false }]
      })
      const receipt = { caller }
      if (changes.length + events.length === 0) return { ...NOTHING, receipt }
      const floors = await this.#floors.get()
      const along = floors.along(events, caller)
      const rewriting = await this.#rewriting(floors, changes)
      return {
        ...rewriting,
        receipt,
        records: [...rewriting.records, ...along.records],
        done: (slots) => {
          rewriting.done(slots)
          along.done(slots.slice(rewriting.records.length))
        },
      }
    })
  }

  /** The commit of an update, with the version that is kept and those that are dropped. */
  async #updating(
    floors: Floors,
    change: Change,
    version: VersionRecord | undefined,
    dropped: readonly { readonly id: string; readonly slot: number }[],
  ): Promise<Omit<Rewriting<Episode>, 'receipt'>> {
    const { versions } = floors
    const { slot, episode, after } = change
    const later = isReadAlike(episode, after) ? undefined : floors.readWith([slot])
    const rewriting = await this.#rewriting(floors, [change], later)
    const records: RecordChange[] = [
      ...rewriting.records,
      ...dropped.map(({ id, slot }): RecordChange => ({ op: 'remove', slot, id })),
    ]
    if (version !== undefined) records.push({ op: 'put', id: version.id, row: versionKind.encode(version) })
    return {
      ...rewriting,
      records,
      done: (slots) => {
        rewriting.done(slots)
        versions.retract(dropped.map((one) => ({ ...one, episode: change.after.id })))
        if (version !== undefined) versions.apply(version, slots.at(-1)!)
        return change.after
      },
    }
  }

  /**
   * Has the indexes hold episodes as they will be, and makes the commit that stores them; `undo` takes it back.
   *
   * @param later the episodes that stood after them; given where these are to be read again, and those that do so now.
   */
  async #rewriting(
    floors: Floors,
    changes: readonly Change[],
    later?: readonly number[],
  ): Promise<Omit<Rewriting<void>, 'receipt'>> {
    const { indexes } = this.#context
    const revised = new RevisedEpisodes(indexes, this.#pending)
    let rereading: RevisedEpisodes | undefined
    const undo = () => {
      rereading?.undo()
      revised.undo()
    }
    let rederived: Rederivation
    try {
      for (const { episode, ...change } of changes) revised.add({ ...change, before: episode })
      if (later !== undefined) {
        const slots = changes.map(({ slot }) => slot)
        const all = new Set([...later, ...floors.readWith(slots)])
        rereading = await floors.reread([...all], this.#pending)
      }
      rederived = await floors.rederive([...revised.changed, ...(rereading?.changed ?? [])])
    } catch (error) {
      undo()
      throw error
    }
    return {
      changes: revised.records,
      records: [...rederived.records, ...(rereading?.records ?? [])],
      undo,
      done: (slots) => {
        revised.settle()
        rereading?.settle()
        rederived.done(slots)
        for (const { slot, before, after } of revised.signed) if (!isReadAlike(before, after)) this.#revised(slot)
      },
    }
  }

  async #read(id: EpisodeId): Promise<Before> {
    const [before] = await this.#readAll([liveSlot(this.#context.indexes, id)])
    return before
  }

  async #readAll(slots: readonly number[]): Promise<Before[]> {
    const stored = await this.#context.storage.rows.read(slots)
    return stored.map(({ slot, row, signatures, encoder }) => {
      return { slot, episode: decodeEpisode(row), stored: { signatures, encoder } }
    })
  }

  /** Its id is a function of what it is a version of, so that no id is drawn. */
  #version(content: Episode, number: number, replacedAt: string): VersionRecord {
    const { kernel } = this.#context.indexes
    const id = idOf('ve_', kernel.fromName(`agidb/version/${number}/${content.id}`))
    return { id, episode: content.id, number, replacedAt, content }
  }
}

/** The id of an entry is the hash of its content: with another it would be another entry. */
function expectContent({ id, text, entry }: Episode, patch: EpisodePatch): void {
  if (entry === undefined || patch.text === undefined || patch.text === text) return
  throw invalid(
    `patch.text: episode ${id} is an entry of a document, and its id is the hash of its content; ` +
      'remove it with entries.remove and add the other content with entries.add or entries.ingest',
    { what: 'patch.text', id },
  )
}

/** Whether an extractor or an encoder reads the same in two episodes. */
function isReadAlike(a: Episode, b: Episode): boolean {
  return a.text === b.text && a.speaker === b.speaker && a.session === b.session && a.at === b.at
}

/** Whether two episodes have the same row. */
function isSame(a: Episode, b: Episode): boolean {
  return sameBytes(encodeEpisode(a), encodeEpisode(b))
}
