import { enter, leave } from '../../base/set-map.js'
import { HEAP } from '../../base/heap-size.js'
import { Interner } from '../../base/interner.js'
import { Column } from '../../base/column.js'
import type { CheckpointParts } from '../../base/checkpoint-parts.js'
import { conceptWords } from '../../encoding/concept.js'
import { identityOf, isCommon, singularOf } from '../../extraction/concepts/identity.js'
import type { Episode } from '../../api/episode.js'
import type { Catalog } from '../catalog.js'
import { Names } from '../names.js'
import type { Index } from '../port.js'
import { type Decision, type Link, LinkedKeys } from './links.js'
import { type Naming, namingOf } from './naming.js'
import { Persons } from './persons.js'
import { least } from '../../base/extremes.js'

const PERSON = 'person'
/** Speakers that are no persons' names. */
const ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'tool', 'human', 'ai', 'bot', 'agent'])
const NONE = -1

/** A reason why two names are of one concept, with the episodes that it rests on. */
export interface Evidenced {
  readonly names: readonly [string, string]
  readonly reason: Link['reason']
  /** Slots, ascending; none where a caller said so. */
  readonly slots: readonly number[]
}

/** Indexes the names that episodes use, and what they say of them. */
export function conceptNameIndex(): Index<ConceptNames> {
  const names = new ConceptNames()
  return {
    contents: names,
    add: (slot, episode) => names.set(slot, episode),
    update: (slot, episode) => names.set(slot, episode),
    remove: (slot) => names.remove(slot),
  }
}

/**
 * Which names episodes use, and which of these are of one concept: spellings of one name, singular and plural, other
 * names that a text or a statement gives, nicknames, and what callers decided. Names meet by their keys (`identityOf`).
 */
export class ConceptNames {
  /** As they are written. */
  readonly names: Names
  /** Pairs of names that episodes state, as JSON. */
  readonly #pairs = new Names()
  /** Types with names, as JSON. */
  readonly #types: Names
  /** Sessions with speakers, as JSON, and the number of each episode's. */
  readonly #talks: Interner
  readonly #talk = new Column(Int32Array, NONE)
  /** Names by their keys. */
  readonly #byKey = new Map<string, Set<string>>()
  /** Keys that are written as common nouns, by their singulars. */
  readonly #plurals = new Map<string, Set<string>>()
  readonly #typesOf = new Map<string, Set<string>>()
  /** Sessions with speakers, by the keys of the speakers. */
  readonly #talksOf = new Map<string, Set<string>>()
  readonly #persons = new Persons()
  /** Sessions of episodes; absent where nicknames are not needed. */
  #catalog: Pick<Catalog, 'session' | 'sessions'> | undefined
  #decisions: () => readonly Decision[] = () => []
  /** The keys that they name; absent until they are asked for. */
  #decided: Names | undefined
  /** What is linked, and why; absent since it may be otherwise. */
  #linked: { readonly keys: LinkedKeys; readonly evidence: readonly Evidenced[] } | undefined

  constructor() {
    this.names = new Names(wordsOf, {
      begins: (name) => this.#begins(name),
      ends: (name) => this.#ends(name),
    })
    this.#types = new Names(undefined, {
      begins: (typed) => enter(this.#typesOf, (JSON.parse(typed) as string[])[1], typed),
      ends: (typed) => leave(this.#typesOf, (JSON.parse(typed) as string[])[1], typed),
    })
    this.#talks = new Interner({
      begins: (talk) => this.#speaks(talk, true),
      ends: (talk) => this.#speaks(talk, false),
    })
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const sets = this.#byKey.size + this.#plurals.size + this.#typesOf.size + this.#talksOf.size
    return (
      this.names.bytes +
      this.#pairs.bytes +
      this.#types.bytes +
      this.#talks.bytes +
      this.#talk.bytes +
      sets * (HEAP.key + HEAP.set) +
      this.#persons.size * (HEAP.key + HEAP.set)
    )
  }

  /** Takes in what an episode names, in the place of what it named before. */
  set(slot: number, episode: Episode): void {
    const naming = namingOf(episode)
    this.#touch(slot, naming)
    this.names.set(slot, naming.names)
    this.#pairs.set(
      slot,
      naming.pairs.map((pair) => JSON.stringify(pair)),
    )
    this.#types.set(
      slot,
      naming.types.map((typed) => JSON.stringify(typed)),
    )
    this.#setTalk(slot, talkOf(episode))
  }

  remove(slot: number): void {
    this.#touch(slot)
    for (const names of [this.names, this.#pairs, this.#types]) names.set(slot, [])
    this.#setTalk(slot, undefined)
  }

  save(parts: CheckpointParts, name: string): void {
    this.names.save(parts, `${name}.names`)
    this.#pairs.save(parts, `${name}.pairs`)
    this.#types.save(parts, `${name}.types`)
    this.#talks.save(parts, `${name}.talks`)
    this.#talk.save(parts, `${name}.talk`)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#linked = undefined
    this.names.load(parts, `${name}.names`)
    this.#pairs.load(parts, `${name}.pairs`)
    this.#types.load(parts, `${name}.types`)
    this.#talks.load(parts, `${name}.talks`)
    this.#talk.load(parts, `${name}.talk`)
  }

  /** Looks sessions up in a catalog, so that nicknames are told by the session in which they stand. */
  useSessions(catalog: Pick<Catalog, 'session' | 'sessions'>): void {
    this.#catalog = catalog
    this.#linked = undefined
  }

  /**
   * Takes over what callers decided of names, in order, in the place of what it was given before. It is asked for when
   * it is first needed: an opening gives one decision after another.
   */
  decide(decisions: () => readonly Decision[]): void {
    this.#decisions = decisions
    this.#linked = this.#decided = undefined
  }

  /** The key of a name as it is used here: of a plural the singular, where that is a name, too. */
  keyOf(name: string): string {
    const key = identityOf(name)
    if (this.#byKey.has(key)) return this.#canonical(key)
    const singular = isCommon(name) ? singularOf(key) : key
    return this.#byKey.has(singular) ? singular : key
  }

  /** The keys of the concept that a name is of: its own, and those of its other names. */
  keysOf(name: string): ReadonlySet<string> {
    return this.#links.of(this.keyOf(name))
  }

  /** The first key of the concept that a name is of: names of one concept have the same. */
  rootOf(name: string): string {
    let first: string | undefined
    for (const key of this.keysOf(name)) if (first === undefined || key < first) first = key
    return first!
  }

  /** The names of keys as they are written, sorted. */
  spellings(keys: Iterable<string>): string[] {
    const found: string[] = []
    for (const key of keys)
      for (const spelled of [key, ...(this.#plurals.get(key) ?? [])])
        if (spelled === key || this.#canonical(spelled) === key) found.push(...(this.#byKey.get(spelled) ?? []))
    return found.sort()
  }

  /** All concepts that an episode names, each with its keys. */
  *all(): Generator<ReadonlySet<string>> {
    const seen = new Set<string>()
    for (const key of this.#byKey.keys()) {
      if (seen.has(key)) continue
      const canonical = this.#canonical(key)
      seen.add(key)
      if (canonical !== key && seen.has(canonical)) continue
      const keys = this.#links.of(canonical)
      for (const one of keys) seen.add(one)
      yield keys
    }
  }

  /** The concepts that a text names, each with its keys: by the longest names first. */
  mentioned(text: string): ReadonlySet<string>[] {
    const found = new Map<string, ReadonlySet<string>>()
    const words = ` ${plainWords(text).join(' ')} `
    if (this.#decided === undefined) {
      this.#decided = new Names(wordsOf)
      this.#decided.set(
        0,
        this.#decisions().flatMap(({ keys }) => keys),
      )
    }
    const isMeant = (name: string) => isCommon(name) || words.includes(` ${plainWords(name).join(' ')} `)
    for (const name of [...this.names.mentioned(text), ...this.#decided.mentioned(text)].filter(isMeant)) {
      const keys = this.keysOf(name)
      const [first] = keys
      found.set(first, keys)
    }
    return [...found.values()]
  }

  /** The slots of the episodes that name a concept, ascending. */
  slots(keys: Iterable<string>): number[] {
    const slots = new Set<number>()
    for (const name of this.spellings(keys)) for (const slot of this.names.slots(name)) slots.add(slot)
    return [...slots].sort((a, b) => a - b)
  }

  /** Of what its names are most often names, as entities tell it; a speaker is a person. */
  typeOf(keys: Iterable<string>): string | undefined {
    const counts = new Map<string, number>()
    const spellings = this.spellings(keys)
    for (const name of spellings)
      for (const typed of this.#typesOf.get(name) ?? []) {
        const [type] = JSON.parse(typed) as [string]
        counts.set(type, (counts.get(type) ?? 0) + this.#types.count(typed))
      }
    const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    return most?.[0] ?? (spellings.some((name) => this.#talksOf.has(identityOf(name))) ? PERSON : undefined)
  }

  /** Why names are of one concept, in the order in which it counts: each pair once for each reason. */
  evidence(): readonly Evidenced[] {
    return this.#current.evidence
  }

  get #links(): LinkedKeys {
    return this.#current.keys
  }

  get #current(): { readonly keys: LinkedKeys; readonly evidence: readonly Evidenced[] } {
    if (this.#linked !== undefined) return this.#linked
    const found = [...this.#stated(), ...this.#nicknames()]
    const linkOf = ({ names: [a, b], reason }: Evidenced): Link => ({ keys: [this.keyOf(a), this.keyOf(b)], reason })
    const decisions = this.#decisions().map((decision) => this.#now(decision))
    const keys = new LinkedKeys(decisions, found.map(linkOf))
    const held = new Set(keys.links.map(toText))
    return (this.#linked = { keys, evidence: found.filter((one) => held.has(toText(linkOf(one)))) })
  }

  /** A decision with the keys that its names have now. */
  #now(decision: Decision): Decision {
    const now = (key: string) => this.#canonical(key)
    if (decision.kind === 'merge') return { ...decision, keys: [now(decision.keys[0]), now(decision.keys[1])] }
    return { ...decision, keys: decision.keys.map(now), from: decision.from.map(now) }
  }

  #stated(): Evidenced[] {
    return [...this.#pairs.all()]
      .map((pair): Evidenced => {
        const slots = [...this.#pairs.slots(pair)].sort((a, b) => a - b)
        return { names: JSON.parse(pair) as [string, string], reason: 'stated', slots }
      })
      .sort((a, b) => a.slots[0] - b.slots[0] || (a.names.join('\0') < b.names.join('\0') ? -1 : 1))
  }

  #nicknames(): Evidenced[] {
    const catalog = this.#catalog
    if (catalog === undefined) return []
    const cached = new Map<string, ReadonlySet<number>>()
    const sessions = (name: string) => {
      let found = cached.get(name)
      if (found === undefined) cached.set(name, (found = this.#sessions(name, catalog)))
      return found
    }
    const talking = (name: string) => new Set([...(this.#talksOf.get(identityOf(name)) ?? [])].map(sessionOf))
    return this.#persons
      .nicknames({
        sessions,
        isPerson: (name) => this.#isPerson(name),
        talkTogether: (name, other) => {
          const others = talking(other)
          return [...talking(name)].some((session) => others.has(session))
        },
      })
      .map(({ short, full }): Evidenced => {
        const slots = [short, full].flatMap((name) => firstOf(this.names.slots(name)))
        return { names: [short, full], reason: 'nickname', slots: [...new Set(slots)].sort((a, b) => a - b) }
      })
  }

  #sessions(name: string, catalog: Pick<Catalog, 'session' | 'sessions'>): Set<number> {
    const found = new Set<number>()
    for (const slot of this.names.slots(name)) found.add(catalog.session(slot))
    for (const talk of this.#talksOf.get(identityOf(name)) ?? []) {
      const spoken = sessionOf(talk)
      found.add(spoken === null ? NONE : (catalog.sessions.find(spoken) ?? NONE))
    }
    return found
  }

  #isPerson(name: string): boolean | undefined {
    const key = identityOf(name)
    if (this.#talksOf.has(key)) return true
    const type = this.typeOf([key])
    return type === undefined ? undefined : type === PERSON
  }

  #canonical(key: string): string {
    const singular = singularOf(key)
    return singular !== key && this.#plurals.get(singular)?.has(key) && this.#byKey.has(singular) ? singular : key
  }

  #begins(name: string): void {
    const key = identityOf(name)
    enter(this.#byKey, key, name)
    this.#noteNumber(key)
    if (this.#persons.begins(name)) this.#linked = undefined
  }

  #ends(name: string): void {
    const key = identityOf(name)
    this.#noteNumber(key)
    leave(this.#byKey, key, name)
    this.#noteNumber(key)
    if (!this.#isSpeaker(name) && this.#persons.ends(name)) this.#linked = undefined
  }

  /** Keeps the plurals; what is linked may be otherwise where a singular or its plural comes or goes. */
  #noteNumber(key: string): void {
    const singular = singularOf(key)
    if (this.#plurals.has(key)) this.#linked = undefined
    if (singular === key) return
    const isPlural = [...(this.#byKey.get(key) ?? [])].some(isCommon)
    if (isPlural === (this.#plurals.get(singular)?.has(key) ?? false)) return
    if (isPlural) enter(this.#plurals, singular, key)
    else leave(this.#plurals, singular, key)
    this.#linked = undefined
  }

  /** Forgets what is linked where what an episode says now, or said before, may tell of links. */
  #touch(slot: number, naming?: Naming): void {
    if (this.#linked === undefined) return
    const isTelling = (names: readonly string[]) => names.some((name) => this.#persons.matters(name))
    if (
      this.#pairs.of(slot).length > 0 ||
      isTelling(this.names.of(slot)) ||
      (naming !== undefined && (naming.pairs.length > 0 || isTelling(naming.names)))
    )
      this.#linked = undefined
  }

  #setTalk(slot: number, talk: string | undefined): void {
    const before = this.#talk.get(slot)
    if (before !== NONE && this.#talks.name(before) === talk) return
    if (talk !== undefined || before !== NONE) this.#talk.set(slot, talk === undefined ? NONE : this.#talks.add(talk))
    if (before !== NONE) this.#talks.remove(before)
  }

  #speaks(talk: string, begins: boolean): void {
    const speaker = speakerOf(talk)
    const key = identityOf(speaker)
    if (begins) enter(this.#talksOf, key, talk)
    else leave(this.#talksOf, key, talk)
    this.#linked = undefined
    // A speaker whom no episode names may have a nickname, too.
    if (begins) this.#persons.begins(speaker)
    else if (!this.#isSpeaker(speaker) && this.names.count(speaker) === 0) this.#persons.ends(speaker)
  }

  #isSpeaker(name: string): boolean {
    return [...(this.#talksOf.get(identityOf(name)) ?? [])].some((talk) => speakerOf(talk) === name)
  }
}

const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/** The words of a text but for articles. */
function plainWords(text: string): string[] {
  return conceptWords(text).filter((word) => !ARTICLES.has(word))
}

/** The words by which names are looked for: plurals as their singulars. */
function wordsOf(text: string): string[] {
  return plainWords(text).map(singularOf)
}

function sessionOf(talk: string): string | null {
  return (JSON.parse(talk) as [string | null, string])[0]
}

function speakerOf(talk: string): string {
  return (JSON.parse(talk) as [string | null, string])[1]
}

function talkOf({ speaker, session }: Episode): string | undefined {
  return speaker === undefined || ROLES.has(identityOf(speaker))
    ? undefined
    : JSON.stringify([session ?? null, speaker])
}

function toText({ keys: [a, b], reason }: Link): string {
  return JSON.stringify([a, b, reason])
}

function firstOf(slots: Iterable<number>): number[] {
  const first = least(slots)
  return first === Infinity ? [] : [first]
}
