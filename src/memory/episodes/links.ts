import type { Episode, EpisodeId } from '../../api/episode.js'
import type { GoalStateKind } from '../../api/goal.js'
import type { LearningEvent } from '../../api/learning.js'
import type { BeliefId, GoalId, Purpose } from '../../api/purpose.js'
import { AgidbError } from '../../base/errors.js'
import { HEAP } from '../../base/heap-size.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import type { MemoryContext } from '../context.js'
import { goneFrom } from '../evidence.js'
import { type IsGone, ofEvents, type Projection, type Service } from '../projection.js'
import type { Instead } from '../told.js'

type Link = Logged<'episodeLinked'>

/** What links ask of the floors to which they lead. */
export interface LinkedFloors {
  /** The state of a goal; `undefined` where there is no such goal. */
  readonly stateOf: (goal: GoalId) => GoalStateKind | undefined
  /**
   * The place of a belief among beliefs and events, which can be compared with the slot of an event; `undefined` where
   * there is no such belief. That of a belief that the memory came to by itself lies behind its first evidence.
   */
  readonly placeOf: (belief: BeliefId) => number | undefined
  /** See `Service.without`, of beliefs. */
  readonly beliefsWithout: (events: readonly Logged[], isGone: IsGone) => Instead
}

/** What V8 takes for a link beside its event: an object and an element. */
const LINK = HEAP.object + 3 * HEAP.field

/**
 * For which goals and with which beliefs episodes were observed: an event for each link, which is written with its
 * episode. A link is shown while the episode and what it leads to are there.
 */
export class EpisodeLinks implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: Pick<MemoryContext, 'indexes' | 'observation'>
  readonly #floors: LinkedFloors
  /** By episode, in the order of their slots. */
  readonly #links = new Map<EpisodeId, Link[]>()
  #count = 0

  constructor(context: Pick<MemoryContext, 'indexes' | 'observation'>, floors: LinkedFloors) {
    this.#context = context
    this.#floors = floors
  }

  apply(event: LearningEvent, slot: number): void {
    if (event.kind !== 'episodeLinked') return
    const links = this.#links.get(event.episode) ?? []
    this.#links.set(event.episode, links)
    // One that is back stands at its place again.
    const at = links.findLastIndex((link) => link.slot < slot) + 1
    links.splice(at, 0, { slot, event })
    this.#count++
  }

  retract(events: readonly LearningEvent[]): void {
    for (const event of events) {
      const links = event.kind === 'episodeLinked' ? this.#links.get(event.episode) : undefined
      const at = links?.findIndex((link) => link.event === event) ?? -1
      if (event.kind !== 'episodeLinked' || at < 0) continue
      links!.splice(at, 1)
      this.#count--
      if (links!.length === 0) this.#links.delete(event.episode)
    }
  }

  /** Links of episodes that are gone, and to beliefs that did not exist then without these. */
  without(events: readonly Logged[], isGone: IsGone): Instead {
    if (this.#count === 0) return new Map()
    const isLost = lostBeliefs(events, this.#floors.beliefsWithout(events, isGone))
    return leftOut(events, ({ slot, event: { episode, belief } }) => {
      return isGone(episode, slot) || (belief !== undefined && isLost(belief, slot))
    })
  }

  /** The same for what is not there now. */
  told(events: readonly Logged[]): Instead {
    if (this.#count === 0) return new Map()
    const isThere = this.#there()
    return leftOut(events, (link) => !isThere(link))
  }

  /** Bytes of main memory, about. */
  get bytes(): number {
    return this.#links.size * (HEAP.key + HEAP.array) + this.#count * LINK
  }

  /**
   * Checks what episodes that are being written were observed for.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` naming the option, such as `items[3].goal`.
   */
  expect(episodes: readonly Episode[]): void {
    const { stateOf, placeOf } = this.#floors
    const hasBelief = (id: BeliefId) => placeOf(id) !== undefined
    for (const { id } of episodes) {
      const { what, goal, beliefs = [] } = this.#context.observation(id) ?? {}
      const prefix = what ? `${what}.` : ''
      if (goal !== undefined && stateOf(goal) === undefined)
        throw missing(`${prefix}goal`, 'goal', goal, hasBelief(goal) ? 'a belief' : undefined)
      for (const [i, belief] of beliefs.entries())
        if (!hasBelief(belief)) {
          const other = stateOf(belief) === undefined ? undefined : 'a goal'
          throw missing(`${prefix}beliefs[${i}]`, 'belief', belief, other)
        }
    }
  }

  /**
   * The links that are to be written with episodes.
   *
   * @throws AgidbError as {@link expect} does.
   */
  drafted(episodes: readonly Episode[]): NewEvent<'episodeLinked'>[] {
    this.expect(episodes)
    return episodes.flatMap(({ id: episode }) => {
      const { goal, beliefs = [] } = this.#context.observation(episode) ?? {}
      return [
        ...(goal === undefined ? [] : [{ kind: 'episodeLinked' as const, episode, goal }]),
        ...[...new Set(beliefs)].map((belief) => ({ kind: 'episodeLinked' as const, episode, belief })),
      ]
    })
  }

  /** An episode, or what is told of it, with what it was observed for. */
  shown<E extends { readonly id: EpisodeId }>(one: E): E & Purpose {
    const links = this.#links.get(one.id)
    if (links === undefined) return one
    const there = links.filter(this.#there())
    const goal = there.find(({ event }) => event.goal !== undefined)?.event.goal
    const beliefs = there.flatMap(({ event }) => event.belief ?? [])
    return { ...one, ...(goal !== undefined && { goal }), ...(beliefs.length > 0 && { beliefs }) }
  }

  /** The goals and beliefs to which episodes are linked, each once. */
  linked(): { readonly goals: readonly GoalId[]; readonly beliefs: readonly BeliefId[] } {
    const there = [...this.#links.values()].flat().filter(this.#there())
    return {
      goals: [...new Set(there.flatMap(({ event }) => event.goal ?? []))],
      beliefs: [...new Set(there.flatMap(({ event }) => event.belief ?? []))],
    }
  }

  /** Whether the episode of a slot was observed for a goal that is active; `undefined` where none was for any goal. */
  get serves(): ((slot: number) => boolean) | undefined {
    if (this.#count === 0) return undefined
    const { catalog } = this.#context.indexes
    const isThere = this.#there()
    return (slot) =>
      this.#links.get(catalog.id(slot)!)?.some((link) => {
        const { goal } = link.event
        return goal !== undefined && this.#floors.stateOf(goal) === 'active' && isThere(link)
      }) ?? false
  }

  /** Tells of links whether both ends are there. */
  #there(): (link: Link) => boolean {
    const isGone = goneFrom(this.#context.indexes.catalog)
    const { stateOf, placeOf } = this.#floors
    return ({ slot, event: { episode, goal, belief } }) =>
      !isGone(episode, slot) &&
      (goal === undefined || stateOf(goal) !== undefined) &&
      // A belief that lost its first evidence may begin later.
      (belief === undefined || (placeOf(belief) ?? Infinity) < slot)
  }
}

/** The links of a log that are not told. */
function leftOut(events: readonly Logged[], isOut: (link: Link) => boolean): Map<LearningEvent, undefined> {
  const links = events.filter((logged): logged is Link => logged.event.kind === 'episodeLinked')
  return new Map(links.filter(isOut).map(({ event }) => [event, undefined]))
}

/**
 * Tells of beliefs whether no assertion before a slot is left. One that the memory came to by itself may come back, and
 * its place goes by its evidence.
 *
 * @param instead what the floor of beliefs says of the events.
 */
function lostBeliefs(events: readonly Logged[], instead: Instead): (belief: BeliefId, slot: number) => boolean {
  const first = new Map<BeliefId, number>()
  for (const { slot, event } of events) {
    if (event.kind !== 'beliefAsserted' && event.kind !== 'beliefReasserted') continue
    const isLeft = !instead.has(event) || instead.get(event) !== undefined
    const isOwn = event.kind === 'beliefAsserted' && event.automatic !== undefined
    const place = isLeft ? (isOwn ? -1 : slot) : Infinity
    first.set(event.belief, Math.min(place, first.get(event.belief) ?? Infinity))
  }
  return (belief, slot) => (first.get(belief) ?? -1) > slot
}

function missing(what: string, kind: 'goal' | 'belief', id: string, other: string | undefined): AgidbError {
  const is = other === undefined ? '' : `; it is the id of ${other}`
  return new AgidbError('AGIDB_NOT_FOUND', `${what}: there is no ${kind} with the id ${JSON.stringify(id)}${is}`, {
    what,
    id,
  })
}
