import type { Triple } from '../../api/triple.js'
import { HEAP } from '../../base/heap-size.js'
import { enter, leave } from '../../base/set-map.js'
import { term, tokens } from '../../encoding/tokens.js'
import type { Cue } from '../../extraction/lasting/lasting.js'
import type { Named } from '../../extraction/lasting/naming.js'
import type { LastingReader } from '../../extraction/lasting/reader.js'
import type { MemoryContext } from '../context.js'
import { TURNS_BEFORE } from '../episodes/reading-context.js'
import { endsKey, tripleKey } from './projection.js'
import { ReadSlots } from '../read-slots.js'

/** Episodes that are read at once. */
const READ = 64
/** Texts of which it is kept what they name, before all are dropped. */
const MAX_CACHED = 2_048
/** Bytes of one statement, about: itself, its keys, and its places in four maps. */
const STATEMENT = 3 * HEAP.object + 8 * HEAP.field + 4 * (HEAP.entry + HEAP.key) + HEAP.set

/** A statement that goes on being true, as some episodes make it. */
export interface LastingStatement {
  readonly key: string
  readonly triple: Triple
  readonly cue: Cue
  /** The episodes, in no order. */
  readonly slots: Set<number>
}

/**
 * The statements of texts that go on being true of somebody, and the episodes that take them up: that speak again of
 * what they say. In a conversation hardly anything is said twice in equal words. Whether an episode takes a statement
 * up depends on the two and on whom the turns right before it are spoken by. It is made when it is first asked for.
 */
export class LastingStatements {
  readonly #context: MemoryContext
  readonly #statements = new Map<string, LastingStatement>()
  readonly #bySlot = new Map<number, readonly LastingStatement[]>()
  readonly #byName = new Map<string, Set<LastingStatement>>()
  /** By the stem of the object, then by the subject. */
  readonly #byThing = new Map<string, Map<string, Set<LastingStatement>>>()
  readonly #byEnds = new Map<string, Set<LastingStatement>>()
  readonly #read: ReadSlots
  readonly #named = new Map<number, { readonly addressee: string | undefined; readonly named: Named }>()
  #reader: LastingReader | undefined

  constructor(context: MemoryContext) {
    this.#context = context
    const { indexes, parts } = context
    this.#read = new ReadSlots(context, {
      slots: () => this.#bySlot.keys(),
      tells: (slot) => indexes.structured.has(slot) && indexes.extracted.isRead(slot),
      prepare: async () => {
        this.#reader ??= await parts.lasting()
      },
      add: (slot, episode) => {
        for (const { triple, cue } of this.#reader!.lastingOf(episode)) this.#add(slot, triple, cue)
      },
      remove: (slot) => this.#remove(slot),
    })
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#statements.size * STATEMENT + this.#bySlot.size * (HEAP.entry + HEAP.array) + this.#read.bytes
  }

  /** Has the texts of slots be read anew before they are next asked for. */
  doubt(slots: Iterable<number>): void {
    this.#read.doubt(slots)
  }

  /** Takes in all that is there up to a slot, and out what went. */
  readThrough(last: number, breathe: () => Promise<void>): Promise<void> {
    return this.#read.readThrough(last, breathe)
  }

  /** Takes in the statements of slots. */
  read(slots: readonly number[], breathe: () => Promise<void>): Promise<void> {
    return this.#read.read(slots, breathe)
  }

  /** Reads what the texts of slots name at once, where it will be asked of each. */
  async prepare(slots: readonly number[]): Promise<void> {
    if (this.#statements.size > 0) await this.#namedBy(slots)
  }

  /** What an episode states that goes on being true. */
  of(slot: number): readonly LastingStatement[] {
    return this.#bySlot.get(slot) ?? []
  }

  /** All that say the same up to inflection, with each of their cues. */
  saying(triple: Triple): LastingStatement[] {
    const key = tripleKey(triple)
    return this.between(endsKey(triple)).filter((one) => one.key === key)
  }

  /** Those of a subject and an object; see `endsKey`. */
  between(ends: string): LastingStatement[] {
    return [...(this.#byEnds.get(ends) ?? [])]
  }

  /** The statements of others, up to a slot, that an episode takes up, by their keys. */
  async takenUpBy(slot: number, last: number): Promise<LastingStatement[]> {
    if (this.#statements.size === 0 || !this.#context.indexes.catalog.has(slot)) return []
    const [named] = await this.#namedBy([slot])
    if (named === undefined) return []
    const found = new Set<LastingStatement>()
    for (const name of named.names) for (const one of this.#byName.get(name) ?? []) found.add(one)
    for (const stem of named.whole.stems) {
      const bySubject = this.#byThing.get(stem)
      if (bySubject === undefined) continue
      for (const subject of named.whole.subjects) for (const one of bySubject.get(subject) ?? []) found.add(one)
    }
    const { catalog } = this.#context.indexes
    const isSaid = ({ slots }: LastingStatement) => [...slots].some((at) => at <= last && catalog.has(at))
    return [...found]
      .filter((one) => !one.slots.has(slot) && isSaid(one) && this.#reader!.takesUp(named, one.cue))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** The first episodes up to a slot that take one of some statements up and make none of them, ascending. */
  async takersOf(
    statements: readonly LastingStatement[],
    last: number,
    most: number,
    breathe: () => Promise<void>,
  ): Promise<number[]> {
    const candidates = new Map<number, LastingStatement[]>()
    for (const one of statements)
      for (const slot of this.#candidates(one))
        if (slot <= last) candidates.set(slot, [...(candidates.get(slot) ?? []), one])
    const slots = [...candidates.keys()].sort((a, b) => a - b)
    const takers: number[] = []
    for (let i = 0; i < slots.length && takers.length < most; i += READ) {
      const some = slots.slice(i, i + READ)
      const named = await this.#namedBy(some)
      for (const [j, slot] of some.entries()) {
        if (statements.some((one) => one.slots.has(slot)) || named[j] === undefined) continue
        if (candidates.get(slot)!.some(({ cue }) => this.#reader!.takesUp(named[j]!, cue))) takers.push(slot)
      }
      await breathe()
    }
    return takers.slice(0, most)
  }

  #add(slot: number, triple: Triple, cue: Cue): void {
    const key = tripleKey(triple)
    const id = JSON.stringify([key, cue])
    let one = this.#statements.get(id)
    if (one === undefined) {
      one = { key, triple, cue, slots: new Set() }
      this.#statements.set(id, one)
      enter(this.#byEnds, endsKey(triple), one)
      if ('name' in cue) enter(this.#byName, cue.name, one)
      else {
        const bySubject = this.#byThing.get(cue.stem) ?? new Map<string, Set<LastingStatement>>()
        this.#byThing.set(cue.stem, bySubject)
        enter(bySubject, cue.subject, one)
      }
    }
    if (one.slots.has(slot)) return
    one.slots.add(slot)
    this.#bySlot.set(slot, [...this.of(slot), one])
  }

  #remove(slot: number): void {
    this.#named.delete(slot)
    for (const one of this.of(slot)) {
      one.slots.delete(slot)
      if (one.slots.size > 0) continue
      const { key, triple, cue } = one
      this.#statements.delete(JSON.stringify([key, cue]))
      leave(this.#byEnds, endsKey(triple), one)
      if ('name' in cue) leave(this.#byName, cue.name, one)
      else {
        const bySubject = this.#byThing.get(cue.stem)!
        leave(bySubject, cue.subject, one)
        if (bySubject.size === 0) this.#byThing.delete(cue.stem)
      }
    }
    this.#bySlot.delete(slot)
  }

  /** Live episodes that have the words of a cue, and may be about its subject. */
  *#candidates({ cue }: LastingStatement): Generator<number> {
    const { postings, catalog } = this.#context.indexes
    const stems = stemsOf('name' in cue ? cue.name : cue.stem)
    const [rarest] = stems.sort((a, b) => postings.documentFrequency(a) - postings.documentFrequency(b))
    const { slots } = postings.search(new Map([[rarest, 1]]), postings.documentFrequency(rarest))
    const subjects = 'name' in cue ? undefined : [cue.subject, ownerOf(cue.subject)]
    for (const slot of slots) {
      if (!catalog.has(slot)) continue
      if (subjects === undefined || this.#mayBeAbout(slot, subjects)) yield slot
    }
  }

  #mayBeAbout(slot: number, subjects: readonly string[]): boolean {
    const { postings, catalog } = this.#context.indexes
    const talking = [catalog.speaker(slot), this.#addressee(slot)]
    if (talking.some((name) => name !== undefined && subjects.includes(this.#reader!.subjectKey(name)))) return true
    const terms = postings.termsOf(slot)
    return stemsOf(subjects[0]).every((stem) => terms.includes(postings.number(stem) ?? -1))
  }

  /** Whom "you" means in an episode: who spoke last before it, of the turns that it is read with. */
  #addressee(slot: number): string | undefined {
    const { catalog, timeline } = this.#context.indexes
    const speaker = catalog.speaker(slot)
    let at = timeline.previous(slot)
    for (let turns = 0; at >= 0 && turns < TURNS_BEFORE; turns++, at = timeline.previous(at)) {
      const other = catalog.speaker(at)
      if (other !== undefined && other !== speaker) return other
    }
    return undefined
  }

  /** What the texts of slots name, of those that are there. */
  async #namedBy(slots: readonly number[]): Promise<(Named | undefined)[]> {
    const asked = slots.map((slot) => ({ slot, addressee: this.#addressee(slot) }))
    const isKept = ({ slot, addressee }: (typeof asked)[number]) => {
      const kept = this.#read.isDoubtful(slot) ? undefined : this.#named.get(slot)
      return kept !== undefined && kept.addressee === addressee
    }
    const missing = asked.filter((one) => !isKept(one))
    const kept = new Map(asked.filter(isKept).map(({ slot }) => [slot, this.#named.get(slot)!.named]))
    if (this.#named.size + missing.length > MAX_CACHED) this.#named.clear()
    const episodes = await this.#context.fetch(missing.map(({ slot }) => slot))
    for (const [i, { slot, addressee }] of missing.entries()) {
      const episode = episodes[i]
      if (episode === undefined) continue
      const named = this.#reader!.namedBy(episode.text, episode.speaker, addressee)
      kept.set(slot, named)
      if (!this.#read.isDoubtful(slot)) this.#named.set(slot, { addressee, named })
    }
    return slots.map((slot) => kept.get(slot))
  }
}

/** The index terms of a name, each once. */
function stemsOf(name: string): string[] {
  return [...new Set(tokens(name).flatMap((word) => term(word) ?? []))]
}

/** Whose kin a key names: "colin" of "colin's dad". */
function ownerOf(subject: string): string {
  return subject.split("'s ", 1)[0]
}
