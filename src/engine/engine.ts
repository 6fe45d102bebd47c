import type { Agidb } from '../api/agidb.js'
import type { Compaction, Stats } from '../api/stats.js'
import type { Episode, EpisodeId, EpisodeVersion, TimeInput } from '../api/episode.js'
import type { EpisodesOptions } from '../api/episode-pages.js'
import type { Caller, EpisodesPage, Serving } from '../api/caller.js'
import type { ChangeKind, ChangeListener } from '../api/change.js'
import { checkId, checkKeys, invalid } from '../api/check.js'
import type { ExplainOptions, Explanation } from '../api/explanation.js'
import type { Filter } from '../api/filter.js'
import { AgidbError } from '../base/errors.js'
import type { VerifyOptions, VerifyReport } from '../api/verify.js'
import { methodAt, putMethod } from '../api/method-path.js'
import { changes, METHODS, refusedToWrite, type Method, type Result } from '../api/registry.js'
import type { MethodTable } from '../api/methods/method.js'
import type { ExportOptions } from '../api/portable.js'
import type { Changes, ChangesOptions, VersionVector } from '../api/sync.js'
import type { AttentionTrace, RecallId, RecallOptions } from '../api/recall.js'
import { isExpired } from '../records/expired.js'
import { decodeEpisode, episodeKind } from '../records/kinds/episode.js'
import { idsOf } from '../records/events/registry.js'
import type { Indexes } from '../indexes/indexes.js'
import { CodebookArrival } from '../maintenance/codebook-arrival.js'
import type { IdempotencyLog } from '../write/idempotency-log.js'
import type { StoredRecord } from '../records/stored-record.js'
import type { SenseName } from '../api/encoder.js'
import type { KeptMedium } from '../api/sensory.js'
import { loadOnce } from '../base/load-once.js'
import { BackgroundWork, type Maintenance } from './background.js'
import { LateFloors } from './late-floors.js'
import { LateUpdater } from './late-updater.js'
import type { Occasional } from './occasional.js'
import { METHODS_OF_MEMORY } from './memory-methods.js'
import type { Writer } from '../write/writer.js'
import type { MemoryMethods, MemoryService } from '../memory/methods.js'
import type { Floors } from '../memory/memory.js'
import type { FloorsPart } from '../memory/part.js'
import type { OpenedStorage } from '../api/storage.js'
import { CallerMethods, type CallerService } from './caller-methods.js'
import { countEpisodes, listEpisodes } from './list-episodes.js'
import { Observer } from './observe.js'
import { Recaller, type Considered } from './recall.js'
import type { EngineConfig, EngineContext } from './context.js'
import { type EngineParts, occasionalOf } from './parts.js'
import { statsOf } from './stats.js'

/** The methods of episodes that need to know their caller: the program that opened the engine, or another tab. */
type EpisodeMethods = Pick<
  Agidb,
  'observe' | 'observeMany' | 'observeMultimodal' | 'update' | 'supersede' | 'recall' | 'neurosymbolicQuery'
>

/** How an engine is closed whose memory goes on with another one. */
const REPLACED = Promise.resolve()

export interface Engine extends EpisodeMethods, MemoryMethods {}

/** The memory itself, in this thread. The methods that need to know their caller are those of its services. */
export class Engine implements Agidb, Serving {
  /** Given by `replaceable.ts`, since what is imported gets an engine of its own. */
  declare readonly import: Agidb['import']
  /** Given by `replaceable.ts`, too. */
  declare readonly apply: Agidb['apply']
  /** Made of the methods of its services. */
  declare readonly graph: Agidb['graph']
  declare readonly entries: Agidb['entries']
  readonly #context: EngineContext
  readonly #parts: EngineParts
  readonly #maintenance: Maintenance
  readonly #background: BackgroundWork
  readonly #floors: LateFloors
  readonly #observing: Observer
  readonly #occasional: () => Promise<Occasional>
  readonly #updating: LateUpdater
  readonly #recalling: Recaller
  readonly #methods: CallerMethods
  #closing: Promise<void> | undefined

  constructor(
    storage: OpenedStorage,
    indexes: Indexes,
    writer: Writer,
    maintenance: Maintenance,
    records: readonly StoredRecord[],
    config: EngineConfig,
    parts: EngineParts,
    floors?: FloorsPart,
  ) {
    this.#parts = parts
    const { codebookComing, checkpoints, signatureLoader } = maintenance
    const codebookArrival =
      codebookComing &&
      new CodebookArrival({
        indexes,
        storage,
        writer,
        signatureLoader,
        stores: !config.caller.readOnly,
        fetch: codebookComing,
        quietly: (work) => this.#recalling.quietly(work),
        onProgress: config.options.onProgress,
        arrived: () => this.#codebookArrived(),
        failed: () => checkpoints.committed(0),
      })
    const context: EngineContext = {
      storage,
      indexes,
      writer,
      config,
      signatureLoader,
      codebookArrival,
      fetch: (slots) => this.#fetch(slots),
      find: (id) => this.#find(id),
      tell: (kind, ids, slot, { writer, from }) =>
        config.listeners.tell({ kind, ids, slot, writer, from, own: from === config.caller.from }),
      checkOpen: () => this.#checkOpen(),
    }
    this.#context = context
    this.#maintenance = maintenance
    const { options, limits, clock, makeId, caller } = config
    const { fetch, find, tell } = context
    this.#observing = new Observer(
      context,
      () => this.#floors,
      () => this.noticed(),
      parts.translations,
    )
    const buildFloors = ({ Floors }: FloorsPart) =>
      new Floors(
        {
          indexes,
          parts,
          options,
          limits,
          clock,
          fetch,
          find,
          rows: (slots) => storage.rows.get(slots),
          read: (slots) => storage.rows.read(slots),
          tellEpisodes: tell,
          retire: async (slots) => storage.erasure?.retire(slots),
          compact: () => maintenance.compactionSchedule.compact(),
          loaded: async () => void (await Promise.all([signatureLoader.finish(), codebookArrival?.finish()])),
          extracted: () => this.extracted(),
          extractNow: async (episode, turns) => {
            const { extraction } = this.#background
            const found = await extraction?.now(episode, turns)
            if (found === undefined) extraction?.again(indexes.catalog.slot(episode.id)!)
            return found
          },
          writer: caller.writer,
          makeId: (prefix, now, taken) => {
            for (;;) {
              const id = makeId(prefix, now)
              if (!taken(id)) return id
            }
          },
          observation: (id) => this.#observing.writing(id),
          prepare: (observation, caller) => this.#observing.prepare([observation], () => '', caller)[0],
          storeEntries: (entries, caller) => this.#observing.storeEntries(caller, entries),
          restate: (...changed) => this.#updating.restate(...changed),
          recallEntries: (question) => this.#recalling.entries(question),
          releaseId: (episode) => this.#observing.written([episode]),
          frameChanged: (id, slot, caller) => tell('sensoryFrameSeen', [id], slot, caller),
        },
        parts,
        writer,
        config.recordKinds,
        records,
        ({ slot, event }, by = caller) => tell(event.kind, [...idsOf(event), event.id], slot, by),
        options.extensions,
      )
    this.#floors = new LateFloors(parts.floors, buildFloors, floors)
    const { occasional } = parts
    this.#occasional = loadOnce(async () => {
      const module = await occasionalOf(parts)
      this.#checkOpen()
      return module
    })
    const makeUpdater = ({ Updater }: Occasional) =>
      new Updater(context, this.#floors, (slot) => this.#background.revised(slot))
    this.#updating = new LateUpdater(
      async () => makeUpdater(await this.#occasional()),
      typeof occasional === 'function' ? undefined : makeUpdater(occasional),
    )
    this.#background = new BackgroundWork({
      context,
      floors: this.#floors,
      maintenance,
      rules: parts.rules,
      extraction: parts.extraction,
      recalls: () => this.#recalling,
      storeStatements: (found, extractor) => this.#updating.extracted(found, extractor),
      tell: (kind, ids) => this.#tellOwn(kind, ids),
      makeWarmUp: async () => {
        const { WarmUp } = await this.#occasional()
        return new WarmUp(context, this.#floors, this.#recalling, this.#background)
      },
    })
    this.#recalling = new Recaller(context, this.#floors, this.#background, parts)
    this.#methods = new CallerMethods(this.#services(), caller)
    this.#defineOwnMethods()
  }

  /** Defines the methods of the services on this object; the program that opened it is their caller. */
  #defineOwnMethods(): void {
    for (const name of this.#methods.names) {
      const value = async (...args: never[]): Promise<unknown> => {
        this.#checkOpen()
        return this.#methods.find(name, this.caller)!(...args)
      }
      putMethod(this, name, value)
    }
  }

  /** The services that need to know their caller: of the episodes, of the other floors, of extensions. */
  #services(): CallerService[] {
    const episodes = (caller: Caller, stored?: unknown): EpisodeMethods => ({
      observe: (text, context) => this.#observing.observe(caller, text, context),
      observeMany: (items, options) =>
        this.#observing.observeMany(caller, items, options, stored as number | undefined),
      observeMultimodal: (input, context) => this.#observing.observeMultimodal(caller, input, context),
      update: (id, patch, options) => this.#updating.update(caller, id, patch, options),
      supersede: (id, byId, at) => this.#supersede(caller, id, byId, at),
      recall: ((cue, options) => this.#recalling.recall(caller, cue, options)) as Agidb['recall'],
      neurosymbolicQuery: (query, options) => this.#recalling.query(caller, query, options),
    })
    const { extensions = [] } = this.#context.config.options
    const added = extensions.flatMap(({ methods = [] }) => methods)
    const ofMemory = Object.entries(METHODS_OF_MEMORY).map(([service, methods]) =>
      this.#floors.service(service as MemoryService, Object.keys(methods)),
    )
    const ofExtensions = added.map(
      (service): CallerService =>
        (caller) =>
          service(this.#floors.now!, caller),
    )
    return [episodes as unknown as CallerService, ...ofMemory, ...ofExtensions]
  }

  /** Starts the work in the background, once the storage and the indexes agree. */
  start(): void {
    this.#background.start()
  }

  /** Says that something was committed. */
  committed(): void {
    this.#background.committed()
  }

  /** A codebook that came after opening is used from the next recall on. */
  #codebookArrived(): void {
    const { indexes, config } = this.#context
    config.scanPool?.restart()
    // The stored checkpoint has no latents.
    this.#maintenance.checkpoints.committed(indexes.catalog.size)
    this.#tellOwn('codebookReady')
  }

  /** Tells subscribers of a change that this engine made by itself. */
  #tellOwn(kind: ChangeKind, ids: readonly string[] = []): void {
    const { listeners, caller } = this.#context.config
    listeners.tell({ kind, ids, slot: -1, writer: caller.writer, from: caller.from, own: true })
  }

  /** Resolves when all signatures are loaded, or it is known that some cannot be. */
  loaded(): Promise<void> {
    return this.#maintenance.signatureLoader.finish()
  }

  /** Resolves when an extractor has read the texts of all episodes, or it is known that some will not be read. */
  async extracted(): Promise<void> {
    await this.#background.extraction?.finish()
  }

  async getEpisode(id: EpisodeId): Promise<Episode | undefined> {
    this.#checkOpen()
    const { limits, clock } = this.#context.config
    checkId('id', id, limits)
    const episode = await this.#find(id)
    return episode === undefined || isExpired(episode, clock()) ? undefined : this.#floors.shown(episode)
  }

  async history(id: EpisodeId): Promise<EpisodeVersion[]> {
    this.#checkOpen()
    const [{ historyOf }, { versions }] = await Promise.all([this.#occasional(), this.#floors.get()])
    return historyOf(this.#context, versions, id)
  }

  async media(id: EpisodeId, sense?: SenseName): Promise<ReadableStream<Uint8Array>> {
    this.#checkOpen()
    const [{ mediaOf }, { media }] = await Promise.all([this.#occasional(), this.#floors.get()])
    return mediaOf(this.#context, media, id, sense)
  }

  async listMedia(id: EpisodeId): Promise<KeptMedium[]> {
    this.#checkOpen()
    const [{ listMedia }, { media }] = await Promise.all([this.#occasional(), this.#floors.get()])
    return listMedia(this.#context, media, id)
  }

  async *episodes(options: EpisodesOptions = {}): AsyncGenerator<Episode[], void, undefined> {
    for (let from: number | undefined; ; ) {
      const page = await this.page(options, from)
      if (page === undefined) return
      yield [...page.episodes]
      from = page.next
    }
  }

  async count(filter?: Filter): Promise<number> {
    this.#checkOpen()
    return countEpisodes(this.#context, filter)
  }

  async page(options: EpisodesOptions = {}, from?: number): Promise<EpisodesPage | undefined> {
    this.#checkOpen()
    const page = await listEpisodes(this.#context, options, from)
    return page && { ...page, episodes: page.episodes.map((episode) => this.#floors.shown(episode)) }
  }

  async #supersede(caller: Caller, id: EpisodeId, byId: EpisodeId, at?: TimeInput): Promise<void> {
    this.#checkOpen()
    const {
      config: { clock, limits },
      writer,
      tell,
    } = this.#context
    for (const [what, value] of Object.entries({ id, byId })) checkId(what, value, limits)
    const superseded = async () => {
      const { supersede } = await this.#occasional()
      return supersede((id) => this.#find(id), id, byId, at, clock())
    }
    const slot = await writer.update(id, superseded, { caller })
    tell('episodeSuperseded', [id, byId], slot, caller)
  }

  async explain(recallId: RecallId, options?: ExplainOptions): Promise<Explanation> {
    this.#checkOpen()
    return this.#recalling.explain(recallId, options)
  }

  async attentionTrace(recallId: RecallId): Promise<AttentionTrace | undefined> {
    this.#checkOpen()
    return this.#recalling.trace(recallId)
  }

  /** The candidates of a cue as a ranker sees them: what is needed to train one. */
  async consider(cue: string, options?: RecallOptions): Promise<Considered> {
    this.#checkOpen()
    return this.#recalling.consider(cue, options)
  }

  async stats(): Promise<Stats> {
    this.#checkOpen()
    // What cannot be loaded holds nothing.
    const floors = await this.#floors.get().catch(() => undefined)
    this.#checkOpen()
    return statsOf(this.#context, floors, this.#background, this.#maintenance.compactionSchedule)
  }

  async flush(): Promise<void> {
    this.#checkOpen()
    await this.#settled(this.#context.writer)
    const flushed = this.#context.storage.flush()
    // Beside the reading of texts a flush takes several times as long.
    this.#background.extraction?.waitFor(flushed)
    await flushed
  }

  async export(options: ExportOptions = {}): Promise<ReadableStream<Uint8Array>> {
    this.#checkOpen()
    const [{ exportMemory }, floors] = await Promise.all([this.#parts.portable(), this.#floors.get()])
    this.#checkOpen()
    return exportMemory(this.#context, floors, options)
  }

  async versionVector(): Promise<VersionVector> {
    this.#checkOpen()
    const [{ versionVector }, floors] = await this.#exchanging()
    return versionVector(this.#context, floors)
  }

  async changes(since?: VersionVector, options?: ChangesOptions): Promise<Changes> {
    this.#checkOpen()
    const [{ changesSince }, floors] = await this.#exchanging()
    return changesSince(this.#context, floors, since, options, this.caller)
  }

  /** Has the background work encode and read new episodes. */
  noticed(): void {
    this.#background.noticed()
  }

  /** The inside of this engine, to which changes of another device are applied. */
  async inside(): Promise<{ readonly context: EngineContext; readonly floors: Floors }> {
    return { context: this.#context, floors: await this.#floors.get() }
  }

  async #exchanging() {
    const loaded = await Promise.all([this.#parts.sync(), this.#floors.get()])
    this.#checkOpen()
    return loaded
  }

  /** The slots of all records. Nothing may be written meanwhile. */
  slots(): Promise<number[]> {
    return this.#context.writer.slots()
  }

  get idempotencyLog(): IdempotencyLog {
    return this.#context.config.idempotencyLog
  }

  get databaseId(): string {
    return this.#context.config.databaseId
  }

  /**
   * Runs an import, during which nothing is written. Running exports end, because they would wait for their turn.
   */
  async still<T>(work: () => Promise<T>): Promise<T> {
    await this.loaded() // if the import fails, all signatures are still needed
    this.#checkOpen()
    await this.#background.warmUp?.asking // what it uses is freed after the import
    const { writer } = this.#context
    writer.releaseAll()
    return writer.still(work)
  }

  /** Frees everything but the storage, which has other content now. */
  release(): void {
    this.#background.discard()
    this.#context.writer.end()
    this.#closing = REPLACED
    this.#free()
  }

  async compact(): Promise<Compaction> {
    this.#checkOpen()
    return this.#maintenance.compactionSchedule.compact()
  }

  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    this.#checkOpen()
    checkKeys('verify', options, ['repair'])
    if (options.repair !== undefined && typeof options.repair !== 'boolean')
      throw invalid('repair must be true or false', { option: 'repair' })
    const isRepair = options.repair === true
    const { verified } = await this.#occasional()
    return verified(this.#context, isRepair, () => this.#maintenance.checkpoints.keep())
  }

  /** Resolves when nothing is being written, and what was recalled so far is learned. */
  async #settled(writer: Writer): Promise<void> {
    await this.#background.settle()
    await writer.idle()
  }

  close(): Promise<void> {
    this.#background.stop()
    const loaded = this.#maintenance.signatureLoader.stop()
    const { config, storage, writer } = this.#context
    this.#closing ??= this.#settled(writer).then(async () => {
      try {
        await loaded
        await writer.tidy().catch(() => {}) // the next close deletes what is left
        await this.#maintenance.checkpoints.close()
        await storage.close()
      } finally {
        this.#free()
        config.listeners.clear()
      }
    })
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  subscribe(listener: ChangeListener): () => void {
    // The next engine has the same listeners.
    if (this.#closing !== REPLACED) this.#checkOpen()
    return this.#context.config.listeners.add(listener)
  }

  async serve<M extends Method>(caller: Caller, method: M, args: readonly unknown[]): Promise<Result<M>> {
    this.#checkOpen()
    if (caller.readOnly && changes(method, args, this.#methodTable)) throw refusedToWrite(method)
    const had = this.idempotencyLog.find(caller)
    const answer = had === undefined ? this.#call(caller, method, args) : this.#answerAgain(caller, method, args, had)
    return (await answer) as Result<M>
  }

  get callers(): readonly string[] {
    return this.idempotencyLog.callers
  }

  received(from: string, upTo: number): void {
    this.idempotencyLog.received(from, upTo)
  }

  forget(from: string): void {
    this.idempotencyLog.forget(from)
  }

  /** The program that opened the engine. */
  protected get caller(): Caller {
    return this.#context.config.caller
  }

  get #methodTable(): MethodTable {
    return this.#context.config.options.methods ?? METHODS
  }

  /** Calls a method of a service or, if none has it, one that is the same for every caller. */
  #call(caller: Caller, method: string, args: readonly unknown[], stored?: unknown): Promise<unknown> {
    const call =
      this.#methods.find(method, caller, stored) ?? methodAt<(...args: readonly unknown[]) => unknown>(this, method)
    return call(...args) as Promise<unknown>
  }

  /** Answers a call whose effect is stored already, see {@link RepeatedAnswer}. */
  async #answerAgain(
    caller: Caller,
    method: string,
    args: readonly unknown[],
    { answer: stored }: { readonly answer: unknown },
  ): Promise<unknown> {
    const { repeated = 'stored' } = this.#methodTable[method]
    if (repeated === 'resumed') return this.#call(caller, method, args, stored)
    if (repeated === 'stored' || stored !== undefined) return stored
    return this.#call(caller, repeated.reread, [args[0]])
  }

  async #fetch(slots: readonly number[]): Promise<(Episode | undefined)[]> {
    const rows = await this.#context.storage.rows.get(slots).catch((error: unknown) => {
      this.#checkOpen() // closed while it was reading
      throw error
    })
    // A row that was forgotten meanwhile is no episode any more.
    const { recordKinds } = this.#context.config
    return rows.map((row, i) =>
      row && recordKinds.find(row) === episodeKind
        ? (this.#pending(slots[i]) ?? decodeEpisode(row))
        : this.#pending(slots[i]),
    )
  }

  /** An episode as it is once what is being written is durable; `undefined` where that does not change it. */
  #pending(slot: number): Episode | undefined {
    return this.#updating.pending(slot) ?? this.#floors.now?.forgetting.pending(slot)
  }

  async #find(id: EpisodeId): Promise<Episode | undefined> {
    const slot = this.#context.indexes.catalog.slot(id)
    return slot === undefined ? undefined : (await this.#fetch([slot]))[0]
  }

  /** Frees memory and threads. */
  #free(): void {
    const { indexes, config } = this.#context
    config.scanPool?.close()
    config.encodePool?.close()
    indexes.free()
    this.#floors.free()
  }

  #checkOpen(): void {
    this.#background.activity++
    if (this.#closing !== undefined)
      throw new AgidbError('AGIDB_CLOSED', 'the database is closed; open it again to use it')
  }
}
