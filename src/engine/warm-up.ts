import { DEFAULT_LIMITS } from '../api/check.js'
import { stopwatch } from '../base/clock.js'
import { unref } from '../base/unref.js'
import type { RecallDeps } from '../recall/deps.js'
import { restingOn } from '../recall/evidence/resting.js'
import { toQuestion } from '../recall/query/to-question.js'
import { recall } from '../recall/recall.js'
import type { EngineContext } from './context.js'
import type { LateFloors } from './late-floors.js'

/** A memory of fewer episodes is left alone. With so many the first question still gains a tenth of a second. */
const LEAST_EPISODES = 256
/** How long nobody must have asked or written anything, milliseconds. */
const QUIET_MS = 1_000
/** How many questions are made of texts, at most. */
const QUESTIONS = 32
/** How long these may take together, milliseconds. */
const BUDGET_MS = 1_000
/** How long the thread is left to others between two questions, milliseconds. */
const PAUSE_MS = 10
/** The words of an episode that make a question, at most, and the characters in which they are looked for. */
const WORDS = 8
const CHARACTERS = 100
/** Asked at last, so that what reads times is loaded: that takes as long as many other questions. */
const TIMED = 'what did we do last Tuesday?'

/**
 * Asks questions made of the memory's own texts once nobody has asked or written anything for a while, so that the code
 * of recall is compiled and its caches are filled when the first question comes. Nothing is learned, kept or written,
 * and no encoder is asked. The first call or commit meanwhile ends it for good.
 */
export class WarmUp {
  readonly #context: EngineContext
  readonly #floors: LateFloors
  readonly #recalling: { readonly deps: RecallDeps }
  readonly #background: { readonly activity: number }
  #activity: number
  #asked = 0
  #spent = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #asking: Promise<void> | undefined
  #isStopped = false

  /** @param background what counts the calls and the commits. */
  constructor(
    context: EngineContext,
    floors: LateFloors,
    recalling: { readonly deps: RecallDeps },
    background: { readonly activity: number },
  ) {
    this.#context = context
    this.#floors = floors
    this.#recalling = recalling
    this.#background = background
    this.#activity = background.activity
  }

  /** Resolves when the question that it is asking is answered; `undefined` where it asks none. */
  get asking(): Promise<void> | undefined {
    return this.#asking
  }

  /** Begins to wait for a pause. A codebook that is on its way changes what is computed, so it is waited for. */
  async start(): Promise<void> {
    const { codebookArrival, config } = this.#context
    await codebookArrival?.finish()
    this.#after(config.options.warmUpAfterMs ?? QUIET_MS)
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #after(ms: number): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => this.#next(ms), ms)
    unref(this.#timer)
  }

  /** Asks the next question, unless somebody else has asked or written something. @param waited how long it waited. */
  #next(waited: number): void {
    const { activity } = this.#background
    if (activity !== this.#activity) {
      this.#activity = activity
      if (this.#asked === 0) this.#after(waited)
      return
    }
    if (this.#context.indexes.catalog.size < LEAST_EPISODES) return
    const started = stopwatch()
    const isLast = this.#asked === QUESTIONS || this.#spent >= BUDGET_MS
    this.#asking = this.#ask(isLast ? async () => TIMED : () => this.#wordsAt(this.#asked++ / QUESTIONS)).then(
      () => {
        this.#spent += stopwatch() - started
        if (!isLast) this.#after(PAUSE_MS)
      },
      // What is damaged, or cannot be loaded, is told to whoever asks for it: a recall meets it again.
      () => {},
    )
  }

  async #ask(makeCue: () => Promise<string | undefined>): Promise<void> {
    const { indexes, config } = this.#context
    const cue = await makeCue()
    if (!cue) return
    const question = toQuestion(cue, {}, config.clock(), DEFAULT_LIMITS)
    const bearing = await this.#floors.now?.bearingOn(cue, { now: question.now })
    const meant = { ...question, ...(bearing && { resting: restingOn(bearing) }) }
    await recall(indexes, this.#recalling.deps, config.forestFor(config.encoder !== undefined), meant)
  }

  /** The first words of an episode. @param share how far down the memory it is, 0 to 1. */
  async #wordsAt(share: number): Promise<string | undefined> {
    const { fetch, indexes } = this.#context
    const [newest = 0] = indexes.catalog.newest(1)
    const [slot] = indexes.catalog.slots(Math.floor(share * newest))
    const [episode] = slot === undefined ? [] : await fetch([slot])
    return episode?.text.slice(0, CHARACTERS).trim().split(/\s+/u).slice(0, WORDS).join(' ')
  }
}
