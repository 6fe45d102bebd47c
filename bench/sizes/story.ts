import type { Agidb } from '../../src/api/agidb.js'
import type { EpisodeId, Observation } from '../../src/api/episode.js'
import { type Asked, grown, Questions, STANDING_SESSION } from '../growth.js'

/** A question and the episode that it was made from. */
export interface Question {
  readonly cue: string
  readonly gold: EpisodeId
}

/** How long filling took. */
export interface Filled {
  readonly questions: readonly Question[]
  readonly observed: number
  readonly observeMs: number
  /** Turns a second in the last tenth of the calls. */
  readonly lastTenth: number
  /**
   * From the last acknowledgement until the memory was closed, its second copy and the image of its indexes written.
   */
  readonly closeMs: number
}

/** What was measured of opening, in milliseconds from the call of `open` on: code and caches are cold. */
export interface Begun {
  readonly openMs: number
  /** Until the first answer. */
  readonly answerMs: number
  /** Of how many episodes all signatures were looked at for the first answer. */
  readonly answered: number
  /** Until the first answer for which all signatures were. */
  readonly completeMs: number
  /** Until the first answer after all texts were read for statements. */
  readonly readMs: number
}

/** What was measured of answers, in milliseconds. */
export interface Answered {
  /** The first after opening, when compilers and caches have not seen much. */
  readonly first: readonly number[]
  /** Those after them. */
  readonly recalls: readonly number[]
  readonly filtered: readonly number[]
  /** Share of the questions whose episode was among the ten. */
  readonly hits: number
  /** Recalls in all. */
  readonly asked: number
}

/** Turns a call of `observeMany`. */
const BATCH = 1000
/** Questions that are asked soon after opening, each with the session, before the others. */
const FIRST = 50

/**
 * Grows a conversation and observes it, until all of it is durable; then closes. Makes as many questions, and the
 * {@link FIRST}.
 */
export async function fill(db: Agidb, source: readonly Observation[], count: number, queries: number): Promise<Filled> {
  const asked = new Questions(count, FIRST + queries)
  const gold = new Map<number, EpisodeId>()
  const calls: { turns: number; ms: number }[] = []
  let observed = 0
  let batch: Observation[] = []
  const flush = async () => {
    const started = performance.now()
    const ids = await db.observeMany(batch)
    calls.push({ turns: batch.length, ms: performance.now() - started })
    for (const question of asked.asked)
      if (question.gold >= observed) gold.set(question.gold, ids[question.gold - observed])
    observed += batch.length
    batch = []
  }
  let i = 0
  for (const item of grown(source, count)) {
    asked.offer(i++, item)
    batch.push(item)
    if (batch.length === BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  const started = performance.now()
  await db.flush()
  await db.close()
  const closeMs = performance.now() - started
  const total = (part: typeof calls) => ({
    turns: part.reduce((sum, { turns }) => sum + turns, 0),
    ms: part.reduce((sum, { ms }) => sum + ms, 0),
  })
  const last = total(calls.slice(Math.floor(0.9 * calls.length)))
  return {
    questions: asked.asked.map(({ cue, gold: number }: Asked) => ({ cue, gold: gold.get(number)! })),
    observed,
    observeMs: total(calls).ms,
    lastTenth: (1000 * last.turns) / last.ms,
    closeMs,
  }
}

/** Opens a memory and asks at once; then again, for what all of it says. */
export async function begin(open: () => Promise<Agidb>, cue: string): Promise<Begun & { readonly db: Agidb }> {
  const started = performance.now()
  const since = () => performance.now() - started
  const db = await open()
  const openMs = since()
  let ready = (): void => {}
  const loaded = new Promise<void>((resolve) => (ready = resolve))
  const unsubscribe = db.subscribe(({ kind }) => kind === 'signaturesReady' && ready())
  const first = await db.recall(cue)
  const answerMs = since()
  if (first.loading !== undefined) {
    await loaded
    await db.recall(cue)
  }
  unsubscribe()
  const completeMs = since()
  await db.recall(cue, { whole: true })
  const readMs = since()
  return { db, openMs, answerMs, completeMs, readMs, answered: first.loading?.done ?? (await db.stats()).episodes }
}

/** Asks for ten in all of the memory, and within the session that has a hundredth of it. */
export async function ask(db: Agidb, questions: readonly Question[]): Promise<Answered> {
  const [recalls, filtered]: [number[], number[]] = [[], []]
  let hits = 0
  for (const { cue, gold } of questions) {
    let started = performance.now()
    const { matches } = await db.recall(cue)
    recalls.push(performance.now() - started)
    if (matches.some(({ id, folded }) => id === gold || folded.includes(gold))) hits++
    started = performance.now()
    await db.recall(cue, { session: STANDING_SESSION })
    filtered.push(performance.now() - started)
  }
  const asked = recalls.length + filtered.length
  return {
    first: recalls.splice(0, FIRST),
    recalls,
    filtered: filtered.slice(FIRST),
    hits: hits / questions.length,
    asked,
  }
}
