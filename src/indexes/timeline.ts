import { Column } from '../base/column.js'
import { HEAP } from '../base/heap-size.js'
import { loadStrings, part, saveStrings, type CheckpointParts } from '../base/checkpoint-parts.js'
import type { Catalog } from './catalog.js'
import type { Index } from './port.js'

const NONE = -1

/** Indexes the order of episodes in their sessions. */
export function timelineIndex(): Index<Timeline> {
  const timeline = new Timeline()
  return {
    contents: timeline,
    add: (slot, { session }) => timeline.add(slot, session),
    update: (slot, { session }) => timeline.move(slot, session),
    remove: (slot, { session }) => timeline.remove(slot, session),
  }
}

/**
 * What was said before and after what: the episodes of each session as a doubly linked list in
 * ascending order of slot. Episodes without a session have no neighbours: nothing says that they
 * belong together.
 */
export class Timeline {
  readonly #previous = new Column(Int32Array, NONE)
  readonly #next = new Column(Int32Array, NONE)
  readonly #last = new Map<string, number>()
  #moves = 0
  #catalog: Pick<Catalog, 'session' | 'sessions'> | undefined

  /** Bytes of memory. */
  get bytes(): number {
    return this.#previous.bytes + this.#next.bytes + this.#last.size * HEAP.entry // the names are the catalog's, too
  }

  add(slot: number, session: string | undefined): void {
    if (session === undefined) return
    // New episodes have the highest slot; walking back is for those that come back later.
    let previous = this.#last.get(session) ?? NONE
    let next = NONE
    while (previous > slot) {
      next = previous
      previous = this.#previous.get(previous)
    }
    this.#link(previous, slot)
    this.#link(slot, next)
    if (next === NONE) this.#last.set(session, slot)
  }

  remove(slot: number, session: string | undefined): void {
    if (session === undefined) return
    const previous = this.#previous.get(slot)
    const next = this.#next.get(slot)
    this.#link(previous, next)
    if (next === NONE) {
      if (previous === NONE) this.#last.delete(session)
      else this.#last.set(session, previous)
    }
    this.#previous.set(slot, NONE)
    this.#next.set(slot, NONE)
  }

  /** Looks up in a catalog in which sessions episodes are, so that no list is walked for it. */
  useSessions(catalog: Pick<Catalog, 'session' | 'sessions'>): void {
    this.#catalog = catalog
  }

  /** Puts an episode, which is where the catalog has it, into a session, unless it is in that already. */
  move(slot: number, session: string | undefined): void {
    const { sessions } = this.#catalog!
    const before = sessions.name(this.#catalog!.session(slot))
    if (before === session) return
    this.#moves++
    this.remove(slot, before)
    this.add(slot, session)
  }

  /** Grows whenever an episode goes from one session to another. */
  get moves(): number {
    return this.#moves
  }

  /** The episode before this one in its session, or −1. */
  previous(slot: number): number {
    return this.#previous.get(slot)
  }

  /** The episode after this one in its session, or −1. */
  next(slot: number): number {
    return this.#next.get(slot)
  }

  /** The last episode of a session, or −1. */
  last(session: string): number {
    return this.#last.get(session) ?? NONE
  }

  /** The episodes of a session, the last first. */
  *of(session: string): Generator<number> {
    for (let slot = this.last(session); slot !== NONE; slot = this.#previous.get(slot)) yield slot
  }

  save(parts: CheckpointParts, name: string): void {
    this.#previous.save(parts, `${name}.previous`)
    this.#next.save(parts, `${name}.next`)
    saveStrings(parts, `${name}.sessions`, [...this.#last.keys()])
    parts.set(`${name}.last`, Uint32Array.from(this.#last.values()))
  }

  load(parts: CheckpointParts, name: string): void {
    this.#previous.load(parts, `${name}.previous`)
    this.#next.load(parts, `${name}.next`)
    const last = part(parts, `${name}.last`, Uint32Array)
    loadStrings(parts, `${name}.sessions`).forEach((session, i) => this.#last.set(session, last[i]))
  }

  #link(before: number, after: number): void {
    if (before !== NONE) this.#next.set(before, after)
    if (after !== NONE) this.#previous.set(after, before)
  }
}
