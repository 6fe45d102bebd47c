import { enter, leave } from '../../base/set-map.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import { formalNames, isBeginning, isGivenName, nicknamesOf } from '../../extraction/concepts/nicknames.js'

/** What is known of a name beside its words. */
export interface Known {
  /** The numbers of the sessions in which it stands; −1 for episodes without one. */
  readonly sessions: (name: string) => ReadonlySet<number>
  /** Whether it is the name of a person: `undefined` where nothing says so. */
  readonly isPerson: (name: string) => boolean | undefined
  /** Whether both speak in one session: then they are two persons. */
  readonly talkTogether: (name: string, other: string) => boolean
}

/** A short name and the one full name that fits it. */
export interface Nickname {
  readonly short: string
  readonly full: string
}

/** One to three words in capitals, without figures. */
const PERSON = /^\p{Lu}[\p{L}\p{M}'’.-]*(?: \p{Lu}[\p{L}\p{M}'’.-]*){0,2}$/u
/** Letters by which beginnings of names are found. */
const HEAD = 3

/** The names that may be of persons, found by their first word, and which of them may be short for others. */
export class Persons {
  /** By their first word, folded. */
  readonly #byWord = new Map<string, Set<string>>()
  /** First words by the letters that they begin with. */
  readonly #byHead = new Map<string, Set<string>>()
  /** Names that are, or were, short or full in a pair. */
  readonly #paired = new Set<string>()

  /** Names that are kept here. */
  get size(): number {
    let size = 0
    for (const names of this.#byWord.values()) size += names.size
    return size
  }

  /** Whether who a name is, and where it stands, may matter to a pair. */
  matters(name: string): boolean {
    return this.#paired.has(name)
  }

  /** Takes in a name. True where it may make a pair. */
  begins(name: string): boolean {
    if (!PERSON.test(name)) return false
    const word = firstOf(name)
    enter(this.#byWord, word, name)
    if (word.length >= HEAD) enter(this.#byHead, word.slice(0, HEAD), word)
    const partners = this.#partners(word)
    if (partners.length === 0) return false
    for (const partner of [word, ...partners]) for (const paired of this.#byWord.get(partner)!) this.#paired.add(paired)
    return true
  }

  /** Takes a name out again. True where it may have made a pair. */
  ends(name: string): boolean {
    const word = firstOf(name)
    if (!this.#byWord.get(word)?.has(name)) return false
    leave(this.#byWord, word, name)
    if (!this.#byWord.has(word) && word.length >= HEAD) leave(this.#byHead, word.slice(0, HEAD), word)
    return this.#paired.delete(name)
  }

  /**
   * The short names that just one full name fits, sorted: among the names that stand in one session with it, or, where
   * none does, among all names of the memory.
   */
  nicknames(known: Known): Nickname[] {
    const found: Nickname[] = []
    for (const short of [...this.#paired].sort()) {
      if (identityOf(short).includes(' ') || known.isPerson(short) === false) continue
      const fits = this.#fits(short, known)
      if (fits.length === 0) continue
      const sessions = known.sessions(short)
      const near = fits.filter((full) => sharesSession(sessions, known.sessions(full)))
      const full = onlyOne(near.length > 0 ? near : fits)
      if (full !== undefined) found.push({ short, full })
    }
    return found
  }

  /** The full names that a short name may stand for. */
  #fits(short: string, known: Known): string[] {
    const word = firstOf(short)
    const words = new Set<string>()
    for (const formal of formalNames(word)) if (this.#byWord.has(formal)) words.add(formal)
    for (const longer of this.#byHead.get(word.slice(0, HEAD)) ?? [])
      if (isBeginning(word, longer) && this.#maybeShort(word, longer)) words.add(longer)
    // "Lizzie" and "Elizabeth" are one person where both may be meant.
    for (const one of [...words]) for (const formal of formalNames(one)) if (words.has(formal)) words.delete(one)
    const names = [...words].flatMap((one) => [...this.#byWord.get(one)!])
    return names.filter((full) => {
      const isPerson = known.isPerson(full) ?? isGivenName(firstOf(full))
      return isPerson && !known.talkTogether(short, full)
    })
  }

  /** Whether the table does not say that a beginning is short for something else: "Mar" may be, "Mark" is a name. */
  #maybeShort(short: string, full: string): boolean {
    return formalNames(short).size === 0 ? !isGivenName(short) : formalNames(short).has(full) || !isGivenName(full)
  }

  /** The first words of other names that may be short for one with this first word, or that it may be short for. */
  #partners(word: string): string[] {
    const beginnings: string[] = []
    for (const other of this.#byHead.get(word.slice(0, HEAD)) ?? [])
      if (isBeginning(other, word) || isBeginning(word, other)) beginnings.push(other)
    const table = [...formalNames(word), ...nicknamesOf(word)].filter((other) => this.#byWord.has(other))
    return [...beginnings, ...table]
  }
}

/** The one person of some names: a given name, or the full name of it if there is but one. */
function onlyOne(fits: readonly string[]): string | undefined {
  const given = new Set(fits.map(firstOf))
  if (given.size !== 1) return undefined
  const alone = fits.filter((name) => !identityOf(name).includes(' ')).sort()
  if (alone.length > 0) return alone[0]
  return new Set(fits.map(identityOf)).size === 1 ? [...fits].sort()[0] : undefined
}

function sharesSession(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  for (const session of a) if (session >= 0 && b.has(session)) return true
  return false
}

function firstOf(name: string): string {
  return identityOf(name).split(' ', 1)[0]
}
