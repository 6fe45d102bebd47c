import type { Triple } from '../../../src/api/episode.js'
import type { GoalState } from '../../../src/api/goal.js'

type Kind = GoalState['kind']

/** Where a goal may go: written down again, on purpose, and not taken from the library. */
const LEGAL: Readonly<Record<Kind, readonly Kind[]>> = {
  active: ['paused', 'completed', 'abandoned'],
  paused: ['active', 'abandoned'],
  completed: [],
  abandoned: [],
}

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
  readonly log: NaiveEntry[]
  withdrawnAt: number
}

/** That a belief was asserted, once more perhaps, or that an episode was weighed. */
interface NaiveEntry {
  readonly at: number
  readonly confidence?: number
  readonly weighed?: { readonly episode: NaiveEpisode; readonly supports: boolean; readonly wasOver: boolean }
  readonly automatic?: boolean
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

/**
 * The floors as one would write them without a thought to speed or storage: plain lists, looked through anew for each
 * answer.
 */
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

  /** Asserts a belief; the same again, of a time that includes this one, is the same belief. */
  assert(belief: Omit<NaiveBelief, 'log' | 'withdrawnAt'>, confidence: number, now: number): NaiveBelief {
    const same = this.beliefs.find(
      ({ triple, from, to, withdrawnAt }) =>
        withdrawnAt === Infinity &&
        JSON.stringify(triple) === JSON.stringify(belief.triple) &&
        from <= belief.from &&
        to === belief.to,
    )
    if (same === undefined) this.beliefs.push({ ...belief, log: [{ at: now, confidence }], withdrawnAt: Infinity })
    else if (this.confidence(same, this.moment(same, now)) !== confidence) same.log.push({ at: now, confidence })
    return same ?? this.beliefs.at(-1)!
  }

  /**
   * What an episode says of a belief, and whether it says it of a time at which the belief is held. All predicates have
   * one object at a time.
   */
  #says(belief: NaiveBelief, episode: NaiveEpisode): 'supports' | 'contradicts' | undefined {
    if (episode.triple.subject !== belief.triple.subject) return undefined
    if (episode.triple.object === belief.triple.object) return 'supports'
    return episode.at < belief.to && (episode.superseded?.at ?? Infinity) > belief.from ? 'contradicts' : undefined
  }

  /** A new episode changes all beliefs on which it bears, unless it contradicts them of a time before they begin. */
  observe(episode: NaiveEpisode, now: number): void {
    this.episodes.push(episode)
    for (const belief of this.beliefs) {
      const says = this.#says(belief, episode)
      if (belief.withdrawnAt < Infinity || says === undefined || (says === 'contradicts' && episode.at < belief.from))
        continue
      this.#weigh(belief, episode, says === 'supports', now, true)
    }
  }

  /** What an episode makes of the confidence in a belief: `undefined` when it may not be counted (again). */
  revise(
    belief: NaiveBelief,
    episode: NaiveEpisode,
    now: number,
  ): { readonly after: number; readonly withdrawn: boolean } | undefined {
    const i = belief.log.findIndex(({ weighed }) => weighed?.episode === episode)
    if (i >= 0 && belief.log[i].automatic) {
      // What it did when it was observed.
      const { after } = belief.log[i] as NaiveEntry & { after: number }
      const withdrawn = !belief.log[i].weighed!.supports && after < GIVEN_UP
      return { after, withdrawn }
    }
    if (belief.withdrawnAt < Infinity || i >= 0) return undefined
    const says = this.#says(belief, episode)
    if (says !== undefined) return this.#weigh(belief, episode, says === 'supports', now, false)
    return { after: this.confidence(belief, this.moment(belief, now)), withdrawn: false }
  }

  #weigh(belief: NaiveBelief, episode: NaiveEpisode, supports: boolean, now: number, automatic: boolean) {
    const after = weighed(this.confidence(belief, this.moment(belief, now)), supports)
    const wasOver = (episode.superseded?.at ?? Infinity) <= now
    belief.log.push(Object.assign({ at: now, weighed: { episode, supports, wasOver }, automatic }, { after }))
    const withdrawn = !supports && after < GIVEN_UP
    if (withdrawn) belief.withdrawnAt = now
    return { after, withdrawn }
  }

  /** The time of which a belief is looked at where none is asked about. */
  moment({ to }: NaiveBelief, now: number): number {
    return Math.min(now, to - 1)
  }

  /** The confidence of a time, as it was known at a time: by what was not superseded. */
  confidence({ log }: NaiveBelief, valid: number, known = Infinity): number {
    const isOver = ({ episode: { superseded }, wasOver }: NonNullable<NaiveEntry['weighed']>) =>
      !wasOver && superseded !== undefined && superseded.recordedAt <= known && superseded.at <= valid
    let confidence = 0
    const before: NonNullable<NaiveEntry['weighed']>[] = []
    for (const entry of log.filter(({ at }) => at <= known)) {
      if (entry.weighed === undefined) {
        confidence = entry.confidence!
        for (const one of before.filter(isOver)) confidence = weighed(confidence, !one.supports)
      } else {
        before.push(entry.weighed)
        if (!isOver(entry.weighed)) confidence = weighed(confidence, entry.weighed.supports)
      }
    }
    return confidence
  }

  /** What was believed of a subject at a time, of a time. */
  believed(
    subject: string,
    validAsOf: number,
    transactionAsOf: number,
  ): { readonly id: string; readonly confidence: number }[] {
    return this.beliefs
      .filter(
        ({ triple, from, to, log, withdrawnAt }) =>
          triple.subject === subject &&
          from <= validAsOf &&
          validAsOf < to &&
          log[0].at <= transactionAsOf &&
          withdrawnAt > transactionAsOf,
      )
      .map((belief) => ({ id: belief.id, confidence: this.confidence(belief, validAsOf, transactionAsOf) }))
  }

  /** The episodes that could be seen. */
  visible(now: number, validAsOf?: number, transactionAsOf = Infinity): string[] {
    return this.episodes
      .filter(({ at, recordedAt, superseded }) => {
        const ends = superseded !== undefined && superseded.recordedAt <= transactionAsOf ? superseded.at : Infinity
        return (
          recordedAt <= transactionAsOf && (validAsOf === undefined ? ends > now : at <= validAsOf && validAsOf < ends)
        )
      })
      .map(({ id }) => id)
  }

  /** What enough episodes had said by the last consolidation before a time. */
  atoms(transactionAsOf: number): NaiveAtom[] {
    const looked = Math.max(0, ...this.runs.filter(({ at }) => at <= transactionAsOf).map(({ episodes }) => episodes))
    const said = new Map<string, string[]>()
    for (const {
      id,
      triple: { subject, object },
    } of this.episodes.slice(0, looked)) {
      const key = `${subject} ${object}`
      said.set(key, [...(said.get(key) ?? []), id])
    }
    return [...said]
      .filter(([, episodes]) => episodes.length >= MIN_SUPPORT)
      .map(([key, episodes]) => ({ object: key.split(' ')[1], episodes }))
  }
}

/** Bayes' rule, written down again. */
function weighed(confidence: number, supports: boolean): number {
  const c = Math.min(0.99, Math.max(0.01, confidence))
  const update = (r: number) => (c * r) / (c * r + (1 - c) * (1 - r))
  return supports ? Math.max(confidence, update(TRUST)) : Math.min(confidence, update(1 - TRUST))
}
