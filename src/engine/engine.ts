import type { Agidb, Compaction, EpisodesOptions, Limits, ObserveManyOptions, OpenOptions, Stats, StorageEvent } from '../core/agidb.js'
import { checkId, checkKeys, checkName, checkSignal, checkWhole, invalid } from '../core/check.js'
import { stopwatch, type Clock } from '../core/clock.js'
import type { Episode, EpisodeId, Observation, ObserveContext, TimeInput } from '../core/episode.js'
import { AgidbError } from '../core/errors.js'
import type { VerifyOptions, VerifyReport } from '../core/verify.js'
import type { IdMaker } from '../core/ids.js'
import { checkObservation, CONTEXT_KEYS, toEpisode } from '../core/observation.js'
import type { AttentionTrace, Recall, RecallId, RecallOptions } from '../core/recall.js'
import { AttentionTraces } from '../floors/attention.js'
import { decodeRow } from '../floors/episodic.js'
import type { Indexes } from '../indexes/indexes.js'
import type { FetchSignatures } from '../indexes/signatures.js'
import { Encoding } from '../lifecycle/encoding.js'
import type { Compacting } from '../lifecycle/compacting.js'
import type { Keeping } from '../lifecycle/keeping.js'
import type { StoredRecord } from '../lifecycle/restoring.js'
import { reportOf, verify } from './verify.js'
import { supersede } from '../lifecycle/supersede.js'
import { liveSlot, type Writer } from '../lifecycle/writer.js'
import { MindMethods } from '../mind/methods.js'
import { Mind } from '../mind/mind.js'
import type { Forest } from '../ranker/forest.js'
import { toQuestion } from '../recall/question.js'
import { consider, type Means, recall } from '../recall/recall.js'
import type { Shards } from '../shards/shards.js'
import type { Storage } from '../storage/port.js'
import type { EngineOptions } from './options.js'

const PAGE = 100
const MAX_PAGE = 10_000

/** What an engine is made of besides its parts. */
export interface Setting {
  readonly options: EngineOptions
  /** Absent: the unlearned fusion ranks. */
  readonly forest: Forest | undefined
  readonly clock: Clock
  readonly makeId: IdMaker
  readonly makeRecallId: IdMaker
  readonly writer: string
  readonly limits: Limits
  readonly encoder: OpenOptions['encoder']
  readonly onEncoded: OpenOptions['onEncoded']
  /** Absent where the storage keeps none. */
  readonly signatures: FetchSignatures | undefined
  /** Absent where there are no other threads. */
  readonly shards: Shards | undefined
  /** What happened when the indexes were built. */
  readonly opening: readonly StorageEvent[]
}

/** What is done from time to time. */
interface Upkeep {
  readonly keeping: Keeping
  readonly compacting: Compacting
}

/** Candidates with their features, row by row. */
export interface Considered {
  readonly ids: readonly EpisodeId[]
  readonly features: Float64Array
}

/** The memory itself, in this thread. */
export class Engine extends MindMethods implements Agidb {
  readonly #storage: Storage
  readonly #indexes: Indexes
  readonly #writer: Writer
  readonly #upkeep: Upkeep
  readonly #setting: Setting
  readonly #encoding: Encoding | undefined
  readonly #traces: AttentionTraces
  readonly #means: Means
  readonly #mind: Mind
  /** Ids that are being written. */
  readonly #pending = new Set<EpisodeId>()
  #closing: Promise<void> | undefined

  constructor(storage: Storage, indexes: Indexes, writer: Writer, upkeep: Upkeep, records: readonly StoredRecord[], setting: Setting) {
    super()
    this.#storage = storage
    this.#indexes = indexes
    this.#writer = writer
    this.#upkeep = upkeep
    this.#setting = setting
    this.#traces = new AttentionTraces(setting.limits.traces)
    const { shards, signatures } = setting
    this.#means = { fetch: (slots) => this.#fetch(slots), signatures, ...(shards && { scan: (...asked) => shards.scan(...asked) }) }
    const { options, limits, clock, makeId } = setting
    this.#mind = new Mind({
      indexes, options, limits, clock,
      writer: setting.writer,
      makeId: (prefix, now, taken) => {
        for (;;) {
          const id = makeId(prefix, now)
          if (!taken(id)) return id
        }
      },
      fetch: (slots) => this.#fetch(slots),
      find: (id) => this.#find(id),
      prepare: (observation) => this.#prepare([observation], () => '')[0],
      written: (episode) => this.#written([episode]),
    }, writer, records)
    const { encoder, onEncoded } = setting
    if (encoder === undefined) return
    this.#encoding = new Encoding({ encoder, indexes, writer, onEncoded, fetch: (slots) => this.#fetch(slots) })
    this.#encoding.wake()
  }

  async observe(text: string, context: ObserveContext = {}): Promise<EpisodeId> {
    this.#checkOpen()
    checkKeys('observe', context, [...CONTEXT_KEYS, 'frame'])
    const { frame, ...rest } = context
    if (frame !== undefined) return this.#mind.observeFrame({ ...rest, text }, frame)
    const [episode] = this.#prepare([{ ...rest, text }], () => '')
    await this.#write([episode])
    return episode.id
  }

  async observeMany(items: readonly Observation[], options: ObserveManyOptions = {}): Promise<EpisodeId[]> {
    this.#checkOpen()
    checkKeys('observeMany', options, ['onProgress', 'signal'])
    if (options.onProgress !== undefined && typeof options.onProgress !== 'function') {
      throw invalid('onProgress must be a function that takes { done, total }', { option: 'onProgress' })
    }
    if (!Array.isArray(items)) throw invalid('items must be an array of { text, … }', { what: 'items' })
    const { batch } = this.#setting.limits
    if (items.length > batch) {
      throw new AgidbError('AGIDB_TOO_LARGE', `items has ${items.length} items; at most ${batch} are accepted (limits.batch)`, { what: 'items' })
    }
    const episodes = this.#prepare(items, (i) => `items[${i}]`)
    let observed = 0
    try {
      await this.#writer.add(episodes, {
        begin: () => {
          if (observed > 0) this.#checkOpen() // closing waits for the first commit, which was asked for before it
          checkSignal(options.signal)
        },
        durable: (done) => {
          this.#written(episodes.slice(observed, done))
          observed = done
          options.onProgress?.({ done, total: episodes.length })
        },
      })
    } catch (error) {
      this.#written(episodes.slice(observed))
      throw withObserved(error, observed)
    }
    return episodes.map(({ id }) => id)
  }

  async getEpisode(id: EpisodeId): Promise<Episode | undefined> {
    this.#checkOpen()
    checkId('id', id, this.#setting.limits)
    return this.#find(id)
  }

  async *episodes(options: EpisodesOptions = {}): AsyncGenerator<Episode[], void, undefined> {
    this.#checkOpen()
    checkKeys('episodes', options, ['after', 'limit', 'session', 'speaker', 'source'])
    const { after, limit = PAGE, session, speaker, source } = options
    checkWhole('limit', limit, 1, MAX_PAGE)
    for (const [what, name] of Object.entries({ after, session, speaker, source })) checkName(what, name, this.#setting.limits)
    const { catalog } = this.#indexes
    let start = after === undefined ? 0 : liveSlot(this.#indexes, after) + 1
    for (;;) {
      this.#checkOpen()
      const slots: number[] = []
      const belongs = catalog.belonging({ session, speaker, source }) // anew for each page: what is there may have changed
      for (const slot of catalog.slots(start)) {
        if (belongs(slot)) slots.push(slot)
        if (slots.length === limit) break
      }
      if (slots.length === 0) return
      yield (await this.#fetch(slots)).filter((episode) => episode !== undefined)
      start = slots[slots.length - 1] + 1
    }
  }

  async supersede(id: EpisodeId, byId: EpisodeId, at?: TimeInput): Promise<void> {
    this.#checkOpen()
    for (const [what, value] of Object.entries({ id, byId })) checkId(what, value, this.#setting.limits)
    await this.#writer.update(id, () => supersede((id) => this.#find(id), id, byId, at, this.#setting.clock()))
  }

  async recall(cue: string, options: RecallOptions = {}): Promise<Recall> {
    this.#checkOpen()
    const started = stopwatch()
    const question = toQuestion(cue, options, this.#setting.clock(), this.#setting.limits)
    const asked = await this.#encoding?.ask(cue)
    this.#checkOpen()
    const goals = options.goals ?? this.#mind.goals.texts()
    const meant = { ...question, goals, sentence: asked?.query }
    const answer = await recall(this.#indexes, this.#means, this.#setting.forest, meant)
    const { now, validAsOf, transactionAsOf } = question.visibility
    const bearing = await this.#mind.bearingOn(cue, { now, validAsOf, transactionAsOf })
    checkSignal(options.signal)
    const id = this.#setting.makeRecallId('rc_', question.now)
    const attentionTrace = answer.attentionTrace && { ...answer.attentionTrace, ...(asked && { sentence: asked.use }) }
    if (attentionTrace !== undefined) {
      this.#keepTrace(id, structuredClone(attentionTrace)) // the caller may do with his as he likes
      const episodes = answer.matches.map(({ id }) => id)
      await this.#mind.traced({ recall: id, cue, considered: attentionTrace.candidates.length, episodes })
    }
    return { id, ...answer, ...bearing, ...(attentionTrace && { attentionTrace }), elapsedMs: stopwatch() - started }
  }

  async attentionTrace(recallId: RecallId): Promise<AttentionTrace | undefined> {
    this.#checkOpen()
    checkId('recallId', recallId, this.#setting.limits)
    return structuredClone(this.#traces.find(recallId))
  }

  /** The candidates of a cue as a ranker sees them: what is needed to train one. */
  consider(cue: string, options: RecallOptions = {}): Considered {
    this.#checkOpen()
    const { sight, features } = consider(this.#indexes, toQuestion(cue, options, this.#setting.clock(), this.#setting.limits))
    return { ids: Array.from(sight.slots, (slot) => this.#indexes.catalog.id(slot)!), features: features.values }
  }

  async stats(): Promise<Stats> {
    this.#checkOpen()
    const { catalog, concepts, postings, kernel } = this.#indexes
    const { name, bytes, memory: storage = 0, durability, durabilityReason, opening, room } = await this.#storage.stats()
    const { shards } = this.#setting
    const memoryParts = {
      kernel: kernel.memoryBytes,
      indexes: this.#indexes.bytes,
      codebook: this.#indexes.latents?.codebook.bytes ?? 0,
      storage,
      shards: shards?.bytes ?? 0,
    }
    return {
      episodes: catalog.size,
      sessions: catalog.sessions.size,
      speakers: catalog.speakers.size,
      concepts: concepts.size,
      terms: postings.terms,
      ...this.#mind.sizes,
      bytes,
      memory: Object.values(memoryParts).reduce((sum, bytes) => sum + bytes, 0),
      memoryParts,
      shards: { threads: shards?.threads ?? 0, episodes: shards?.episodes ?? 0 },
      ...(room && { room }),
      durability,
      durabilityReason,
      storage: name,
      kernel: kernel.name,
      codebook: this.#indexes.latents?.codebook.id ?? 'none',
      ranker: this.#setting.forest?.name ?? 'fusion',
      ...(this.#encoding && { encoder: this.#encoding.stats }),
      opening: [...opening, ...this.#setting.opening],
    }
  }

  async flush(): Promise<void> {
    this.#checkOpen()
    await this.#writer.idle()
    await this.#storage.flush()
  }

  async compact(): Promise<Compaction> {
    this.#checkOpen()
    return this.#upkeep.compacting.compact()
  }

  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    this.#checkOpen()
    checkKeys('verify', options, ['repair'])
    if (options.repair !== undefined && typeof options.repair !== 'boolean') throw invalid('repair must be true or false', { option: 'repair' })
    const found = await this.#writer.still(() => verify(this.#storage, this.#indexes))
    if (!options.repair || found.problems.length === 0) return reportOf(found)
    await this.#writer.still(async () => this.#storage.mend?.(found.problems.map(({ code }) => code)))
    await this.#upkeep.keeping.keep()
    const left = await this.#writer.still(() => verify(this.#storage, this.#indexes))
    return reportOf(found, found.problems.map(({ code }) => code).filter((code) => !left.has(code)))
  }

  close(): Promise<void> {
    this.#encoding?.stop()
    this.#upkeep.compacting.close()
    this.#closing ??= this.#writer.idle().then(async () => {
      try {
        await this.#upkeep.keeping.close()
        await this.#storage.close()
      } finally {
        this.#setting.shards?.close()
        this.#indexes.free()
        this.#mind.free()
      }
    })
    return this.#closing
  }

  /**
   * Takes an episode out of the storage and of every index, as if it had never been observed.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`.
   */
  async remove(id: EpisodeId): Promise<void> {
    this.#checkOpen()
    checkId('id', id, this.#setting.limits)
    await this.#writer.remove(id)
    this.#traces.forget(id)
  }

  protected get mind(): Mind {
    this.#checkOpen()
    return this.#mind
  }

  /** Checks observations and makes episodes of them, all or none. */
  #prepare(items: readonly Observation[], name: (index: number) => string): Episode[] {
    const { clock, limits, makeId, writer } = this.#setting
    const chosen = new Set<EpisodeId>()
    const taken = (id: EpisodeId) => chosen.has(id) || this.#pending.has(id) || this.#indexes.catalog.slot(id) !== undefined
    for (const [i, item] of items.entries()) {
      checkObservation(name(i), item, limits)
      if (item.id === undefined) continue
      if (taken(item.id)) {
        const where = name(i) === '' ? 'id' : `${name(i)}.id`
        throw new AgidbError('AGIDB_DUPLICATE_ID', `${where} is ${JSON.stringify(item.id)}, which is taken; choose another or leave it out`, { id: item.id })
      }
      chosen.add(item.id)
    }
    const now = clock()
    const newId = () => {
      let id = makeId('ep_', now)
      while (taken(id)) id = makeId('ep_', now)
      chosen.add(id)
      return id
    }
    const episodes = items.map((item) => toEpisode(item, item.id ?? newId(), now, writer))
    for (const id of chosen) this.#pending.add(id)
    return episodes
  }

  async #write(episodes: readonly Episode[]): Promise<void> {
    await this.#writer.add(episodes).finally(() => this.#written(episodes))
  }

  /** Episodes that were prepared are now written, or refused. */
  #written(episodes: readonly Episode[]): void {
    for (const { id } of episodes) this.#pending.delete(id)
    this.#encoding?.wake()
  }

  async #fetch(slots: readonly number[]): Promise<(Episode | undefined)[]> {
    const rows = await this.#storage.rows(slots).catch((error: unknown) => {
      this.#checkOpen() // closed while it was reading
      throw error
    })
    return rows.map((row) => row && decodeRow(row))
  }

  #keepTrace(recall: RecallId, trace: AttentionTrace): void {
    this.#traces.keep(recall, trace)
    // What was forgotten while the answer was on its way.
    const named = [...trace.candidates.map(({ id }) => id), ...(trace.time?.event === undefined ? [] : [trace.time.event])]
    for (const id of named) if (this.#indexes.catalog.slot(id) === undefined) this.#traces.forget(id)
  }

  async #find(id: EpisodeId): Promise<Episode | undefined> {
    const slot = this.#indexes.catalog.slot(id)
    return slot === undefined ? undefined : (await this.#fetch([slot]))[0]
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new AgidbError('AGIDB_CLOSED', 'the database is closed; open it again to use it')
  }
}

/** The same error, saying how many observations were durable before it. */
function withObserved(error: unknown, observed: number): unknown {
  if (!(error instanceof AgidbError)) return error
  return new AgidbError(error.code, `${error.message} (${observed} of the items before it are durable)`, { ...error.details, observed }, { cause: error.cause })
}
