import type { Episode, EpisodeId } from '../api/episode.js'
import { Bits, bitsOf, slotsBackwards, slotsOf } from '../base/bits.js'
import { Column } from '../base/column.js'
import type { Span } from '../api/time.js'
import { HEAP } from '../base/heap-size.js'
import { enter, leave } from '../base/set-map.js'
import { IdTable } from './id-table.js'
import { loadStrings, part, saveStrings, type CheckpointParts } from '../base/checkpoint-parts.js'
import { Interner } from '../base/interner.js'
import type { Index } from './port.js'
import { endOf, type Ends } from './narrow.js'
import { Speakers } from './speakers.js'
import { Times } from './times.js'
import {
  type Belonging,
  between,
  equalTo,
  listedIn,
  notAfter,
  notEnded,
  notUpdatedAfter,
  oneOf,
  type Visibility,
  type VisibilityRule,
} from './visibility.js'

const NONE = -1
const NEVER = Infinity

/** Indexes who said what when, in which session, and until when it holds. */
export function catalogIndex(): Index<Catalog> {
  const catalog = new Catalog()
  return {
    contents: catalog,
    add: (slot, episode) => catalog.add(slot, episode),
    update: (slot, episode) => catalog.update(slot, episode),
    remove: (slot) => catalog.remove(slot),
  }
}

/**
 * What every live episode is, by slot, in typed columns: who, in which session, from where, and its
 * two times. Texts stay in the storage.
 */
export class Catalog {
  readonly #ids = new IdTable()
  readonly #live = new Bits()
  readonly sessions = new Interner()
  readonly speakerNames = new Speakers()
  readonly speakers = new Interner(this.speakerNames)
  readonly sources = new Interner()
  readonly writers = new Interner()
  readonly #session = new Column(Int32Array, NONE)
  readonly #speaker = new Column(Int32Array, NONE)
  readonly #source = new Column(Int32Array, NONE)
  readonly #writer = new Column(Int32Array, NONE)
  /** The columns of names, with the names that their numbers stand for, and what an episode has there. */
  readonly #naming = [
    [this.#session, this.sessions, ({ session }: Episode) => session],
    [this.#speaker, this.speakers, ({ speaker }: Episode) => speaker],
    [this.#source, this.sources, ({ source }: Episode) => source],
    [this.#writer, this.writers, ({ provenance }: Episode) => provenance.writer],
  ] as const
  readonly #validFrom = new Times()
  readonly #validTo = new Times()
  readonly #recordedAt = new Times()
  readonly #endKnownAt = new Times()
  /** When what was updated began to say what it says now, epoch milliseconds. */
  readonly #updatedAt = new Map<number, number>()
  /** Superseded slots by what supersedes them. */
  readonly #superseded = new Map<EpisodeId, Set<number>>()
  readonly #supersededBy = new Map<number, EpisodeId>()
  /**
   * The slots that are superseded or end by themselves, now or later: all others are true from their time on. While
   * there are none, most questions need no mask.
   */
  readonly #ended = new Bits()
  /**
   * The ends, epoch milliseconds, of those that would end by themselves and were superseded before: they count where
   * that is not known.
   */
  readonly #laterEnds = new Map<number, number>()
  readonly #ends: Ends = { slots: this.#ended, at: this.#validTo, known: this.#endKnownAt, later: this.#laterEnds }
  readonly #watching: ((id: EpisodeId) => void)[] = []

  /** Live episodes. */
  get size(): number {
    return this.#live.count
  }

  /** Bytes of memory. */
  get bytes(): number {
    const named = this.#naming.flatMap(([column, names]) => [column, names])
    const columns = [this.#validFrom, this.#validTo, this.#recordedAt, this.#endKnownAt]
    const times = (this.#laterEnds.size + this.#updatedAt.size) * HEAP.entry
    const entries = this.#supersededBy.size * (HEAP.entry + HEAP.name) + times
    const superseded = entries + this.#superseded.size * (HEAP.map + HEAP.entry)
    const beside = [this.#ids, this.#live, this.#ended, this.speakerNames]
    return [...columns, ...named, ...beside].reduce((sum, { bytes }) => sum + bytes, superseded)
  }

  add(slot: number, episode: Episode): void {
    this.#ids.add(slot, episode.id)
    this.#live.add(slot)
    for (const [column, names, nameIn] of this.#naming) {
      const name = nameIn(episode)
      column.set(slot, name === undefined ? NONE : names.add(name))
    }
    this.#validFrom.set(slot, Date.parse(episode.at))
    this.#recordedAt.set(slot, Date.parse(episode.recordedAt))
    this.#setUpdated(slot, episode)
    this.supersede(slot, episode)
  }

  /** Takes over an episode that is already here as it is now. */
  update(slot: number, episode: Episode): void {
    const isSame =
      this.id(slot) === episode.id &&
      this.#naming.every(([column, names, nameIn]) => names.name(column.get(slot)) === nameIn(episode)) &&
      this.validFrom(slot) === Date.parse(episode.at) &&
      this.recordedAt(slot) === Date.parse(episode.recordedAt)
    if (isSame) {
      this.#setUpdated(slot, episode)
      return this.supersede(slot, episode)
    }
    this.remove(slot)
    this.add(slot, episode)
  }

  /** Takes over when an episode that is already here ends, and how it was superseded. */
  supersede(slot: number, episode: Episode): void {
    const { superseded } = episode
    this.#unsupersede(slot)
    if (superseded !== undefined) this.#supersede(slot, superseded.by)
    const byItself = episode.validTo === undefined ? NEVER : Date.parse(episode.validTo)
    const replaced = superseded === undefined ? NEVER : Date.parse(superseded.at)
    const isReplaced = replaced < byItself
    this.#validTo.set(slot, Math.min(replaced, byItself))
    this.#endKnownAt.set(
      slot,
      isReplaced ? Date.parse(superseded!.recordedAt) : byItself < NEVER ? this.knownSince(slot) : NEVER,
    )
    if (byItself < NEVER) this.#ended.add(slot)
    if (isReplaced && byItself < NEVER) this.#laterEnds.set(slot, byItself)
    for (const changed of this.#watching) changed(episode.id)
  }

  remove(slot: number): void {
    const id = this.#ids.id(slot)
    if (id === undefined) return
    this.#ids.remove(slot)
    this.#live.remove(slot)
    for (const [column, names] of this.#naming) {
      if (column.get(slot) !== NONE) names.remove(column.get(slot))
      column.set(slot, NONE)
    }
    this.#unsupersede(slot)
    this.#updatedAt.delete(slot)
    for (const column of [this.#validFrom, this.#validTo, this.#recordedAt, this.#endKnownAt]) column.set(slot, NEVER)
    for (const changed of this.#watching) changed(id)
  }

  /** The slots that an episode supersedes, ascending. */
  supersededBy(id: EpisodeId): number[] {
    return [...(this.#superseded.get(id) ?? [])].sort((a, b) => a - b)
  }

  /** The episode that supersedes that of a slot. */
  successor(slot: number): EpisodeId | undefined {
    return this.#supersededBy.get(slot)
  }

  /** The slots that are superseded, ascending. */
  supersededSlots(): number[] {
    return [...this.#supersededBy.keys()].sort((a, b) => a - b)
  }

  /** Whether a slot has a live episode. */
  has(slot: number): boolean {
    return this.#live.has(slot)
  }

  slot(id: EpisodeId): number | undefined {
    return this.#ids.slot(id)
  }

  id(slot: number): EpisodeId | undefined {
    return this.#ids.id(slot)
  }

  /** The speaker's name, if the episode has one. */
  speaker(slot: number): string | undefined {
    return this.speakers.name(this.#speaker.get(slot))
  }

  /** Where it comes from, if that is known. */
  source(slot: number): string | undefined {
    return this.sources.name(this.#source.get(slot))
  }

  /** Who wrote it, as its provenance has it. */
  writer(slot: number): string | undefined {
    return this.writers.name(this.#writer.get(slot))
  }

  /** The number of its session, by which episodes are grouped; −1 without one. */
  session(slot: number): number {
    return this.#session.get(slot)
  }

  /** When an episode was updated last, epoch milliseconds; `undefined` for one that never was. */
  updatedAt(slot: number): number | undefined {
    return this.#updatedAt.get(slot)
  }

  /** The slots that were updated, ascending. */
  updatedSlots(): number[] {
    return [...this.#updatedAt.keys()].sort((a, b) => a - b)
  }

  /** Transaction time since when an episode says what it says now, epoch milliseconds. */
  knownSince(slot: number): number {
    return this.#updatedAt.get(slot) ?? this.#recordedAt.get(slot)
  }

  /** Starts of valid time by slot, epoch milliseconds. */
  get validTimes(): Times {
    return this.#validFrom
  }

  /** Start of valid time, epoch milliseconds. */
  validFrom(slot: number): number {
    return this.#validFrom.get(slot)
  }

  /** Transaction time, epoch milliseconds. */
  recordedAt(slot: number): number {
    return this.#recordedAt.get(slot)
  }

  /** End of valid time, epoch milliseconds, as it was known at a time; `Infinity` if there was none. */
  validTo(slot: number, known = NEVER): number {
    return endOf(this.#ends, slot, known)
  }

  /** When it was recorded that it ends then, epoch milliseconds; `Infinity` if it does not. */
  endKnownAt(slot: number): number {
    return this.#endKnownAt.get(slot)
  }

  /** Calls `changed` when an episode is superseded, is so no more, or goes. */
  watch(changed: (id: EpisodeId) => void): void {
    this.#watching.push(changed)
  }

  /** Live slots in ascending order, from `start` on. */
  slots(start = 0): Generator<number> {
    return slotsOf(this.#live.words, start)
  }

  /** The slots that came last, ascending, `most` at most, of a bit set; by default of all. */
  newest(most: number, among: Uint32Array = this.live): number[] {
    const found: number[] = []
    for (const slot of slotsBackwards(among)) {
      if (found.length === most) break
      found.push(slot)
    }
    return found.reverse()
  }

  /** Whether a live slot is visible. Who asks of many asks {@link seeing}. */
  visible(slot: number, rules: Visibility): boolean {
    return this.seeing(rules)(slot)
  }

  /** Tells of slots whether they are live and visible: what is the same for all of them is worked out once. */
  seeing(rules: Visibility): (slot: number) => boolean {
    return this.#liveThat([...this.#belongingRules(rules), ...this.#timeRules(rules)])
  }

  /** Tells of slots whether they are live and belong there. */
  belonging(where: Belonging): (slot: number) => boolean {
    return this.#liveThat(this.#belongingRules(where))
  }

  #liveThat(rules: readonly VisibilityRule[]): (slot: number) => boolean {
    const live = this.#live
    if (rules.length === 0) return (slot) => live.has(slot)
    if (rules.length > 1) return (slot) => live.has(slot) && rules.every(({ holds }) => holds(slot))
    const [{ holds }] = rules // of a million slots each step counts
    return (slot) => holds(slot) && live.has(slot)
  }

  /** The slots that have one of some names. */
  named(field: 'speaker' | 'source', names: readonly string[]): VisibilityRule {
    const [column, interner] = field === 'speaker' ? [this.#speaker, this.speakers] : [this.#source, this.sources]
    return oneOf(
      column,
      names.map((name) => interner.find(name)).filter((number) => number !== undefined),
    )
  }

  /** The slots that began, or were first recorded, in a stretch of time. */
  within(field: 'at' | 'recordedAt', span: Span): VisibilityRule {
    return between(field === 'at' ? this.#validFrom : this.#recordedAt, span)
  }

  #belongingRules({ session, speaker, source, within, among }: Belonging): VisibilityRule[] {
    const rules: VisibilityRule[] = []
    if (among !== undefined) rules.push(listedIn(among))
    if (session !== undefined) rules.push(equalTo(this.#session, this.sessions.find(session)))
    if (speaker !== undefined) rules.push(equalTo(this.#speaker, this.speakers.find(speaker)))
    if (source !== undefined) rules.push(equalTo(this.#source, this.sources.find(source)))
    if (within !== undefined) rules.push(between(this.#validFrom, within))
    return rules
  }

  #timeRules({ validAsOf, transactionAsOf: known, now }: Visibility): VisibilityRule[] {
    const rules: VisibilityRule[] = []
    if (validAsOf !== undefined) rules.push(notAfter(this.#validFrom, validAsOf))
    // What an episode said before an update is not what it is found by: see `history`.
    if (known !== undefined) rules.push(notAfter(this.#recordedAt, known), notUpdatedAfter(this.#updatedAt, known))
    if (this.#ended.count > 0) rules.push(notEnded(this.#ends, validAsOf ?? now, known ?? NEVER))
    return rules
  }

  save(parts: CheckpointParts, name: string): void {
    this.#ids.save(parts, `${name}.ids`)
    this.#live.save(parts, `${name}.live`)
    for (const [key, saved] of this.#saved()) saved.save(parts, `${name}.${key}`)
    parts.set(`${name}.superseded`, Uint32Array.from(this.#supersededBy.keys()))
    saveStrings(parts, `${name}.supersededBy`, [...this.#supersededBy.values()])
    parts.set(`${name}.updated`, Uint32Array.from(this.#updatedAt.keys()))
    parts.set(`${name}.updatedAt`, Float64Array.from(this.#updatedAt.values()))
    parts.set(`${name}.ended`, Uint32Array.from(slotsOf(this.#ended.words)))
    parts.set(`${name}.endingLater`, Uint32Array.from(this.#laterEnds.keys()))
    parts.set(`${name}.laterEnds`, Float64Array.from(this.#laterEnds.values()))
  }

  load(parts: CheckpointParts, name: string): void {
    this.#ids.load(parts, `${name}.ids`)
    this.#live.load(parts, `${name}.live`)
    for (const [key, saved] of this.#saved()) saved.load(parts, `${name}.${key}`)
    const superseded = part(parts, `${name}.superseded`, Uint32Array)
    loadStrings(parts, `${name}.supersededBy`).forEach((by, i) => this.#supersede(superseded[i], by))
    const updatedAt = part(parts, `${name}.updatedAt`, Float64Array)
    part(parts, `${name}.updated`, Uint32Array).forEach((slot, i) => this.#updatedAt.set(slot, updatedAt[i]))
    for (const slot of part(parts, `${name}.ended`, Uint32Array)) this.#ended.add(slot)
    const laterEnds = part(parts, `${name}.laterEnds`, Float64Array)
    part(parts, `${name}.endingLater`, Uint32Array).forEach((slot, i) => this.#laterEnds.set(slot, laterEnds[i]))
  }

  #saved(): [
    string,
    { save(parts: CheckpointParts, name: string): void; load(parts: CheckpointParts, name: string): void },
  ][] {
    return Object.entries({
      sessions: this.sessions,
      speakers: this.speakers,
      sources: this.sources,
      session: this.#session,
      speaker: this.#speaker,
      source: this.#source,
      writers: this.writers,
      writer: this.#writer,
      validFrom: this.#validFrom,
      validTo: this.#validTo,
      recordedAt: this.#recordedAt,
      endKnownAt: this.#endKnownAt,
    })
  }

  #setUpdated(slot: number, { updatedAt }: Episode): void {
    if (updatedAt === undefined) this.#updatedAt.delete(slot)
    else this.#updatedAt.set(slot, Date.parse(updatedAt))
  }

  #supersede(slot: number, by: EpisodeId): void {
    this.#supersededBy.set(slot, by)
    this.#ended.add(slot)
    enter(this.#superseded, by, slot)
  }

  /** Takes away that a slot is superseded, and that it ends. */
  #unsupersede(slot: number): void {
    this.#ended.remove(slot)
    this.#laterEnds.delete(slot)
    const by = this.#supersededBy.get(slot)
    if (by === undefined) return
    this.#supersededBy.delete(slot)
    leave(this.#superseded, by, slot)
  }

  /** The slots of all episodes as a bit set: a view, valid until the next change. */
  get live(): Uint32Array {
    return this.#live.words
  }

  /**
   * The visible slots as a bit set, or `undefined` when that is all of them: what {@link seeing} says of each.
   *
   * @param session the slots of the session of the rules, where they are known: then hardly anything else is looked at.
   */
  mask(rules: Visibility, session?: Iterable<number>): Uint32Array | undefined {
    const asked = session === undefined ? rules : { ...rules, session: undefined }
    const all = [...this.#belongingRules(asked), ...this.#timeRules(asked)]
    if (session === undefined && all.length === 0) return undefined
    const { words } = this.#live
    const mask = session === undefined ? words.slice() : bitsOf(session, words.length)
    for (const { narrow } of all) narrow(mask)
    return mask
  }
}
