import type { Agidb } from '../../api/agidb.js'
import { checkKeys, invalid } from '../../api/check.js'
import type { EpisodePatch, Observation } from '../../api/episode.js'
import type { Filter } from '../../api/filter.js'
import type { JsonObject } from '../../api/json.js'
import { AgidbError } from '../../base/errors.js'
import { cueOf } from '../cue.js'
import { saidTexts } from '../said.js'
import { checkedDay, EXPIRATION, unexpired } from './expiration.js'
import { anyOwner, filterOf, filterOfOwner, type MemoryFilters, OWNERS } from './filters.js'
import { historyOf, itemOf, type MemoryHistoryEntry, type MemoryItem } from './items.js'
import type {
  AddMemoryOptions,
  GetAllMemoryOptions,
  MemoryMessage,
  MemoryOwner,
  SearchMemoryOptions,
  UpdateMemoryOptions,
} from './options.js'

/** The methods of a memory that {@link Memory} calls. */
export type MemoryBase = Pick<
  Agidb,
  'observeMany' | 'getEpisode' | 'episodes' | 'recall' | 'update' | 'remove' | 'history'
>

const ADD_KEYS = ['userId', 'agentId', 'runId', 'metadata', 'filters', 'infer', 'timestamp', 'expirationDate']
const LIST_KEYS = ['topK', 'filters', 'showExpired']
const SEARCH_KEYS = [...LIST_KEYS, 'threshold', 'explain', 'rerank']

/**
 * The methods of mem0's `Memory` on this memory, without a model, a vector store or a key:
 *
 *     const memory = new Memory(db)
 *     await memory.add('Ann loves thai food.', { userId: 'ann' })
 *     const { results } = await memory.search('What does Ann eat?', { filters: { user_id: 'ann' } })
 *
 * A memory is an episode. Owners and expiration stand in its metadata; the run is its session. Every method throws an
 * `AgidbError` with a code for what it refuses.
 */
export class Memory {
  readonly #db: MemoryBase
  readonly #now: () => number

  /**
   * @param db the memory, or a scope of it, where owners are to be told apart altogether
   * @param options `now`: the time in epoch milliseconds by which memories expire. Default: the clock of the system
   */
  constructor(db: MemoryBase, options: { readonly now?: () => number } = {}) {
    checkKeys('Memory', options, ['now'])
    this.#db = db
    this.#now = options.now ?? Date.now
  }

  /**
   * Remembers a text, or messages but those of the system, word by word, in one write; a long one in several
   * episodes.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` without an owner, and for content that is no text;
   * `AGIDB_INVALID_TEXT` where nothing is said
   */
  async add(
    messages: string | readonly MemoryMessage[],
    options: AddMemoryOptions,
  ): Promise<{ readonly results: MemoryItem[] }> {
    checkKeys('add', options, ADD_KEYS)
    const { metadata = {}, filters = {}, timestamp, expirationDate } = options ?? {}
    const owner = ownerOf(options ?? {}, filters)
    if (Object.keys(owner).length === 0)
      throw invalid('add names no owner; expected userId, agentId or runId', { what: 'userId' })
    const stored: JsonObject = {
      ...withoutOwners(metadata),
      ...owner,
      ...(expirationDate != null && { [EXPIRATION]: checkedDay(expirationDate) }),
    }
    const said = saidIn(messages, owner).map(
      ({ text, speaker }): Observation => ({
        ...{ text, speaker, metadata: stored },
        ...(owner.run_id !== undefined && { session: owner.run_id }),
        ...(timestamp != null && { at: timestamp }),
      }),
    )
    const ids = await this.#db.observeMany(said)
    const episodes = await Promise.all(ids.map((id) => this.#db.getEpisode(id)))
    return { results: episodes.flatMap((episode) => (episode === undefined ? [] : [itemOf(episode)])) }
  }

  /** The memory with this id, or `null`. */
  async get(memoryId: string): Promise<MemoryItem | null> {
    const episode = await this.#db.getEpisode(memoryId)
    return episode === undefined ? null : itemOf(episode)
  }

  /** Memories, oldest first. */
  async getAll(options: GetAllMemoryOptions): Promise<{ readonly results: MemoryItem[] }> {
    checkKeys('getAll', options, LIST_KEYS)
    const { filter, topK } = this.#asked(options)
    const results: MemoryItem[] = []
    if (topK === 0) return { results }
    for await (const page of this.#db.episodes({ filter, limit: Math.min(topK, 1_000) })) {
      results.push(...page.slice(0, topK - results.length).map(itemOf))
      if (results.length >= topK) break
    }
    return { results }
  }

  /** Memories that answer a question, best first; `score` says how likely each is what was asked for. */
  async search(query: string, options: SearchMemoryOptions): Promise<{ readonly results: MemoryItem[] }> {
    checkKeys('search', options, SEARCH_KEYS)
    const { filter, topK } = this.#asked(options)
    const { threshold = 0, explain = false, filters } = options
    const cue = typeof query === 'string' ? cueOf(query) : query
    if (topK === 0) return { results: [] }
    const user = filters?.user_id
    const asker = typeof user === 'string' && user !== '*' ? { asker: user.trim() } : {}
    const { matches } = await this.#db.recall(cue, {
      ...{ filter, k: topK, minConfidence: threshold, fold: false },
      ...asker,
    })
    return {
      results: matches.map((match) => ({
        ...itemOf(match),
        score: match.confidence,
        ...(explain && { score_details: match.signals }),
      })),
    }
  }

  /** Changes a memory. What it said before is kept as a version, which `history` shows. */
  async update(memoryId: string, options: string | UpdateMemoryOptions): Promise<{ readonly message: string }> {
    const given = typeof options === 'string' ? { text: options } : options
    checkKeys('update', given, ['text', 'data', 'metadata', 'expirationDate'])
    const { metadata, expirationDate } = given
    const text = given.text ?? given.data
    if (text === undefined && metadata === undefined && expirationDate === undefined)
      throw invalid('update changes nothing; expected text, metadata or expirationDate', { what: 'update' })
    const patch: { -readonly [Key in keyof EpisodePatch]: EpisodePatch[Key] } = {}
    if (text !== undefined) patch.text = text
    if (metadata !== undefined || expirationDate !== undefined) {
      const episode = await this.#db.getEpisode(memoryId)
      if (episode === undefined)
        throw new AgidbError('AGIDB_NOT_FOUND', `there is no memory ${JSON.stringify(memoryId)}`, { id: memoryId })
      const { [EXPIRATION]: before, ...kept } = episode.metadata ?? {}
      const day =
        expirationDate === undefined ? before : expirationDate === null ? undefined : checkedDay(expirationDate)
      patch.metadata = {
        ...kept,
        ...withoutOwners(metadata ?? {}),
        ...(day !== undefined && { [EXPIRATION]: day }),
      }
    }
    await this.#db.update(memoryId, patch)
    return { message: 'Memory updated successfully!' }
  }

  /** Forgets a memory: nothing finds it any more, and its history is gone. */
  async delete(memoryId: string): Promise<{ readonly message: string }> {
    await this.#db.remove(memoryId, 'a memory was deleted')
    return { message: 'Memory deleted successfully!' }
  }

  /** Forgets all memories of an owner: of several that are named, those that are of all. */
  async deleteAll(owner: MemoryOwner): Promise<{ readonly message: string }> {
    checkKeys('deleteAll', owner, ['userId', 'agentId', 'runId'])
    const named = ownerOf(owner ?? {}, {})
    if (Object.keys(named).length === 0)
      throw invalid('deleteAll names no owner; expected userId, agentId or runId, or call reset()', { what: 'userId' })
    await this.#db.remove(filterOfOwner(named), 'the memories of an owner were deleted')
    return { message: 'Memories deleted successfully!' }
  }

  /** What a memory said, newest first. What was deleted has no history. */
  async history(memoryId: string): Promise<MemoryHistoryEntry[]> {
    const isThere = (await this.#db.getEpisode(memoryId)) !== undefined
    return isThere ? historyOf(await this.#db.history(memoryId)) : []
  }

  /** Forgets all memories that have an owner. Other episodes stay. */
  async reset(): Promise<void> {
    await this.#db.remove(anyOwner(), 'the memory was reset')
  }

  #asked({ filters, topK = 20, showExpired = false }: GetAllMemoryOptions = {}): { filter: Filter; topK: number } {
    if (!Number.isInteger(topK) || topK < 0)
      throw invalid(`topK is ${String(topK)}; expected a whole number from 0 on`, { what: 'topK' })
    const filter = filterOf(filters)
    return { topK, filter: showExpired ? filter : { and: [filter, unexpired(this.#now())] } }
  }
}

/** The owners that options and filters name, under the names of metadata. */
function ownerOf(options: MemoryOwner, filters: MemoryFilters): Partial<Record<(typeof OWNERS)[number], string>> {
  if (typeof filters !== 'object' || filters === null)
    throw invalid("filters must be an object such as { user_id: 'ann' }", { what: 'filters' })
  const given = { user_id: options.userId, agent_id: options.agentId, run_id: options.runId }
  return Object.fromEntries(
    OWNERS.flatMap((name) => {
      const owner = given[name] ?? filters[name]
      if (owner === undefined || owner === null) return []
      if (typeof owner !== 'string' || owner.trim() === '')
        throw invalid(`${name} must be a string that is not blank`, { what: name })
      return [[name, owner.trim()]]
    }),
  )
}

function withoutOwners(metadata: JsonObject): JsonObject {
  const members = Object.entries(metadata)
  return Object.fromEntries(members.filter(([name]) => !OWNERS.includes(name as (typeof OWNERS)[number])))
}

/** What is said in messages, and by whom. */
function saidIn(messages: string | readonly MemoryMessage[], owner: ReturnType<typeof ownerOf>) {
  const list = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages
  if (!Array.isArray(list)) throw invalid('messages must be a text or an array of messages', { what: 'messages' })
  if (list.some((message) => typeof message !== 'object' || message === null))
    throw invalid('messages must be objects such as { role, content }', { what: 'messages' })
  const said = (list as readonly MemoryMessage[]).filter(({ role }) => role !== 'system')
  const texts = said.map(({ role, content, name }, i) => {
    if (typeof content !== 'string')
      throw invalid(`messages[${i}].content must be a text; pictures are remembered by observeMultimodal`, {
        what: 'messages',
      })
    const speaker = name ?? (role === 'assistant' ? (owner.agent_id ?? role) : (owner.user_id ?? role))
    return { text: content, speaker }
  })
  const spoken = texts.flatMap(({ text, speaker }) => saidTexts(text).map((text) => ({ text, speaker })))
  if (spoken.length === 0) throw new AgidbError('AGIDB_INVALID_TEXT', 'messages say nothing; expected some text')
  return spoken
}
