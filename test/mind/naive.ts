import type { Triple } from '../../src/core/episode.js'
import type { GoalState } from '../../src/core/goal.js'

type Kind = GoalState['kind']

/** Where a goal may go: written down again, on purpose, and not taken from the library. */
const LEGAL: Readonly<Record<Kind, readonly Kind[]>> = { active: ['paused', 'completed', 'abandoned'], paused: ['active', 'abandoned'], completed: [], abandoned: [] }

interface NaiveGoal {
  readonly id: string
  readonly parent?: string
  readonly completion: 'all' | 'any'
  kind: Kind
  moves: number
}

interface NaiveBelief {
  readonly id: string
  readonly triple: Triple
  readonly from: number
  readonly to: number
  readonly log: { readonly at: number; readonly confidence: number }[]
  readonly bearing: Set<string>
  withdrawnAt: number
}

interface NaiveEpisode {
  readonly id: string
  readonly triple: Triple
  readonly at: number
  readonly recordedAt: number
  superseded?: { readonly at: number; readonly recordedAt: number }
}

/** An atom as a plain reader of the episodes would see it. */
export interface NaiveAtom {
  readonly object: string
  readonly episodes: readonly string[]
}

const MIN_SUPPORT = 3
const TRUST = 0.75
const GIVEN_UP = 0.05

/** The floors as one would write them without a thought to speed or storage: plain lists, looked through anew for each answer. */
export class Naive {
  readonly goals: NaiveGoal[] = []
  readonly beliefs: NaiveBelief[] = []
  readonly episodes: NaiveEpisode[] = []
  /** When consolidations ran, and how many episodes there were. */
  readonly runs: { readonly at: number; readonly episodes: number }[] = []

  /** Whether the goal may go there; if so, it does, and its parents with it. */
  move(id: string, to: Kind): boolean {
    const goal = this.goals.find((other) => other.id === id)!
    if (!LEGAL[goal.kind].includes(to)) return false
    this.#go(goal, to)
    return true
  }

  #go(goal: NaiveGoal, to: Kind): void {
    goal.kind = to
    goal.moves++
    if (to === 'active') this.#settle(goal)
    const parent = this.goals.find(({ id }) => id === goal.parent)
    if (to === 'completed' && parent !== undefined) this.#settle(parent)
  }

  /** Completes an active goal whose children say so. */
  #settle(goal: NaiveGoal): void {
    const children = this.goals.filter(({ parent }) => parent === goal.id)
    const done = children.filter(({ kind }) => kind === 'completed').length
    const enough = goal.completion === 'any' ? done > 0 : children.length > 0 && done === children.length
    if (goal.kind === 'active' && enough) this.#go(goal, 'completed')
  }

  /** What an episode makes of the confidence in a belief: `undefined` when it may not be counted (again). */
  revise(belief: NaiveBelief, episode: NaiveEpisode, now: number): number | undefined {
    if (belief.withdrawnAt < Infinity || belief.bearing.has(episode.id)) return undefined
    const before = belief.log.at(-1)!.confidence
    const same = episode.triple.subject === belief.triple.subject
    const supports = same && episode.triple.object === belief.triple.object
    // All predicates here have one object at a time.
    const contradicts = same && !supports && episode.at < belief.to && (episode.superseded?.at ?? Infinity) > belief.from
    const c = Math.min(0.99, Math.max(0.01, before))
    const update = (r: number) => (c * r) / (c * r + (1 - c) * (1 - r))
    const after = supports ? Math.max(before, update(TRUST)) : contradicts ? Math.min(before, update(1 - TRUST)) : before
    if (supports || contradicts) belief.bearing.add(episode.id)
    belief.log.push({ at: now, confidence: after })
    if (contradicts && after < GIVEN_UP) belief.withdrawnAt = now
    return after
  }

  /** What was believed of a subject at a time, of a time. */
  believed(subject: string, validAsOf: number, transactionAsOf: number): { readonly id: string; readonly confidence: number }[] {
    return this.beliefs
      .filter(({ triple, from, to, log, withdrawnAt }) =>
        triple.subject === subject && from <= validAsOf && validAsOf < to && log[0].at <= transactionAsOf && withdrawnAt > transactionAsOf)
      .map(({ id, log }) => ({ id, confidence: log.findLast(({ at }) => at <= transactionAsOf)!.confidence }))
  }

  /** The episodes that could be seen. */
  visible(now: number, validAsOf?: number, transactionAsOf = Infinity): string[] {
    return this.episodes
      .filter(({ at, recordedAt, superseded }) => {
        const ends = superseded !== undefined && superseded.recordedAt <= transactionAsOf ? superseded.at : Infinity
        return recordedAt <= transactionAsOf && (validAsOf === undefined ? ends > now : at <= validAsOf && validAsOf < ends)
      })
      .map(({ id }) => id)
  }

  /** What enough episodes had said by the last consolidation before a time. */
  atoms(transactionAsOf: number): NaiveAtom[] {
    const looked = Math.max(0, ...this.runs.filter(({ at }) => at <= transactionAsOf).map(({ episodes }) => episodes))
    const said = new Map<string, string[]>()
    for (const { id, triple: { subject, object } } of this.episodes.slice(0, looked)) {
      const key = `${subject} ${object}`
      said.set(key, [...(said.get(key) ?? []), id])
    }
    return [...said].filter(([, episodes]) => episodes.length >= MIN_SUPPORT).map(([key, episodes]) => ({ object: key.split(' ')[1], episodes }))
  }
}
