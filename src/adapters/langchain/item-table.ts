import type { PutOperation } from '@langchain/langgraph-checkpoint'
import type { Agidb } from '../../api/agidb.js'
import { invalid } from '../../api/check.js'
import type { Episode, EpisodeId, Observation } from '../../api/episode.js'
import type { Filter } from '../../api/filter.js'
import type { JsonObject } from '../../api/json.js'
import { checkMetadata, digestOf, fromJson, jsonOf, partsOf, piecesOf, roomIn } from '../stored-json.js'
import { textOf } from './indexed-text.js'

/** The methods of a memory that an {@link ItemTable} and its store call. */
export type ItemTableMemory = Pick<Agidb, 'recall' | 'observeMany' | 'getEpisode' | 'episodes' | 'update' | 'remove'>

/** An item as it is stored. */
export interface StoredRow {
  readonly namespace: string[]
  readonly key: string
  readonly value: Record<string, unknown>
  readonly createdAt: string
  readonly updatedAt: string
  /** Whether a query finds it. */
  readonly indexed: boolean
  /** The episodes that hold it. */
  readonly ids: readonly EpisodeId[]
}

/** What the metadata of the episode of an item says, under {@link NAME}. */
interface Held extends JsonObject {
  readonly namespace: readonly string[]
  readonly key: string
  /** The digests of the namespace and of all that it is under. */
  readonly under: readonly string[]
  readonly indexed: boolean
  /** The value as JSON: its first piece. */
  readonly json: string
  /** The digest of the value and of the text that it is found by. */
  readonly digest: string
  /** How many episodes hold the value. */
  readonly parts: number
}

/** What the metadata of the episode of a further piece says, under {@link NAME}. */
interface HeldPiece extends JsonObject {
  /** The episode of the item. */
  readonly of: EpisodeId
  readonly under: readonly string[]
  readonly indexed: boolean
  readonly json: string
}

const NAME = 'langgraph'
const MOST_LABELS = 64
/** UTF-16 units of the text of an episode: at most 60,000 bytes, of the 65,536 that it may have. */
const MOST_TEXT = 20_000
/** Values that a filter takes. */
const MOST_IDS = 10_000
/** Matches that a recall gives. */
const MOST_MATCHES = 1_000
/** Ids that one deletion names twice, of the 10,000 values that a filter takes. */
const MOST_DELETED = 5_000

/** Items by namespace and key, each stored in an episode; further episodes hold what of a value is too long for it. */
export class ItemTable {
  readonly #db: ItemTableMemory
  readonly #source: string

  constructor(db: ItemTableMemory, source: string) {
    this.#db = db
    this.#source = source
  }

  /** The item, or `undefined`. */
  async get(namespace: readonly string[], key: string): Promise<StoredRow | undefined> {
    return this.#read(idOf(checkedNamespace(namespace), checkedKey(key)))
  }

  /**
   * The items in a namespace and in all that is under it, oldest first.
   *
   * @param indexed only those that a query finds, or does not. Default: all.
   */
  async *under(prefix: readonly string[], indexed?: boolean): AsyncGenerator<StoredRow> {
    const filter = filterOf(prefix, {
      [`${NAME}.key`]: { exists: true },
      ...(indexed !== undefined && isIndexed(indexed)),
    })
    for await (const page of this.#db.episodes({ filter, limit: 1_000 })) {
      for (const episode of page) {
        const row = await this.#rowOf(episode)
        if (row !== undefined) yield row
      }
    }
  }

  /**
   * The items that a recall finds by a cue, best first, each with its confidence.
   *
   * @param among the namespace that they are under, or the items themselves
   * @param wanted how many, of which a recall gives no more than 1,000
   */
  async found(cue: string, among: readonly string[] | { readonly rows: readonly StoredRow[] }, wanted: number) {
    const scores = new Map<EpisodeId, number>()
    if ('rows' in among) {
      const ids = among.rows.flatMap((row) => row.ids)
      for (let i = 0; i < ids.length; i += MOST_IDS)
        await this.#recall(cue, { id: ids.slice(i, i + MOST_IDS) }, wanted, scores)
    } else await this.#recall(cue, filterOf(among, isIndexed(true)), wanted, scores)
    const ranked = [...scores].sort(([, a], [, b]) => b - a).slice(0, wanted)
    const rows = await Promise.all(ranked.map(async ([id, score]) => ({ row: await this.#read(id), score })))
    return rows.flatMap(({ row, score }) => (row === undefined ? [] : [{ row, score }]))
  }

  /** Adds the confidence of what a recall finds to the items that it belongs to. Pieces of one item count as one. */
  async #recall(cue: string, filter: Filter, wanted: number, scores: Map<EpisodeId, number>): Promise<void> {
    const before = scores.size
    for (let k = Math.min(Math.max(wanted, 1), MOST_MATCHES); ; k = Math.min(2 * k, MOST_MATCHES)) {
      const { matches } = await this.#db.recall(cue, { k, filter, fold: false })
      for (const { id, metadata, confidence } of matches) {
        const item = (metadata![NAME] as Partial<HeldPiece>).of ?? id
        scores.set(item, Math.max(scores.get(item) ?? 0, confidence))
      }
      if (matches.length < k || k === MOST_MATCHES || scores.size - before >= wanted) return
    }
  }

  /** Checks puts, and gives what writes them. */
  prepare(puts: readonly PutOperation[]): () => Promise<void> {
    const last = new Map(puts.map((put) => [idOf(checkedNamespace(put.namespace), checkedKey(put.key)), put] as const))
    const drafts = [...last].map(([id, put]) => ({ id, draft: put.value === null ? undefined : this.#draft(id, put) }))
    for (const { draft } of drafts) if (draft !== undefined) checkMetadata([draft.first, ...draft.further])
    return async () => {
      // What is new goes first, in one write: the memory refuses that whole, before anything is changed or deleted.
      const fresh: Observation[] = []
      const replaced: { readonly before: Episode; readonly draft: Draft }[] = []
      for (const { id, draft } of drafts) {
        if (draft === undefined) continue
        const before = await this.#db.getEpisode(id)
        if (before === undefined) fresh.push(...draft.further, draft.first)
        else {
          replaced.push({ before, draft })
          for (const piece of draft.further) if ((await this.#db.getEpisode(piece.id!)) === undefined) fresh.push(piece)
        }
      }
      if (fresh.length > 0) await this.#db.observeMany(fresh)
      for (const { before, draft } of replaced) await this.#replace(before, draft)
      const deleted = drafts.filter(({ draft }) => draft === undefined).map(({ id }) => id)
      if (deleted.length > 0) await this.#forget(deleted)
    }
  }

  /**
   * Puts another value, whose further pieces are stored, in the place of one. Until the update is durable the old one
   * counts, then the new one.
   */
  async #replace(before: Episode, { first, further }: Draft): Promise<void> {
    const id = before.id
    const old = heldBy(before)
    const { text, metadata } = first
    await this.#db.update(id, { text, metadata }, { keep: false })
    const kept = new Set(further.map(({ id }) => id))
    const outdated = pieceIds(id, old).filter((piece) => !kept.has(piece))
    if (outdated.length > 0) await this.#db.remove({ id: outdated }, 'an item of the store was replaced')
  }

  async #forget(ids: readonly EpisodeId[]): Promise<void> {
    for (let i = 0; i < ids.length; i += MOST_DELETED) {
      const some = ids.slice(i, i + MOST_DELETED)
      const which = { or: [{ id: some }, { metadata: { [`${NAME}.of`]: some } }] }
      await this.#db.remove(which, 'an item of the store was deleted')
    }
  }

  #draft(id: EpisodeId, { namespace, key, value, index }: PutOperation): Draft {
    if (typeof value !== 'object' || Array.isArray(value))
      throw invalid(`the value of ${key} must be an object, or null to delete it`, { what: 'value' })
    const json = jsonOf(`the value of ${key}`, value)
    const under = [...namespace.keys(), namespace.length].map((depth) => digestOfLabels(namespace.slice(0, depth)))
    // `false` is longer than `true`. Whether there is a text is known once the number of pieces is.
    const bare: Held = { namespace, key, under, indexed: false, json: '', parts: 1, digest: digestOf(json) }
    const more = { of: id, under, indexed: false, json: '' }
    const pieces = piecesOf(json, roomIn({ [NAME]: bare }), roomIn({ [NAME]: more }))
    const text = textOf(value as Record<string, unknown>, index, MOST_TEXT * pieces.length)
    const indexed = text !== undefined
    const digest = digestOf(JSON.stringify([json, text ?? null]))
    const texts = partsOf(text ?? '', pieces.length)
    const held: Held = { ...bare, indexed, digest, json: pieces[0]!, parts: pieces.length }
    const source = this.#source
    return {
      first: { id, text: texts[0]!, source, metadata: { [NAME]: held } },
      further: pieceIds(id, held).map((piece, i) => {
        const rest: HeldPiece = { of: id, under, indexed, json: pieces[i + 1]! }
        return { id: piece, text: texts[i + 1]!, source, metadata: { [NAME]: rest } }
      }),
    }
  }

  async #read(id: EpisodeId): Promise<StoredRow | undefined> {
    const episode = await this.#db.getEpisode(id)
    return episode && this.#rowOf(episode)
  }

  async #rowOf(episode: Episode): Promise<StoredRow | undefined> {
    const { id, recordedAt: createdAt, updatedAt = createdAt } = episode
    const held = heldBy(episode)
    const further = pieceIds(id, held)
    const pieces = await Promise.all(further.map((piece) => this.#db.getEpisode(piece)))
    if (pieces.includes(undefined)) return undefined
    const rest = pieces.map((piece) => (piece!.metadata![NAME] as HeldPiece).json)
    const { namespace, key, indexed, json } = held
    const value = fromJson([json, ...rest].join('')) as Record<string, unknown>
    return { namespace: [...namespace], key, value, createdAt, updatedAt, indexed, ids: [id, ...further] }
  }
}

/** The episodes of an item that is about to be stored. */
interface Draft {
  readonly first: Observation & { readonly metadata: JsonObject }
  readonly further: readonly Observation[]
}

function heldBy({ metadata }: Episode): Held {
  return metadata![NAME] as Held
}

/** What is under a namespace, and fits further conditions. */
function filterOf(prefix: readonly string[], metadata: Filter['metadata']): Filter {
  return { metadata: { [`${NAME}.under`]: digestOfLabels(checkedNamespace(prefix)), ...metadata } }
}

function isIndexed(indexed: boolean): NonNullable<Filter['metadata']> {
  return { [`${NAME}.indexed`]: indexed }
}

function digestOfLabels(labels: readonly string[]): string {
  return digestOf(JSON.stringify(labels))
}

function idOf(namespace: readonly string[], key: string): EpisodeId {
  return `lg_${digestOf(JSON.stringify([namespace, key]))}`
}

/** The ids of the episodes that hold the further pieces of a value. */
function pieceIds(id: EpisodeId, { parts, digest }: Pick<Held, 'parts' | 'digest'>): EpisodeId[] {
  return Array.from({ length: parts - 1 }, (_, i) => `${id}_${digest}_${i + 1}`)
}

function checkedNamespace(namespace: readonly string[]): string[] {
  const what = 'namespace'
  if (!Array.isArray(namespace) || namespace.some((label) => typeof label !== 'string'))
    throw invalid('a namespace must be an array of strings', { what })
  if (namespace.length > MOST_LABELS)
    throw invalid(`a namespace has ${namespace.length} labels; at most ${MOST_LABELS} are accepted`, { what })
  return namespace as string[]
}

function checkedKey(key: unknown): string {
  if (typeof key !== 'string' || key === '') throw invalid('the key of an item must be a string', { what: 'key' })
  return key
}
