import type { StatementModality as Modality, NamedTime } from '../../api/extractor.js'
import { nounPhraseAt, type NounPhrase } from './phrases.js'
import type { Token } from './token.js'
import { verbGroupAt, type VerbGroup } from './verbs.js'
import { FACTIVE, HOPING, POSSIBLY, REDUCED, REPORTEDLY, REPORTING, THINKING, TIME_NOUNS, words } from './words.js'

/** A preposition and what follows it. */
export interface Prepositional {
  /** In lower case: "in", "out of". */
  readonly preposition: string
  readonly first: number
  readonly items: readonly NounPhrase[]
  /** What follows is a time. */
  readonly time?: readonly [first: number, end: number]
}

/** A verb with its subjects and what it says of them. */
export interface Clause {
  /** Empty where the text leaves it out: "Went home." */
  readonly subjects: readonly NounPhrase[]
  readonly verb: VerbGroup
  readonly objects: readonly NounPhrase[]
  /** What is given, where whom it is given to comes first. */
  readonly given: readonly NounPhrase[]
  /** Adjectives of the predicate, as indexes. */
  readonly adjectives: readonly number[]
  readonly prepositional: readonly Prepositional[]
  readonly negative: boolean
  readonly modality: Modality
  /** The times that it names, with the preposition before each. */
  readonly times: readonly Dated[]
  readonly end: number
}

/** A time, with the word before it: "since". */
export interface Dated {
  readonly preposition: string
  readonly time: NamedTime
}

/** Two phrases for one thing: "Bawri, a thai place". */
export type Apposition = readonly [NounPhrase, NounPhrase]

export interface ParsedSentence {
  readonly clauses: readonly Clause[]
  readonly appositions: readonly Apposition[]
  /** Every noun phrase, in order. */
  readonly phrases: readonly NounPhrase[]
}

const SUBORDINATORS = new Set(
  (
    'because since when while whenever where although though unless until till before after once if whether that as ' +
    'so than but like cause cuz'
  ).split(' '),
)
const RELATIVES = new Set(['who', 'which', 'that', 'whom'])
const QUESTION_WORDS = new Set(['what', 'who', 'where', 'when', 'why', 'how', 'which', 'whose', 'whom'])
/** Verbs of which the past is as the present. */
const SAME_PAST = words(
  'put read cut hit let set shut cost beat quit hurt spread burst bet bid split cast rid shed upset',
)
/** Nouns in the singular of which verbs are in the plural. */
const COLLECTIVE = words('people police family team staff crew children men women folk public government band couple')
const CONJUNCTIONS = new Set(['and', 'or', '&'])

/** Reads the clauses of a sentence. */
export function parse(tokens: readonly Token[]): ParsedSentence {
  return new Parser(tokens).parse()
}

/** What holds for all clauses from here to the end of the sentence. */
interface Scope {
  readonly modality?: Modality
  readonly negative?: boolean
}

class Parser {
  private readonly clauses: Clause[] = []
  private readonly appositions: Apposition[] = []
  private readonly phrases: NounPhrase[] = []
  private at = 0
  /** Phrases that may be the subject of the next verb. */
  private pending: readonly NounPhrase[] = []
  /** Subjects of the clause before, for "and loved it". */
  private inherited: readonly NounPhrase[] = []
  private scope: Scope = {}
  /** What a word says of the clause that it is in: "maybe", "if". */
  private mood: Modality | undefined
  private sawPhrase = false

  /** The times named since the last clause ended. */
  private times: Dated[] = []
  /** The clause before left its subject out. */
  private elided = false
  /** "When you …" may mean anybody. */
  private general = false
  /** The verb group before. */
  private last: VerbGroup | undefined

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): ParsedSentence {
    while (this.at < this.tokens.length) this.step()
    return { clauses: this.clauses, appositions: this.appositions, phrases: this.phrases }
  }

  private step(): void {
    const { lower, tag } = this.tokens[this.at]
    if (tag === 'TIME') this.at = this.time(this.at, '')
    else if (this.mark(lower, tag)) return
    else if (this.isRelative()) this.at++
    else if (this.isPreposition(this.at)) this.skipPrepositional()
    else this.verbOrPhrase()
  }

  /** Words that say how what follows is meant, and where a clause ends. */
  private mark(lower: string, tag: string): boolean {
    if (POSSIBLY.has(lower)) this.moodOf('possible')
    else if (REPORTEDLY.has(lower) || lower === 'according') this.moodOf('reported')
    else if (CONJUNCTIONS.has(lower)) this.conjunction()
    else if (/^(?:what|whatever|how|why)$/.test(lower)) this.moodOf('possible')
    else if (/^[;:()—–"]$|^-+$/.test(lower)) {
      this.scope = {}
      this.mood = undefined
      this.general = false
      this.boundary()
    } else if (this.isSubordinator(lower, tag)) this.subordinator(lower)
    else return false
    return true
  }

  private isSubordinator(lower: string, tag: string): boolean {
    return (
      SUBORDINATORS.has(lower) && tag !== 'PRON' && tag !== 'VERB' && !this.isPreposition(this.at) && !this.isRelative()
    )
  }

  private subordinator(lower: string): void {
    this.mood = /^(?:if|unless|whether)$/.test(lower) ? 'possible' : undefined
    this.general = /^(?:when|whenever|where)$/.test(lower)
    if (lower === 'but') {
      this.scope = {}
      this.conjunction()
    } else this.boundary()
  }

  /** "And loved it": the subject goes on. */
  private conjunction(): void {
    this.pending = []
    this.at++
  }

  private verbOrPhrase(): void {
    const verb = verbGroupAt(this.tokens, this.at)
    if (verb !== undefined) return this.clause(verb)
    // "There are", "here is": nobody is left out.
    if (/^(?:there|here)$/.test(this.tokens[this.at].lower)) this.sawPhrase = true
    const list = this.list(this.at, true)
    if (list === undefined) this.at++
    else {
      this.pending = list.items
      this.sawPhrase = true
      this.at = list.end
    }
  }

  /** Notes the time that begins at a token, and tells where it ends. */
  private time(at: number, preposition: string): number {
    const { time } = this.tokens[at]
    if (time !== undefined) this.times.push({ preposition, time })
    while (this.tokens[at] !== undefined && this.tokens[at].tag === 'TIME' && this.tokens[at].time === time) at++
    return at
  }

  private moodOf(mood: Modality): void {
    this.mood = mood
    this.at++
  }

  private boundary(): void {
    this.pending = []
    this.inherited = []
    this.at++
  }

  /** "Who", "which" or "that" behind a phrase: it becomes the subject of the next verb. */
  private isRelative(): boolean {
    const { lower } = this.tokens[this.at]
    // "Maria, that is nice" begins anew.
    if (lower === 'that' && this.tokens[this.at - 1]?.text === ',') return false
    return RELATIVES.has(lower) && this.pending.length > 0 && this.verbAt(this.at + 1) !== undefined
  }

  private isPreposition(at: number): boolean {
    const token = this.tokens[at]
    if (token === undefined) return false
    const { tag, lower } = token
    if (lower === 'to' && this.isInfinitive(at)) return false
    if (
      tag !== 'ADP' &&
      !(tag === 'PART' && lower === 'to') &&
      !(tag === 'SCONJ' && /^(?:since|as|like|than)$/.test(lower))
    )
      return false
    // "Before he left", "because I can": a clause follows.
    if (!SUBORDINATORS.has(lower) || (tag === 'ADP' && /^(?:like|than)$/.test(lower))) return true
    const phrase = nounPhraseAt(this.tokens, at + 1)
    return this.tokens[at + 1]?.tag === 'TIME' || (phrase !== undefined && this.finiteAt(phrase.end) === undefined)
  }

  private isInfinitive(to: number): boolean {
    const verb = this.tokens[this.skipAdverbs(to + 1)]
    return verb !== undefined && /^(?:VERB|AUX)$/.test(verb.tag) && verb.lower === verb.lemma
  }

  private skipPrepositional(): void {
    const read = this.prepositional(this.at)
    this.at = read?.end ?? this.at + 1
  }

  private prepositional(at: number): { value: Prepositional; end: number } | undefined {
    let words = 1
    // "In with", "out of", "next to".
    while (this.tokens[at + words] !== undefined && this.isPreposition(at + words)) words++
    const preposition = this.tokens
      .slice(at, at + words)
      .map(({ lower }) => lower)
      .join(' ')
    let next = at + words
    const time = this.timeEnd(next)
    if (time !== undefined) {
      if (this.tokens[time - 1].tag === 'TIME') this.time(time - 1, preposition)
      return { value: { preposition, first: at, items: [], time: [next, time] }, end: time }
    }
    while (this.tokens[next]?.tag === 'ADV') next++
    // "At 6": a time of the day.
    if (preposition === 'at' && this.tokens[next]?.tag === 'NUM' && this.isBare(next))
      return { value: { preposition, first: at, items: [], time: [next, next + 1] }, end: next + 1 }
    const list = this.list(next, false)
    if (list === undefined) return undefined
    return { value: { preposition, first: at, items: list.items }, end: list.end }
  }

  /** The end of an expression of time that begins at a token, or of "every day". */
  private timeEnd(at: number): number | undefined {
    let end = at
    // "The" of "the summer of 2022" is no part of the time.
    if (this.tokens[end]?.tag === 'DET' && this.tokens[end + 1]?.tag === 'TIME') end++
    if (this.tokens[end]?.tag === 'TIME') {
      while (this.tokens[end]?.tag === 'TIME') end++
      return end
    }
    const phrase = nounPhraseAt(this.tokens, at)
    if (phrase === undefined || phrase.pronoun || phrase.owner !== undefined) return undefined
    // "A great day" is no time.
    if (/^an?$/.test(phrase.determiner ?? '') && phrase.head > phrase.core) return undefined
    if (this.tokens[phrase.end - 1].lower === 'old') return undefined
    return TIME_NOUNS.has(this.tokens[phrase.head].lemma) ? phrase.end : undefined
  }

  /** Whether a figure counts nothing. */
  private isBare(at: number): boolean {
    return !/^(?:NOUN|PROPN|NUM|SYM|ADJ)$/.test(this.tokens[at + 1]?.tag ?? '')
  }

  private verbAt(at: number): VerbGroup | undefined {
    return at < this.tokens.length ? verbGroupAt(this.tokens, at) : undefined
  }

  private finiteAt(at: number): VerbGroup | undefined {
    const verb = this.verbAt(at)
    return verb?.finite ? verb : undefined
  }

  /** "X", "X and Y", "X, Y and Z" from a token on. In the place of an object, "and Y" may begin a clause. */
  private list(at: number, subject: boolean): { items: NounPhrase[]; end: number } | undefined {
    const first = nounPhraseAt(this.tokens, at)
    if (first === undefined) return undefined
    const items = [first]
    let end = first.end
    for (;;) {
      const next = this.afterSeparator(end)
      if (next === undefined) break
      const phrase = nounPhraseAt(this.tokens, next.at)
      if (phrase === undefined) break
      if (next.conjunction) {
        if (!subject && this.actsAt(phrase.end)) break
        items.push(phrase)
        end = phrase.end
        continue
      }
      if (this.isEnumeration(phrase.end)) {
        items.push(phrase)
        end = phrase.end
        continue
      }
      if (items.length === 1) {
        const closed = this.apposition(first, phrase)
        if (closed !== undefined) {
          this.remember(phrase)
          end = closed
        }
      }
      break
    }
    for (const item of items) this.remember(item)
    return { items, end }
  }

  private remember(phrase: NounPhrase): void {
    if (!this.phrases.some(({ first }) => first === phrase.first)) this.phrases.push(phrase)
  }

  private skipAdverbs(at: number): number {
    while (this.tokens[at]?.tag === 'ADV') at++
    return at
  }

  private afterSeparator(at: number): { at: number; conjunction: boolean } | undefined {
    const comma = this.tokens[at]?.text === ','
    const next = comma ? at + 1 : at
    if (CONJUNCTIONS.has(this.tokens[next]?.lower ?? '')) {
      return { at: this.tokens[next + 1]?.lower === 'also' ? next + 2 : next + 1, conjunction: true }
    }
    return comma ? { at: next, conjunction: false } : undefined
  }

  /** Whether "and Z" comes at the end of what follows: "X, Y and Z". */
  private isEnumeration(at: number): boolean {
    for (;;) {
      const next = this.afterSeparator(at)
      if (next === undefined) return false
      const phrase = nounPhraseAt(this.tokens, next.at)
      if (phrase === undefined) return false
      if (next.conjunction) return !this.actsAt(phrase.end) || this.clauses.length === 0
      at = phrase.end
    }
  }

  /** Notes that the second phrase says what the first is, and tells where it ends. */
  private apposition(one: NounPhrase, other: NounPhrase): number | undefined {
    if (one.pronoun || other.pronoun) return undefined
    const closing = this.tokens[other.end]
    const closed = closing?.text === ','
    const open =
      closing === undefined ||
      /^[.!?;)]/.test(closing.text) ||
      this.isPreposition(other.end) ||
      RELATIVES.has(closing.lower)
    if (!closed && !open) return undefined
    const describes =
      other.owner !== undefined ||
      (other.determiner !== undefined && /^(?:an?|the|one)$/.test(other.determiner)) ||
      /^(?:former|then)$/.test(this.tokens[other.core].lower)
    const named = other.proper && !one.proper && (one.owner !== undefined || one.determiner === 'the')
    if (!(describes && one.proper) && !named && !(describes && one.name !== undefined)) return undefined
    this.appositions.push([one, other])
    return closed ? other.end + 1 : other.end
  }

  private clause(verb: VerbGroup): void {
    const first = this.at
    let subjects = this.pending.length > 0 ? this.pending : this.inherited
    // "Do you live in Rome?": the subject stands between.
    const inverted = this.inverted(verb)
    if (inverted !== undefined) {
      verb = inverted.verb
      subjects = inverted.subjects
    }
    verb = this.told(this.continued(verb), subjects)
    const elided = subjects.length === 0 && verb.finite && (this.elided || (!this.sawPhrase && this.isOwn(verb)))
    const { modality, negative } = this.meaning(verb, subjects)
    this.at = verb.end
    this.sawPhrase = true
    this.pending = []
    this.inherited = subjects
    const before = this.times
    this.times = []
    const complement = this.complement(verb, subjects)
    if ((subjects.length > 0 && (verb.finite || first === 0)) || elided)
      this.clauses.push({
        subjects,
        verb,
        ...complement,
        modality,
        negative,
        times: [...before, ...this.times],
        end: this.at,
      })
    this.times = []
    this.inherited = subjects
    this.elided = elided
    this.last = verb
    this.embed(verb, negative)
    if (this.at <= first) this.at = first + 1
  }

  /** "A woman called Netta", "Sione, compare …": what looks like a verb of the subject and is none. */
  private told(verb: VerbGroup, subjects: readonly NounPhrase[]): VerbGroup {
    const main = this.tokens[verb.main]
    // "Helped her find a flat".
    if (subjects.some(({ head, pronoun }) => pronoun && /^(?:me|him|her|us|them)$/.test(this.tokens[head].lower)))
      return { ...verb, finite: false }
    if (verb.first !== verb.main || main.tag !== 'VERB' || subjects.some(({ pronoun }) => pronoun)) return verb
    if (/^(?:called|named)$/.test(main.lower) && this.tokens[verb.end]?.tag === 'PROPN')
      return { ...verb, passive: true }
    const bare = main.lower === main.lemma && !SAME_PAST.has(main.lower)
    return bare && subjects.length === 1 && this.isSingular(subjects[0]) ? { ...verb, finite: false } : verb
  }

  private isSingular({ head, determiner }: NounPhrase): boolean {
    const { lower, lemma, tag } = this.tokens[head]
    if (/^(?:NUM|these|those|all|both|many|several|few|some|most)$/.test(determiner ?? '')) return false
    return !lower.endsWith('s') && (tag === 'PROPN' || (lower === lemma && !COLLECTIVE.has(lower)))
  }

  /** "Can sing and dance", "to rest and read": a verb that goes on is meant as the one before. */
  private continued(verb: VerbGroup): VerbGroup {
    const last = this.last
    const { tag, lower, lemma } = this.tokens[verb.main]
    const bare = tag === 'VERB' && lower === lemma && verb.first === verb.main && verb.finite
    if (!bare || last === undefined || this.pending.length > 0) return verb
    return { ...verb, finite: last.finite, able: last.able, modality: last.modality, negative: verb.negative }
  }

  /** "Went home.", "Never been there.": the writer is left out. */
  private isOwn(verb: VerbGroup): boolean {
    // "Today was our anniversary": nobody is left out.
    if (this.tokens[verb.main].lower === 'was' && verb.first > 0) return false
    return verb.past || /^(?:been|gone|done|seen)$/.test(this.tokens[verb.main].lower)
  }

  private inverted(verb: VerbGroup): { verb: VerbGroup; subjects: NounPhrase[] } | undefined {
    const { tag } = this.tokens[verb.main]
    if (tag !== 'AUX' || this.pending.length > 0 || this.inherited.length > 0) return undefined
    const list = this.list(verb.end, true)
    const rest = list && this.verbAt(list.end)
    if (list === undefined || rest === undefined) return undefined
    return { subjects: list.items, verb: { ...rest, negative: rest.negative || verb.negative, finite: true } }
  }

  private meaning(verb: VerbGroup, subjects: readonly NounPhrase[]): { modality: Modality; negative: boolean } {
    const anybody = this.general && subjects.some(({ head }) => this.tokens[head].lower === 'you')
    if (anybody) return { modality: 'possible', negative: verb.negative }
    const modality = verb.modality !== 'asserted' ? verb.modality : (this.mood ?? this.scope.modality ?? 'asserted')
    const mixed = verb.modality !== 'asserted' && this.scope.modality === 'reported' ? 'reported' : modality
    return { modality: mixed, negative: verb.negative !== (this.scope.negative ?? false) }
  }

  /** A clause that follows a verb of saying or thinking is meant as that verb says. */
  private embed(verb: VerbGroup, negative: boolean): void {
    const { lemma } = this.tokens[verb.main]
    const next = this.tokens[this.at]
    if (next === undefined) return
    const clause =
      next.lower === 'that' || QUESTION_WORDS.has(next.lower) || next.lower === 'if' || this.clauseAt(this.at)
    if (!clause) return
    if (REPORTING.has(lemma)) this.scope = { modality: 'reported' }
    else if (THINKING.has(lemma)) this.scope = { modality: 'possible', negative: verb.negative }
    else if (HOPING.has(lemma)) this.scope = { modality: 'wished' }
    else if (FACTIVE.has(lemma)) this.scope = negative || QUESTION_WORDS.has(next.lower) ? { modality: 'possible' } : {}
    else return
    if (next.lower === 'that') this.at++
    this.inherited = []
  }

  private clauseAt(at: number): boolean {
    const phrase = nounPhraseAt(this.tokens, at)
    return phrase !== undefined && this.actsAt(phrase.end)
  }

  /** Whether a finite verb follows; "called Rex" only tells of what is before. */
  private actsAt(at: number): boolean {
    return !REDUCED.has(this.tokens[at]?.lower ?? '') && this.finiteAt(this.skipAdverbs(at)) !== undefined
  }

  /** What follows a verb in its clause. */
  private complement(verb: VerbGroup, subjects: readonly NounPhrase[]): Complement {
    const found: Complement = { objects: [], given: [], adjectives: [], prepositional: [] }
    // What "who" tells of "a biologist from Valencia who …" it tells of whom the sentence is about.
    const about = this.tokens[verb.main].lemma === 'be' ? subjects.at(-1) : undefined
    while (this.at < this.tokens.length && this.part(found, verb, about));
    return found
  }

  /** Reads one part of the complement; `false` where the clause ends. */
  private part(found: Complement, verb: VerbGroup, about: NounPhrase | undefined): boolean {
    const { tag, lower } = this.tokens[this.at]
    const time = this.timeEnd(this.at)
    if (time !== undefined && !this.isSpent(verb)) {
      if (this.tokens[time - 1].tag === 'TIME') this.time(time - 1, '')
      this.at = time
      return true
    }
    if (this.isPreposition(this.at)) return this.prepositionalPart(found, about)
    if (SUBORDINATORS.has(lower) && tag !== 'PRON' && tag !== 'DET') return false
    if (tag === 'ADJ' && nounPhraseAt(this.tokens, this.at) === undefined) return this.adjective(found)
    if (QUESTION_WORDS.has(lower)) return false
    if (tag === 'ADV' || tag === 'INTJ') return this.adverb(lower)
    if (this.clauseAt(this.at)) return false
    const list = this.list(this.at, false)
    if (list === undefined) return false
    if (found.objects.length === 0) found.objects = list.items
    else if (found.given.length === 0) found.given = list.items
    this.at = list.end
    this.relative(about ?? list.items.at(-1))
    return true
  }

  /** "Spent two weeks": the time is what is told. */
  private isSpent(verb: VerbGroup): boolean {
    return this.tokens[verb.main].lemma === 'spend' && this.tokens[this.at].tag !== 'TIME'
  }

  private prepositionalPart(found: Complement, about: NounPhrase | undefined): boolean {
    const read = this.prepositional(this.at)
    if (read === undefined) {
      if (this.tokens[this.at + 1]?.tag === 'VERB') return false
      this.at++
      return true
    }
    found.prepositional.push(read.value)
    this.at = read.end
    const person = this.tokens[this.at]?.lower === 'who' ? found.objects.at(-1) : undefined
    this.relative(about ?? person ?? read.value.items.at(-1))
    return true
  }

  private adjective(found: Complement): boolean {
    found.adjectives.push(this.at++)
    if (CONJUNCTIONS.has(this.tokens[this.at]?.lower) && this.tokens[this.at + 1]?.tag === 'ADJ') this.at++
    return true
  }

  private adverb(lower: string): boolean {
    if (POSSIBLY.has(lower) || REPORTEDLY.has(lower) || this.verbAt(this.at) !== undefined) return false
    this.at++
    return true
  }

  /** "… who loves jazz", "… called Rex" right behind a phrase. */
  private relative(antecedent: NounPhrase | undefined): void {
    if (antecedent === undefined) return
    const comma = this.tokens[this.at]?.text === ','
    const at = comma ? this.at + 1 : this.at
    const token = this.tokens[at]
    if (token === undefined) return
    const relative = RELATIVES.has(token.lower) && !(comma && token.lower === 'that')
    const reduced = !relative && !comma && REDUCED.has(token.lower)
    const verb = relative || reduced ? this.verbAt(relative ? at + 1 : at) : undefined
    if (verb === undefined) return
    const saved = [this.pending, this.inherited, this.times, this.elided] as const
    this.at = verb.first
    this.pending = [antecedent]
    this.times = []
    this.clause(reduced ? { ...verb, passive: true } : verb)
    ;[this.pending, this.inherited, this.times, this.elided] = saved
  }
}

interface Complement {
  objects: readonly NounPhrase[]
  given: readonly NounPhrase[]
  readonly adjectives: number[]
  readonly prepositional: Prepositional[]
}
