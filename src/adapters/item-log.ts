import type { Agidb } from '../api/agidb.js'
import { invalid } from '../api/check.js'
import type { EpisodeId, Observation } from '../api/episode.js'
import type { Filter } from '../api/filter.js'
import type { JsonObject, JsonValue } from '../api/json.js'
import { digestOf, partsOf, piecesOf, roomIn } from './stored-json.js'

/** The methods of a memory that an {@link ItemLog} calls. */
export type ItemLogMemory = Pick<Agidb, 'observeMany' | 'episodes' | 'remove'>

/** Where the items of a log are stored. */
export interface ItemLogPlace {
  /** The member of the metadata that holds an item: the name of the framework. */
  readonly name: string
  /** The session of the episodes. */
  readonly session: string
  /** The source of the episodes. */
  readonly source: string
}

/** An item to be stored. */
export interface NewItem {
  readonly json: string
  /** What recall finds it by. */
  readonly text: string
  readonly speaker: string
  /** Further members of what is stored of it. */
  readonly extra?: JsonObject
}

/** An item as it is stored. */
export interface StoredItem {
  readonly json: string
  /** The episodes that hold it. */
  readonly ids: readonly EpisodeId[]
  readonly extra: JsonObject
}

/** What the metadata of an episode says of the item that it holds. */
interface Held extends JsonObject {
  readonly json: string
  /** Which piece of the item this is, of how many. */
  readonly part: number
  readonly parts: number
  /** The digest of the whole item. */
  readonly of: string
}

/** What the metadata of the episode says that ends an operation: from then on it counts. */
interface Marker extends JsonObject {
  /** Empty: it holds no item. */
  readonly json: ''
  readonly operation: string
  /** What the operation did. */
  readonly digest: string
  /** The first episode of the items that it replaces, and how many these are. */
  readonly from: EpisodeId | null
  readonly replaced: number
}

/** An item of which not all pieces may be read yet. */
interface Draft {
  readonly parts: number
  readonly extra: JsonObject
  readonly pieces: string[]
  readonly ids: EpisodeId[]
}

/** An operation on a log: its id, which is kept, and a digest of what it does. */
export interface Operation {
  readonly id: string
  readonly digest: string
}

/**
 * A list of JSON items of a framework, stored as the episodes of a session: recall finds them by their words, and they
 * are given back unchanged from the metadata. An item that is longer than metadata may be is stored in several
 * episodes; one of which a crash kept only some is not given back.
 */
export class ItemLog {
  readonly #db: ItemLogMemory
  readonly #place: ItemLogPlace

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` without a session: its filter would match those of everybody */
  constructor(db: ItemLogMemory, place: ItemLogPlace) {
    const { session } = place
    if (typeof session !== 'string' || session.trim() === '')
      throw invalid('session must be a string that is not blank', { what: 'session' })
    this.#db = db
    this.#place = place
  }

  /** All items, in the order in which they were stored. */
  async read(): Promise<StoredItem[]> {
    return (await this.#scan()).items
  }

  /** The items, and those that an operation replaced and that are not forgotten yet. */
  async #scan(): Promise<{ readonly items: StoredItem[]; readonly replaced: StoredItem[] }> {
    const replaced: Draft[] = []
    const drafts: Draft[] = []
    const byDigest = new Map<string, Draft>()
    /** Items of operations that are not ended. */
    const pending = new Map<JsonValue, Draft[]>()
    for await (const page of this.#db.episodes({ filter: this.#filter(), limit: 1_000 })) {
      for (const { id, metadata } of page) {
        const held = metadata![this.#place.name] as Held | Marker
        if (isMarker(held)) {
          replaced.push(...taken(drafts, held))
          drafts.push(...(pending.get(held.operation) ?? []))
          pending.delete(held.operation)
          continue
        }
        const { json, part, parts, of, ...extra } = held
        if (part === 0) {
          const draft: Draft = { parts, extra, pieces: [], ids: [] }
          byDigest.set(of, draft)
          const { operation } = extra
          if (operation === undefined) drafts.push(draft)
          else pending.set(operation, [...(pending.get(operation) ?? []), draft])
        }
        const draft = byDigest.get(of)
        draft?.pieces.push(json)
        draft?.ids.push(id)
      }
    }
    return { items: wholeOf(drafts), replaced: wholeOf(replaced) }
  }

  /** Stores items at the end, in one write. */
  async append(items: readonly NewItem[]): Promise<void> {
    if (items.length === 0) return
    await this.#db.observeMany(items.flatMap((item) => this.#observations(item)))
  }

  /** The digest of what an operation did that ended, or `undefined`. */
  async operation(id: string): Promise<string | undefined> {
    const { name } = this.#place
    const metadata = { [`${name}.operation`]: digestOf(id), [`${name}.digest`]: { exists: true } }
    for await (const [marker] of this.#db.episodes({ filter: { and: [this.#filter(), { metadata }] }, limit: 1 }))
      return (marker!.metadata![name] as Marker).digest
    return undefined
  }

  /**
   * Stores items in the place of the last ones, which are forgotten. The operation counts from the moment on at which
   * its marker is durable, which is stored last; a crash before that leaves the log as it was.
   */
  async apply({ id, digest }: Operation, replaced: readonly StoredItem[], items: readonly NewItem[]): Promise<void> {
    const { name, session, source } = this.#place
    const operation = digestOf(id)
    const from = replaced[0]?.ids[0] ?? null
    const marker: Marker = { json: '', operation, digest, from, replaced: replaced.length }
    const added = items.map((item) => ({ ...item, extra: { ...item.extra, operation } }))
    await this.#db.observeMany([
      ...added.flatMap((item) => this.#observations(item)),
      { text: '…', session, source, metadata: { [name]: marker } },
    ])
    await this.sweep()
  }

  /** Forgets what operations replaced; after a crash it may still be there. */
  async sweep(): Promise<void> {
    await this.remove((await this.#scan()).replaced, 'items of the session were replaced')
  }

  /** Forgets items. */
  async remove(items: readonly StoredItem[], reason: string): Promise<void> {
    const ids = items.flatMap(({ ids }) => ids)
    // A filter takes 10,000 values.
    for (let i = 0; i < ids.length; i += 10_000) await this.#db.remove({ id: ids.slice(i, i + 10_000) }, reason)
  }

  /** Forgets all items. Other episodes of the session stay. */
  async clear(reason: string): Promise<void> {
    await this.#db.remove(this.#filter(), reason)
  }

  #filter(): Filter {
    const { name, session } = this.#place
    return { session, metadata: { [`${name}.json`]: { exists: true } } }
  }

  #observations({ json, text, speaker, extra = {} }: NewItem): Observation[] {
    const { name, session, source } = this.#place
    const of = digestOf(json)
    const bare: Held = { ...extra, json: '', part: 0, parts: 1, of }
    const pieces = piecesOf(json, roomIn({ [name]: bare }))
    const texts = partsOf(text, pieces.length)
    return pieces.map((piece, part) => {
      const held: Held = { ...bare, json: piece, part, parts: pieces.length }
      return { text: texts[part]!, speaker, session, source, metadata: { [name]: held } }
    })
  }
}

/** The items of which all pieces were read. */
function wholeOf(drafts: readonly Draft[]): StoredItem[] {
  return drafts.filter(isWhole).map(({ pieces, ids, extra }) => ({ json: pieces.join(''), ids, extra }))
}

function isWhole({ ids, parts }: Draft): boolean {
  return ids.length === parts
}

/** Takes out of the drafts what an operation replaced. It counted whole items: parts that a crash left do not count. */
function taken(drafts: Draft[], { from, replaced }: Marker): Draft[] {
  const start = drafts.findIndex(({ ids }) => ids[0] === from)
  if (start < 0) return []
  let [end, left] = [start, replaced]
  for (; end < drafts.length && left > 0; end++) if (isWhole(drafts[end]!)) left--
  return drafts.splice(start, end - start)
}

function isMarker(held: Held | Marker): held is Marker {
  return 'digest' in held
}
