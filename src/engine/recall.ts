import type { Caller } from '../api/caller.js'
import { checkId, checkSignal } from '../api/check.js'
import type { ExplainOptions, Explanation, QuestionPart } from '../api/explanation.js'
import { pace } from '../base/pace.js'
import { stopwatch } from '../base/clock.js'
import type { EpisodeId, TriplePattern } from '../api/episode.js'
import type { NeurosymbolicOptions, NeurosymbolicQuery } from '../api/neurosymbolic.js'
import type { AgidbError } from '../base/errors.js'
import type { AttentionTrace, GraphFailure, Match, Recall, RecallId, RecallOptions } from '../api/recall.js'
import type { EntryQuestion } from '../memory/documents/context.js'
import type { AskedQuestion } from '../recall/answer/explain.js'
import { arenaSearch } from '../recall/candidates/vector-search.js'
import type { WantedStatement } from '../recall/query/neurosymbolic.js'
import { isPerceived, toQuestion } from '../recall/query/to-question.js'
import { statingOneAtATime } from '../recall/answer/newest-first.js'
import { restingOn } from '../recall/evidence/resting.js'
import { consider } from '../recall/consider.js'
import type { RecallDeps } from '../recall/deps.js'
import type { Question } from '../recall/query/question.js'
import { recall } from '../recall/recall.js'
import type { BackgroundWork } from './background.js'
import type { LateFloors } from './late-floors.js'
import type { EngineContext } from './context.js'
import type { EngineParts } from './parts.js'

/** Candidates with their features, row by row. */
export interface Considered {
  readonly ids: readonly EpisodeId[]
  readonly features: Float64Array
}

/** The parts that answer some questions. */
type RecallParts = Pick<EngineParts, 'time' | 'sequence' | 'walk' | 'particulars' | 'translations'>

/** Answers cues, and remembers what was considered. */
export class Recaller {
  readonly #context: EngineContext
  readonly #floors: LateFloors
  readonly #background: BackgroundWork
  /** What recall uses beside the indexes. */
  readonly deps: RecallDeps
  readonly #parts: RecallParts
  /** The questions of the newest recalls, in the order in which they were asked. */
  readonly #asked = new Map<RecallId, AskedQuestion>()
  readonly #pace = pace()
  #begun = 0
  #running = 0
  /** Resolves when the last running recall ends; absent where nobody waits for that. */
  #ending: Promise<void> | undefined
  #ended = (): void => {}
  /** Set while new recalls must wait. */
  #gate: Promise<void> | undefined

  constructor(context: EngineContext, floors: LateFloors, background: BackgroundWork, parts: RecallParts) {
    this.#context = context
    this.#floors = floors
    this.#background = background
    const { fetch, indexes, config } = context
    const { scanPool, signatures } = config
    this.#parts = parts
    const vectors = config.options.stored?.search(context) ?? scanPool ?? arenaSearch(indexes)
    this.deps = { ...parts, fetch, signatures, vectors }
  }

  /** Answers a cue, or a pattern, with what is there. */
  async recall(caller: Caller, cue: string | undefined, options: RecallOptions = {}): Promise<Recall> {
    const { config } = this.#context
    const question = toQuestion(cue, options, config.clock(), config.limits)
    return this.#askAndKeep(caller, question, options, cue)
  }

  /** Asks a question with what the encoders see of its pictures and sounds, and keeps it to be explained. */
  async #askAndKeep(
    caller: Caller,
    question: Question,
    options: RecallOptions,
    cue: string | undefined,
    wanted?: WantedStatement,
  ): Promise<Recall> {
    const perceived = await this.#perceived(caller, options, cue)
    const asked = { ...question, ...(perceived && { perceived }) }
    const answer = await this.#ask(caller, asked, options, wanted)
    this.#keep(answer.id, {
      parts: [...(asked.cue === '' ? [] : (['text'] as const)), ...Object.keys(perceived ?? {})],
      hasPattern: question.pattern !== undefined,
      again: (without) => this.#askAgain(caller, asked, options, wanted, without),
    })
    return answer
  }

  /** How the matches of a recall come about, and what they would be without a part of the question. */
  async explain(recallId: RecallId, options: ExplainOptions = {}): Promise<Explanation> {
    const { limits } = this.#context.config
    const { explain } = await this.#parts.particulars()
    return explain(this.#asked, recallId, options, limits)
  }

  /** Keeps a question, so that it can be explained. */
  #keep(id: RecallId, question: AskedQuestion): void {
    this.#asked.set(id, question)
    for (const oldest of this.#asked.keys()) {
      if (this.#asked.size <= this.#context.config.limits.traces) break
      this.#asked.delete(oldest)
    }
  }

  /** Asks a question that was asked before, without some part of it; nothing is learned, traced or packed. */
  #askAgain(
    caller: Caller,
    question: Question,
    options: RecallOptions,
    wanted: WantedStatement | undefined,
    without?: QuestionPart,
  ): Promise<Recall> {
    const { budgetTokens: _, signal: __, ...rest } = options
    const { perceived = {}, ...said } = question
    const seen = Object.fromEntries(Object.entries(perceived).filter(([sense]) => sense !== without))
    return this.#ask(
      caller,
      {
        ...said,
        traceAttention: false,
        // Without its words a pattern by exact statements answers alone, as `toNeurosymbolic` has it.
        ...(without === 'text' && { cue: '', onlyFitting: wanted !== undefined }),
        ...(Object.keys(seen).length > 0 && { perceived: seen }),
      },
      { ...rest, traceAttention: false, learn: false },
      wanted,
    )
  }

  /** The pictures, sounds and videos of a question, as encoders see them; `undefined` where there are none. */
  async #perceived(caller: Caller, options: RecallOptions, cue?: string): Promise<Question['perceived']> {
    if (!isPerceived(options) && (options.modality ?? 'text') === 'text') return undefined
    const { config, indexes, checkOpen, tell } = this.#context
    const { encoders } = config.options
    const { perceivedCue } = await this.#parts.translations()
    const queries = await perceivedCue(indexes.kernel, encoders, options, cue, (sense) =>
      tell('encoderFailed', [sense], -1, caller),
    )
    checkOpen()
    return queries
  }

  /** Answers a question about entries of documents; nothing else of the memory comes with it. */
  async entries({ cue, k, among, deep, filter }: EntryQuestion): Promise<readonly Match[]> {
    const { config, indexes } = this.#context
    const question = toQuestion(cue, { k, filter, fold: false, goals: [] }, config.clock(), config.limits)
    return this.#run(async () => {
      const asked = await this.#background.encoding?.ask(cue)
      this.#context.checkOpen()
      const meant = { ...question, sentence: asked?.query, documents: { among, deep } }
      return (await recall(indexes, this.deps, config.forestFor(asked?.query !== undefined), meant)).matches
    })
  }

  /** Answers a pattern by exact statements, a cue, or both. */
  async query(caller: Caller, query: NeurosymbolicQuery, options: NeurosymbolicOptions = {}): Promise<Recall> {
    const { config, checkOpen } = this.#context
    const { toNeurosymbolic } = await this.#parts.particulars()
    checkOpen()
    const asked = toNeurosymbolic(query, options, config.clock(), config.limits)
    return this.#askAndKeep(caller, asked.question, options, query.fuzzyCue, asked.wanted)
  }

  async #ask(caller: Caller, question: Question, options: RecallOptions, wanted?: WantedStatement): Promise<Recall> {
    const { codebookArrival, signatureLoader, config } = this.#context
    const started = stopwatch()
    // Before any wait: calls made at once get the same ids whichever of them ends first.
    const id = config.makeRecallId('rc_', question.now)
    if (options.whole === true)
      await Promise.all([signatureLoader.finish(), codebookArrival?.finish(), this.#background.extraction?.finish()])
    const answer = await this.#run(() => this.#answer(id, caller, question, options, wanted))
    return { ...answer, elapsedMs: stopwatch() - started }
  }

  /** Runs a recall, which counts as under way until it ends. */
  async #run<T>(answer: () => Promise<T>): Promise<T> {
    while (this.#gate !== undefined) await this.#gate
    this.#running++
    this.#begun++
    try {
      // A recall that waits for no storage leaves the thread to nothing else, and so do those that follow at once.
      await this.#pace()
      return await answer()
    } finally {
      if (--this.#running === 0) {
        this.#ended()
        this.#ending = undefined
      }
    }
  }

  /** How many recalls began. */
  get begun(): number {
    return this.#begun
  }

  /** Resolves when no recall is under way; `undefined` where none is. */
  get ending(): Promise<void> | undefined {
    if (this.#running === 0) return undefined
    return (this.#ending ??= new Promise((resolve) => (this.#ended = resolve)))
  }

  /** Runs work while no recall is under way: those that are end first, those that come wait. */
  async quietly(work: () => Promise<void>): Promise<void> {
    let open!: () => void
    this.#gate = new Promise((resolve) => (open = resolve))
    try {
      await this.ending
      await work()
    } finally {
      this.#gate = undefined
      open()
    }
  }

  async #answer(
    id: RecallId,
    caller: Caller,
    question: Question,
    options: RecallOptions,
    wanted: WantedStatement | undefined,
  ): Promise<Omit<Recall, 'elapsedMs'>> {
    const { codebookArrival, checkOpen, indexes, signatureLoader, config } = this.#context
    const { budgetTokens } = options
    const isParticular = budgetTokens !== undefined || wanted !== undefined
    const particulars = isParticular ? await this.#parts.particulars() : undefined
    // Who asks again and again may leave no time between.
    this.#background.rows.makeSome()
    // What a pattern says in words; nothing else is asked where there is no cue.
    const said = question.cue === '' ? inWords(question.pattern ?? {}) : question.cue
    const asked = question.cue === '' ? undefined : await this.#background.encoding?.ask(question.cue)
    checkOpen()
    const floors = this.#floors.now
    const goals = options.goals ?? floors?.goals.texts() ?? []
    const serves = options.goals === undefined ? floors?.links.serves : undefined
    const { progress } = signatureLoader
    const isPending = codebookArrival?.pending !== undefined
    const { now, validAsOf, transactionAsOf } = question.visibility
    const bearing: Bearing = (await floors?.bearingOn(said, { now, validAsOf, transactionAsOf })) ?? {
      semanticAtoms: [],
      beliefs: [],
      activeGoals: [],
      procedures: [],
    }
    const meant = { ...question, goals, serves, sentence: asked?.query, resting: restingOn(bearing) }
    const fitting =
      wanted && (await particulars!.fittingStatements(indexes, this.deps.fetch, wanted, wanted.visibility))
    const graphErrors: GraphFailure[] = []
    const graphFailed = ({ code, message, details }: AgidbError) => {
      // A crowded answer is looked for again, and the graph fails again.
      if (graphErrors.some((one) => one.code === code)) return
      graphErrors.push({ code, message, spe: String(details['spe']) })
    }
    const deps = { ...this.deps, graphFailed, strengthened: this.#floors.now?.associations.strengthened }
    const forest = config.forestFor(asked?.query !== undefined)
    const found = await recall(indexes, deps, forest, { ...meant, ...(fitting && { fitting }) })
    const slots = found.matches.flatMap(({ id }) => indexes.catalog.slot(id) ?? [])
    const stating = statingOneAtATime(indexes, slots)
    const replaced =
      stating.length === 0
        ? undefined
        : await (await this.#floors.get()).concepts.replaced(stating, question.visibility)
    const matches = replaced?.by.size
      ? (await this.#parts.particulars()).newestFirst(found.matches, replaced.by, replaced.of)
      : found.matches
    const answer = { ...found, matches: matches.map((match) => this.#floors.shown(match)) }
    const prompt =
      budgetTokens === undefined ? undefined : particulars!.pack(answer.matches, bearing, budgetTokens, question.cue)
    checkSignal(options.signal)
    if (!caller.readOnly && options.learn !== false) this.#background.learning?.note(answer.matches)
    const attentionTrace = answer.attentionTrace && { ...answer.attentionTrace, ...(asked && { sentence: asked.use }) }
    if (attentionTrace !== undefined) {
      const floors = await this.#floors.get()
      floors.traces.keep(id, structuredClone(attentionTrace)) // a copy: the caller may change the one in the answer
      const episodes = answer.matches.map(({ id }) => id)
      if (!caller.readOnly)
        await floors.traced({ recall: id, cue: said, considered: attentionTrace.candidates.length, episodes }, caller)
    }
    return {
      id,
      ...answer,
      ...bearing,
      ...(prompt && { prompt }),
      ...(attentionTrace && { attentionTrace }),
      ...(graphErrors.length > 0 && { graphErrors }),
      ...(progress && { loading: progress }),
      ...(isPending && { codebookPending: true }),
    }
  }

  trace(recallId: RecallId): AttentionTrace | undefined {
    checkId('recallId', recallId, this.#context.config.limits)
    return structuredClone(this.#floors.now?.traces.find(recallId))
  }

  async consider(cue: string, options: RecallOptions = {}): Promise<Considered> {
    const { checkOpen, indexes, config } = this.#context
    const question = toQuestion(cue, options, config.clock(), config.limits)
    const asked = await this.#background.encoding?.ask(cue)
    checkOpen()
    const { candidates, features } = await consider(indexes, { ...question, sentence: asked?.query })
    return { ids: Array.from(candidates.slots, (slot) => indexes.catalog.id(slot)!), features: features.values }
  }
}

/** What of the floors bears on a cue. */
type Bearing = Pick<Recall, 'semanticAtoms' | 'beliefs' | 'activeGoals' | 'procedures'>

/** The parts of a pattern that are given, as one would say them: `fired Tom`. */
function inWords({ subject, predicate, object }: TriplePattern): string {
  return [subject, predicate, object].filter((part) => part !== undefined).join(' ')
}
