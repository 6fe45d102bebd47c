import type { Agidb } from '../../api/agidb.js'
import { checkName, DEFAULT_LIMITS, invalid } from '../../api/check.js'
import type { Episode, EpisodeId, EpisodePatch, Observation } from '../../api/episode.js'
import type { Filter } from '../../api/filter.js'
import type { JsonObject } from '../../api/json.js'
import { toMillis } from '../../api/time.js'
import { retried } from '../retried.js'
import { checkMetadata, digestOf, fromJson, jsonOf, partsOf, piecesOf, roomIn } from '../stored-json.js'

/** The methods of a memory that {@link Rows} call. */
export type RowsMemory = Pick<Agidb, 'observeMany' | 'getEpisode' | 'episodes' | 'update' | 'remove'>

/** What is stored: each kind has ids of its own. */
export type Kind = 'thread' | 'message' | 'resource'

/** A row to be stored. */
export interface NewRow {
  readonly kind: Kind
  readonly id: string
  readonly value: object
  /** What recall finds it by; empty where it is not to be recalled. */
  readonly text: string
  readonly speaker?: string
  /** The session of its episodes: the thread. */
  readonly session?: string
  /** Since when it is true. Default: now. */
  readonly at?: Date
  /** What lists of rows are filtered by. */
  readonly marks: Marks
}

/** Names that a row is filtered by. */
export interface Marks {
  readonly thread?: string
  readonly resource?: string
}

/** What the metadata of the first episode of a row says, under {@link NAME}. */
interface Held extends JsonObject {
  readonly kind: Kind
  /** The digest of the row's kind and id, which the metadata of further pieces has as `of`. */
  readonly key: string
  /** The digest of the value. */
  readonly digest: string
  readonly parts: number
  /** The value as JSON: its first piece. */
  readonly json: string
  /** Digests of the names that it is filtered by; empty where it has none. */
  readonly thread: string
  readonly resource: string
}

const NAME = 'mastra'
/** The text of a row that is not to be recalled: it has no words. */
export const UNSAID = '…'
/** Values that a filter takes, halved: a deletion names each twice. */
const MOST_IDS = 5_000
/** The last turn that was begun with a handle. */
const LAST = new WeakMap<RowsMemory, Promise<unknown>>()

/**
 * JSON values by kind and id, each stored in an episode; further episodes hold what of a value is too long for the
 * metadata of one. A value of which a crash kept only a part is not given back.
 */
export class Rows {
  readonly #db: RowsMemory
  readonly #source: string

  constructor(db: RowsMemory, source: string) {
    this.#db = db
    this.#source = source
  }

  /** Reads and then writes, after all that was begun so before with this handle of the memory. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = (LAST.get(this.#db) ?? Promise.resolve()).then(work)
    LAST.set(
      this.#db,
      mine.catch(() => {}),
    )
    return mine
  }

  /** The value, or `undefined`. */
  async get(kind: Kind, id: string): Promise<unknown> {
    const episode = await this.#db.getEpisode(episodeOf(kind, id))
    return episode && this.#valueOf(episode)
  }

  /** All values of a kind, in the order in which they were first stored. */
  async list(
    kind: Kind,
    { threads, resource }: { threads?: readonly string[]; resource?: string },
  ): Promise<unknown[]> {
    const metadata: NonNullable<Filter['metadata']> = {
      [`${NAME}.kind`]: kind,
      ...(threads && { [`${NAME}.thread`]: threads.map(digestOf) }),
      ...(resource !== undefined && { [`${NAME}.resource`]: digestOf(resource) }),
    }
    const values: unknown[] = []
    for await (const page of this.#db.episodes({ filter: { metadata }, limit: 1_000 }))
      for (const episode of page) values.push(await this.#valueOf(episode))
    return values.filter((value) => value !== undefined)
  }

  /**
   * Stores rows, in the place of those that have their ids. Of several with one id the last counts.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a value that JSON cannot say, and what the memory refuses one of
   * them with: then nothing is stored
   */
  async put(rows: readonly NewRow[]): Promise<void> {
    const drafts = [...new Map(rows.map((row) => [episodeOf(row.kind, row.id), row])).entries()].map(([id, row]) =>
      this.#draft(id, row),
    )
    for (const { first, further } of drafts) checkMetadata([first, ...further])
    await retried(async () => {
      // What is new goes first, in one write: the memory refuses that whole, before anything is changed.
      const fresh: Observation[] = []
      const replaced: { readonly before: Episode; readonly draft: Draft }[] = []
      for (const draft of drafts) {
        const before = await this.#db.getEpisode(draft.first.id!)
        if (before === undefined) fresh.push(...draft.further, draft.first)
        else {
          checkMoved(before, draft.first)
          replaced.push({ before, draft })
          for (const piece of draft.further) if ((await this.#db.getEpisode(piece.id!)) === undefined) fresh.push(piece)
        }
      }
      if (fresh.length > 0) await this.#db.observeMany(fresh)
      for (const { before, draft } of replaced) await this.#replace(before, draft)
    })
  }

  /** Forgets rows by their ids. */
  async remove(kind: Kind, ids: readonly string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += MOST_IDS) {
      const some = ids.slice(i, i + MOST_IDS).map((id) => episodeOf(kind, id))
      const which = { or: [{ id: some }, { metadata: { [`${NAME}.of`]: some } }] }
      await this.#db.remove(which, `deleted by Mastra: ${kind}`)
    }
  }

  /** Forgets all rows of all kinds. */
  async clear(): Promise<void> {
    await this.#db.remove(
      { source: this.#source, metadata: { [`${NAME}.json`]: { exists: true } } },
      'cleared by Mastra',
    )
  }

  /** Until the update is durable the old value counts, then the new one, whose further pieces are stored. */
  async #replace(before: Episode, { first, further, patch }: Draft): Promise<void> {
    await this.#db.update(first.id!, patch, { keep: false })
    const kept = new Set(further.map(({ id }) => id))
    const outdated = pieceIds(before.id, heldBy(before)).filter((id) => !kept.has(id))
    if (outdated.length > 0) await this.#db.remove({ id: outdated }, 'replaced by Mastra')
  }

  #draft(id: EpisodeId, { kind, id: name, value, text, speaker, session, at, marks }: NewRow): Draft {
    const json = jsonOf(`the ${kind} ${name}`, value)
    const bare: Held = {
      ...{ kind, key: id, digest: digestOf(json), parts: 1, json: '' },
      thread: marks.thread === undefined ? '' : digestOf(marks.thread),
      resource: marks.resource === undefined ? '' : digestOf(marks.resource),
    }
    const pieces = piecesOf(json, roomIn({ [NAME]: bare }))
    const texts = partsOf(text, pieces.length)
    const held: Held = { ...bare, json: pieces[0]!, parts: pieces.length }
    const place = { speaker, session, source: this.#source, at }
    const first = { id, text: texts[0]!, ...place, metadata: { [NAME]: held } }
    return {
      first,
      further: pieceIds(id, held).map((piece, i) => ({
        ...{ id: piece, text: texts[i + 1]!, ...place },
        metadata: { [NAME]: { of: id, json: pieces[i + 1]! } },
      })),
      patch: { text: first.text, speaker: speaker ?? null, session: session ?? null, at, metadata: first.metadata },
    }
  }

  async #valueOf(episode: Episode): Promise<unknown> {
    const held = heldBy(episode)
    const pieces = await Promise.all(pieceIds(episode.id, held).map((id) => this.#db.getEpisode(id)))
    if (pieces.includes(undefined)) return undefined
    const rest = pieces.map((piece) => (piece!.metadata![NAME] as unknown as { readonly json: string }).json)
    return fromJson([held.json, ...rest].join(''))
  }
}

/** The episodes of a row that is about to be stored. */
interface Draft {
  readonly first: Observation
  readonly further: readonly Observation[]
  /** What turns the first episode of another value into that of this one. */
  readonly patch: EpisodePatch
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for an id that is no string, or an empty one */
export function checkedId(what: string, id: unknown): string {
  if (typeof id !== 'string' || id.trim() === '') throw invalid(`${what} must be a string that is not empty`, { what })
  return id
}

/** Checks the names and the time that another row brings: an update that is refused comes after others are written. */
function checkMoved(before: Episode, { speaker, session, at }: Observation): void {
  if (speaker !== before.speaker) checkName('speaker', speaker, DEFAULT_LIMITS)
  if (session !== before.session) checkName('session', session, DEFAULT_LIMITS)
  if (at !== undefined) toMillis(at, 'at')
}

function heldBy({ metadata }: Episode): Held {
  return metadata![NAME] as unknown as Held
}

function episodeOf(kind: Kind, id: string): EpisodeId {
  return `ma_${digestOf(JSON.stringify([kind, checkedId(`the id of the ${kind}`, id)]))}`
}

/** The ids of the episodes that hold the further pieces of a value. */
function pieceIds(id: EpisodeId, { parts, digest }: Pick<Held, 'parts' | 'digest'>): EpisodeId[] {
  return Array.from({ length: parts - 1 }, (_, i) => `${id}_${digest}_${i + 1}`)
}
