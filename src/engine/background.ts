import type { ChangeKind } from '../api/change.js'
import { EXPIRES_AT } from '../api/attribute.js'
import { invalid } from '../api/check.js'
import type { StorageEvent } from '../api/stats.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import type { Checkpoints } from '../maintenance/checkpoints.js'
import type { CompactionSchedule } from '../maintenance/compaction-schedule.js'
import { ConsolidationSchedule } from '../maintenance/consolidation-schedule.js'
import type { LatentEncoding } from '../maintenance/encode-latents.js'
import { ExpirySchedule } from '../maintenance/expiry-schedule.js'
import type { Rules } from '../extraction/rules/part.js'
import { RULES } from '../extraction/rules/reader.js'
import { type ExtractionOptions, StatementExtraction } from '../maintenance/extract-statements.js'
import type { Recalls } from '../maintenance/give-way.js'
import type { SignatureLoader } from '../maintenance/load-signatures.js'
import { RecallLearning } from '../memory/associations/learning.js'
import type { EngineContext } from './context.js'
import type { LateFloors } from './late-floors.js'
import { Rows } from './rows.js'
import type { WarmUp } from './warm-up.js'

/** Episodes that must be new for a memory to be consolidated by itself. */
const NEW_EPISODES = 16

/** What keeps the storage small and quick to open. */
export interface Maintenance {
  readonly checkpoints: Checkpoints
  readonly compactionSchedule: CompactionSchedule
  readonly signatureLoader: SignatureLoader
  /** Fetches a codebook that is not there yet; absent where none is to come. */
  readonly codebookComing?: () => Promise<Codebook>
}

export interface BackgroundOptions {
  readonly context: EngineContext
  readonly floors: LateFloors
  readonly maintenance: Maintenance
  /** The built-in extractor; absent where a program must bring it itself. */
  readonly rules: (() => Promise<Rules>) | undefined
  /** What reads texts with an extractor. */
  readonly extraction: ExtractionOptions['loadPart']
  /** The recalls, for which the reading of texts makes way. */
  readonly recalls: () => Recalls
  /** Stores the statements that were found. */
  readonly storeStatements: ExtractionOptions['store']
  /** Tells subscribers of a change that no caller asked for. */
  readonly tell: (kind: ChangeKind, ids?: readonly string[]) => void
  /** Makes what asks the first questions by itself. */
  readonly makeWarmUp: () => Promise<WarmUp>
}

/**
 * The work that an engine does by itself, beside the calls: it encodes and reads new episodes, learns from recalls,
 * erases what expired, consolidates when nothing happens, and completes what opening left for later. A memory that is
 * opened to be read only does nothing that writes.
 */
export class BackgroundWork {
  /** Absent where there is no sentence encoder. */
  readonly encoding: LatentEncoding | undefined
  /** Absent where no statements are extracted. */
  readonly extraction: StatementExtraction | undefined
  /** Absent where recalls teach nothing. */
  readonly learning: RecallLearning | undefined
  readonly rows: Rows
  /** Grows with each call and each commit. */
  activity = 0
  /** Absent until it may ask its questions. */
  warmUp: WarmUp | undefined
  readonly #options: BackgroundOptions
  readonly #expirySchedule: ExpirySchedule
  readonly #consolidationSchedule: ConsolidationSchedule | undefined
  #isStopped = false

  constructor(options: BackgroundOptions) {
    this.#options = options
    const { caller } = options.context.config
    this.rows = new Rows(options.context.indexes)
    this.#expirySchedule = expirySchedule(options)
    if (caller.readOnly) return
    this.encoding = latentEncoding(options)
    this.extraction = statementExtraction(options)
    this.learning = recallLearning(options)
    this.#consolidationSchedule = consolidationSchedule(options)
  }

  /** What went wrong in it, for `stats()`. */
  get events(): StorageEvent[] {
    const accesses = this.#options.floors.now?.documents.accesses
    return [this.#expirySchedule, this.#consolidationSchedule, this.learning, accesses].flatMap(
      (work) => work?.events ?? [],
    )
  }

  /** Begins, once the storage holds what the indexes say. */
  start(): void {
    this.noticed()
    void this.#options.context.codebookArrival?.finish()
    void this.#complete()
    this.#expirySchedule.look()
  }

  /** Has new episodes encoded and read. */
  noticed(): void {
    this.encoding?.wake()
    this.extraction?.wake()
  }

  /** Has an episode, whose text changed, encoded and read again. */
  revised(slot: number): void {
    this.encoding?.again(slot)
    this.extraction?.again(slot)
  }

  /** Says that something was committed. */
  committed(): void {
    this.activity++
    this.#expirySchedule.committed()
    this.#consolidationSchedule?.committed()
  }

  /** Resolves when what was recalled so far is learned. */
  async settle(): Promise<void> {
    await this.warmUp?.asking
    await this.learning?.flush()
    await this.#options.floors.now?.documents.accesses.flush()
  }

  /** Begins nothing any more. What waits to be learned can still be {@link settle}d. */
  stop(): void {
    this.#isStopped = true
    this.encoding?.stop()
    this.extraction?.stop()
    this.#options.context.codebookArrival?.stop()
    this.rows.stop()
    this.warmUp?.stop()
    this.#expirySchedule.stop()
    this.#consolidationSchedule?.stop()
    this.#options.maintenance.compactionSchedule.close()
  }

  /** Stops, and drops what waits to be learned and kept: the storage holds another memory now. */
  discard(): void {
    this.stop()
    this.learning?.stop()
    this.#options.floors.now?.documents.accesses.stop()
    this.#options.maintenance.checkpoints.stop()
  }

  /** Makes and loads what opening left for later. */
  async #complete(): Promise<void> {
    const { context, maintenance, tell, makeWarmUp } = this.#options
    const { checkpoints, signatureLoader } = maintenance
    const late = !context.indexes.arenas.isWhole
    await signatureLoader.finish()
    if (this.#isStopped) return
    if (late) {
      checkpoints.committed(signatureLoader.repaired)
      tell('signaturesReady')
    }
    await this.rows.make()
    const { warmUp, partsFetched } = context.config.options
    if (!warmUp) return
    await partsFetched
    // Whoever needs a part that cannot be loaded is told.
    const made = await makeWarmUp().catch(() => undefined)
    if (!this.#isStopped) void (this.warmUp = made)?.start()
  }
}

function expirySchedule({ context, floors }: BackgroundOptions): ExpirySchedule {
  const { indexes, config } = context
  const { caller, options } = config
  return new ExpirySchedule(
    () => !caller.readOnly && (floors.now?.forgetting.isDue ?? indexes.attributes.hasOrdered(EXPIRES_AT)),
    async () => {
      const isBuilt = floors.now !== undefined
      const { forgetting } = await floors.get()
      // `from` may be drawn at random, which an edge worker may not do while it starts: so it is read only here.
      if (isBuilt || forgetting.isDue) await forgetting.applyRetention({ writer: caller.writer, from: caller.from })
    },
    options.expiresByAlarm,
  )
}

function latentEncoding({ context, tell }: BackgroundOptions): LatentEncoding | undefined {
  const { indexes, writer, fetch, config } = context
  const { encoder, LatentEncoding, onEncoded } = config
  if (encoder === undefined || LatentEncoding === undefined) return undefined
  return new LatentEncoding({
    encoder,
    indexes,
    writer,
    onEncoded: (progress) => {
      tell('signaturesReady')
      return onEncoded?.(progress)
    },
    fetch,
  })
}

function statementExtraction({
  context,
  rules,
  extraction,
  recalls,
  storeStatements,
  tell,
}: BackgroundOptions): StatementExtraction | undefined {
  const { indexes, fetch, config } = context
  const { extract = 'none', onExtracted } = config.options
  if (extract === 'none') return undefined
  if (extract === 'rules' && rules === undefined)
    throw invalid("extract: 'rules' is not at hand here; pass `await rulesExtractor()` of agidb/rules", {
      option: 'extract',
    })
  return new StatementExtraction({
    reader: extract === 'rules' ? RULES : extract,
    isQuick: extract === 'rules',
    load: async (giveWay) => (extract === 'rules' ? (await rules!()).rulesExtractor(giveWay) : extract),
    loadPart: extraction,
    recalls,
    indexes,
    fetch,
    store: async (found, extractor) => {
      await storeStatements(found, extractor)
      tell(
        'statementsFound',
        found.map(({ episode }) => episode.id),
      )
    },
    onExtracted,
  })
}

function recallLearning({ context, floors }: BackgroundOptions): RecallLearning | undefined {
  const { indexes, config } = context
  const { clock, caller, options } = config
  const { autoConsolidate = false, learnFromRecall = autoConsolidate } = options
  if (!learnFromRecall) return undefined
  return new RecallLearning({
    indexes,
    clock,
    writer: caller.writer,
    learn: async (by, draft) => (await floors.get()).learn(by, draft),
  })
}

function consolidationSchedule({ context, floors }: BackgroundOptions): ConsolidationSchedule | undefined {
  const { indexes, config } = context
  const { autoConsolidate = false, idleMs } = config.options
  if (!autoConsolidate) return undefined
  return new ConsolidationSchedule({
    isDue: () => floors.now?.atoms.isWaiting(NEW_EPISODES) ?? indexes.catalog.size >= NEW_EPISODES,
    consolidate: async () => (await floors.get()).atoms.consolidate({}, config.caller),
    idleMs,
  })
}
