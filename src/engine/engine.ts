import type { Agidb, Compaction, EpisodesOptions, Limits, ObserveManyOptions, OpenOptions, Stats, StorageEvent } from '../core/agidb.js'
import type { Caller, EpisodesPage, Serving } from '../core/caller.js'
import type { ChangeKind, ChangeListener } from '../core/change.js'
import { checkId, checkKeys, checkName, checkSignal, checkWhole, invalid } from '../core/check.js'
import { stopwatch, type Clock } from '../core/clock.js'
import type { Episode, EpisodeId, Observation, ObserveContext, TimeInput } from '../core/episode.js'
import { AgidbError } from '../core/errors.js'
import type { VerifyOptions, VerifyReport } from '../core/verify.js'
import type { IdMaker } from '../core/ids.js'
import type { Listeners } from '../core/listeners.js'
import { changes, refusedToWrite, type Method, type Result } from '../core/methods.js'
import { checkObservation, CONTEXT_KEYS, toEpisode } from '../core/observation.js'
import type { ExportOptions } from '../core/portable.js'
import type { AttentionTrace, Recall, RecallId, RecallOptions } from '../core/recall.js'
import { turn } from '../core/turn.js'
import { AttentionTraces } from '../floors/attention.js'
import { decodeRow } from '../floors/episodic.js'
import { idsOf } from '../floors/references.js'
import type { Indexes } from '../indexes/indexes.js'
import type { FetchSignatures } from '../indexes/signatures.js'
import { Encoding } from '../lifecycle/encoding.js'
import type { Compacting } from '../lifecycle/compacting.js'
import type { Keeping } from '../lifecycle/keeping.js'
import type { Receipt, Receipts } from '../lifecycle/receipts.js'
import type { Snapshot } from '../lifecycle/snapshot.js'
import type { StoredRecord } from '../lifecycle/restoring.js'
import { reportOf, verify } from './verify.js'
import { supersede } from '../lifecycle/supersede.js'
import { liveSlot, type Writer } from '../lifecycle/writer.js'
import { MindMethods, MindMethodsFor } from '../mind/methods.js'
import { Mind } from '../mind/mind.js'
import type { Forest } from '../ranker/forest.js'
import { toQuestion } from '../recall/question.js'
import { consider, type Means, recall } from '../recall/recall.js'
import type { Shards } from '../shards/shards.js'
import type { Storage, StoredEpisode } from '../storage/port.js'
import { checkExport, exportBytes, sealingFor } from '../transfer/export.js'
import { streamOf } from '../transfer/stream.js'
import type { EngineOptions } from './options.js'

const PAGE = 100
/** How long work that can wait keeps the thread at a time. */
const SLICE_MS = 5
const MAX_PAGE = 10_000
/** Each may have to keep what changes before it is read. */
const MOST_EXPORTS = 16

/** What an engine is made of besides its parts. */
export interface Setting {
  readonly options: EngineOptions
  /** Absent: the unlearned fusion ranks. */
  readonly forest: Forest | undefined
  readonly clock: Clock
  readonly makeId: IdMaker
  readonly makeRecallId: IdMaker
  /** The program that opened it. */
  readonly caller: Caller
  readonly receipts: Receipts
  readonly listeners: Listeners
  readonly limits: Limits
  readonly encoder: OpenOptions['encoder']
  readonly onEncoded: OpenOptions['onEncoded']
  readonly databaseId: string
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
export class Engine extends MindMethods implements Agidb, Serving {
  /** Given by `replaceable.ts`, since what is imported gets an engine of its own. */
  declare readonly import: Agidb['import']
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
    const { options, limits, clock, makeId, caller } = setting
    this.#mind = new Mind({
      indexes, options, limits, clock,
      writer: caller.writer,
      makeId: (prefix, now, taken) => {
        for (;;) {
          const id = makeId(prefix, now)
          if (!taken(id)) return id
        }
      },
      fetch: (slots) => this.#fetch(slots),
      find: (id) => this.#find(id),
      prepare: (observation, caller) => this.#prepare([observation], () => '', caller)[0],
      written: (episode) => this.#written([episode]),
      seen: (id, slot, caller) => this.#tell('sensoryFrameSeen', [id], slot, caller),
    }, writer, records, ({ slot, event }, caller) => this.#tell(event.kind, [...idsOf(event), event.id], slot, caller))
    void this.#makeRows()
    const { encoder, onEncoded } = setting
    if (encoder === undefined || caller.readOnly) return
    this.#encoding = new Encoding({ encoder, indexes, writer, onEncoded, fetch: (slots) => this.#fetch(slots) })
  }

  /** Begins with what goes on in the background, once the storage holds what the indexes say. */
  start(): void {
    this.#encoding?.wake()
  }

  async observe(text: string, context?: ObserveContext): Promise<EpisodeId> {
    return this.#observe(this.caller, text, context)
  }

  async observeMany(items: readonly Observation[], options?: ObserveManyOptions): Promise<EpisodeId[]> {
    return this.#observeMany(this.caller, items, options)
  }

  async #observe(caller: Caller, text: string, context: ObserveContext = {}): Promise<EpisodeId> {
    this.#checkOpen()
    checkKeys('observe', context, [...CONTEXT_KEYS, 'frame'])
    const { frame, ...rest } = context
    if (frame !== undefined) return this.#mind.observeFrame({ ...rest, text }, frame, caller)
    const [episode] = this.#prepare([{ ...rest, text }], () => '', caller)
    await this.#write([episode], { caller, answer: episode.id })
    return episode.id
  }

  /** @param begun of the items, how many are durable since the call was asked before. */
  async #observeMany(caller: Caller, items: readonly Observation[], options: ObserveManyOptions = {}, begun = 0): Promise<EpisodeId[]> {
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
    const episodes = this.#prepare(items.slice(begun), (i) => `items[${begun + i}]`, caller)
    let observed = 0
    try {
      await this.#writer.add(episodes, {
        receipt: (done) => ({ caller, answer: begun + done }),
        begin: () => {
          if (observed > 0) this.#checkOpen() // closing waits for the first commit, which was asked for before it
          checkSignal(options.signal)
        },
        durable: (done) => {
          this.#written(episodes.slice(observed, done))
          observed = done
          options.onProgress?.({ done: begun + done, total: items.length })
        },
      })
    } catch (error) {
      this.#written(episodes.slice(observed))
      throw withObserved(error, begun + observed)
    }
    // What may be asked again comes with its ids.
    return [...items.slice(0, begun).map(({ id }) => id!), ...episodes.map(({ id }) => id)]
  }

  async getEpisode(id: EpisodeId): Promise<Episode | undefined> {
    this.#checkOpen()
    checkId('id', id, this.#setting.limits)
    return this.#find(id)
  }

  async *episodes(options: EpisodesOptions = {}): AsyncGenerator<Episode[], void, undefined> {
    for (let from: number | undefined; ; ) {
      const page = await this.page(options, from)
      if (page === undefined) return
      yield [...page.episodes]
      from = page.next
    }
  }

  async page(options: EpisodesOptions = {}, from?: number): Promise<EpisodesPage | undefined> {
    this.#checkOpen()
    checkKeys('episodes', options, ['after', 'limit', 'session', 'speaker', 'source'])
    const { after, limit = PAGE, session, speaker, source } = options
    checkWhole('limit', limit, 1, MAX_PAGE)
    for (const [what, name] of Object.entries({ after, session, speaker, source })) checkName(what, name, this.#setting.limits)
    const { catalog } = this.#indexes
    const start = from ?? (after === undefined ? 0 : liveSlot(this.#indexes, after) + 1)
    const slots: number[] = []
    const belongs = catalog.belonging({ session, speaker, source }) // anew for each page: what is there may have changed
    for (const slot of catalog.slots(start)) {
      if (belongs(slot)) slots.push(slot)
      if (slots.length === limit) break
    }
    if (slots.length === 0) return undefined
    return { episodes: (await this.#fetch(slots)).filter((episode) => episode !== undefined), next: slots[slots.length - 1] + 1 }
  }

  async supersede(id: EpisodeId, byId: EpisodeId, at?: TimeInput): Promise<void> {
    return this.#supersede(this.caller, id, byId, at)
  }

  async #supersede(caller: Caller, id: EpisodeId, byId: EpisodeId, at?: TimeInput): Promise<void> {
    this.#checkOpen()
    for (const [what, value] of Object.entries({ id, byId })) checkId(what, value, this.#setting.limits)
    const slot = await this.#writer.update(id, () => supersede((id) => this.#find(id), id, byId, at, this.#setting.clock()), { caller })
    this.#tell('episodeSuperseded', [id, byId], slot, caller)
  }

  async recall(cue: string, options?: RecallOptions): Promise<Recall> {
    return this.#recall(this.caller, cue, options)
  }

  async #recall(caller: Caller, cue: string, options: RecallOptions = {}): Promise<Recall> {
    this.#checkOpen()
    const started = stopwatch()
    const question = toQuestion(cue, options, this.#setting.clock(), this.#setting.limits)
    // Who asks again and again may leave no time between.
    this.#makeSomeRows()
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
      if (!caller.readOnly) await this.#mind.traced({ recall: id, cue, considered: attentionTrace.candidates.length, episodes }, caller)
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
      role: 'owner',
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

  async export(options: ExportOptions = {}): Promise<ReadableStream<Uint8Array>> {
    this.#checkOpen()
    checkExport(options)
    if (this.#writer.snapshots.size >= MOST_EXPORTS) {
      throw new AgidbError('AGIDB_TOO_LARGE', `${MOST_EXPORTS} exports are under way; read one to its end or cancel it`, { limit: MOST_EXPORTS })
    }
    const sealed = await sealingFor(options)
    const snapshot = await this.#writer.snapshot()
    const { databaseId, clock } = this.#setting
    const exported = { databaseId, exportedAt: Math.max(0, clock()), slots: snapshot.slots, rows: this.#snapshotRows(snapshot) }
    return streamOf(exportBytes(exported, options, sealed), () => this.#writer.release(snapshot))
  }

  /** The slots of all that the memory holds; nothing may be written meanwhile. */
  slots(): Promise<number[]> {
    return this.#writer.slots()
  }

  get databaseId(): string {
    return this.#setting.databaseId
  }

  /** Runs an import, during which nothing is written. Exports that are under way end: they would wait for their turn. */
  still<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen()
    this.#writer.releaseAll()
    return this.#writer.still(work)
  }

  /** Lets go of all but the storage, which has other content now. */
  release(): void {
    this.#encoding?.stop()
    this.#upkeep.compacting.close()
    this.#upkeep.keeping.stop()
    this.#writer.end()
    this.#closing = Promise.resolve()
    this.#free()
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
        await this.#writer.tidy().catch(() => {}) // what is left is taken away another time
        await this.#upkeep.keeping.close()
        await this.#storage.close()
      } finally {
        this.#free()
        this.#setting.listeners.clear()
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
    const slot = await this.#writer.remove(id)
    this.#traces.forget(id)
    this.#tell('episodeRemoved', [id], slot, this.caller)
  }

  subscribe(listener: ChangeListener): () => void {
    this.#checkOpen()
    return this.#setting.listeners.add(listener)
  }

  async serve<M extends Method>(caller: Caller, method: M, args: readonly unknown[]): Promise<Result<M>> {
    this.#checkOpen()
    if (caller.readOnly && changes(method, args)) throw refusedToWrite(method)
    return (await this.#answer(caller, method, args)) as Result<M>
  }

  get callers(): readonly string[] {
    return this.#setting.receipts.callers
  }

  received(from: string, upTo: number): void {
    this.#setting.receipts.received(from, upTo)
  }

  forget(from: string): void {
    this.#setting.receipts.forget(from)
  }

  protected get caller(): Caller {
    return this.#setting.caller
  }

  protected get mind(): Mind {
    this.#checkOpen()
    return this.#mind
  }

  #answer(caller: Caller, method: Method, args: readonly unknown[]): Promise<unknown> {
    const receipt = this.#setting.receipts.find(caller)
    if (receipt !== undefined) return this.#answerAgain(caller, method, args, receipt.answer)
    if (method === 'observe') return this.#observe(caller, ...(args as [string, ObserveContext?]))
    if (method === 'observeMany') return this.#observeMany(caller, ...(args as [Observation[], ObserveManyOptions?]))
    if (method === 'supersede') return this.#supersede(caller, ...(args as [EpisodeId, EpisodeId, TimeInput?]))
    if (method === 'recall') return this.#recall(caller, ...(args as [string, RecallOptions?]))
    const methods = method in MindMethods.prototype ? new MindMethodsFor(this.mind, caller) : this
    return (methods[method as keyof MindMethods] as (...args: unknown[]) => Promise<unknown>).apply(methods, [...args])
  }

  /** The answer of a call that had its effect: as it was or, where it says what is there, as that is now. */
  async #answerAgain(caller: Caller, method: Method, args: readonly unknown[], answer: unknown): Promise<unknown> {
    if (method === 'observeMany') {
      const [items, options] = args as [Observation[], ObserveManyOptions?]
      return this.#observeMany(caller, items, options, answer as number)
    }
    if (method === 'recordExecution') return this.#mind.procedures.get(args[0] as string)
    return method.endsWith('Goal') && answer === undefined ? this.#mind.goals.get(args[0] as string) : answer
  }

  #tell(kind: ChangeKind, ids: readonly string[], slot: number, { writer, from }: Caller): void {
    this.#setting.listeners.tell({ kind, ids, slot, writer, from, own: from === this.caller.from })
  }

  /** Checks observations and makes episodes of them, all or none. */
  #prepare(items: readonly Observation[], name: (index: number) => string, { writer }: Caller): Episode[] {
    const { clock, limits, makeId } = this.#setting
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

  async #write(episodes: readonly Episode[], receipt: Receipt): Promise<void> {
    await this.#writer.add(episodes, { receipt: () => receipt }).finally(() => this.#written(episodes))
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

  /** What an opened memory can do without, made between other work. */
  async #makeRows(): Promise<void> {
    do await turn()
    while (this.#makeSomeRows())
  }

  /** Makes rows for a moment; false when there is nothing more to make. */
  #makeSomeRows(): boolean {
    const until = stopwatch() + SLICE_MS
    do if (this.#closing !== undefined || !this.#indexes.makeRows()) return false
    while (stopwatch() < until)
    return true
  }

  /** The rows of a snapshot, as long as the memory is open. */
  async *#snapshotRows(snapshot: Snapshot): AsyncGenerator<StoredEpisode[]> {
    for (;;) {
      this.#checkOpen()
      if (!this.#writer.snapshots.has(snapshot)) throw new AgidbError('AGIDB_CLOSED', 'the export ended when an import began; a memory cannot be imported from itself')
      const rows = await this.#writer.still(() => snapshot.read())
      if (rows.length === 0) return
      yield rows
    }
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

  /** Gives memory and threads back. */
  #free(): void {
    this.#setting.shards?.close()
    this.#indexes.free()
    this.#mind.free()
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
