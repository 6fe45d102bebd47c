import type { ExtractionContext, Statement, StatementModality } from '../../api/extractor.js'
import type { Apposition, Clause, ParsedSentence, Prepositional } from './parsed-sentence.js'
import type { Named, Naming } from './naming.js'
import type { NounPhrase } from './phrases.js'
import { predicateOf } from './predicates.js'
import type { Token } from './token.js'
import {
  ABSTRACT,
  ATTITUDES,
  ATTRIBUTES,
  DITRANSITIVE,
  EMPTY_NOUNS,
  EMPTY_VERBS,
  LASTING,
  LIGHT_NOUNS,
  PASSING,
  RELATION_NOUNS,
  TIME_NOUNS,
  words,
} from './words.js'

/** How likely a statement is right: plainly said, with a pronoun resolved, with the subject left out. */
const PLAIN = 0.9
const LESS_FOR_PRONOUN = 0.15
const LESS_FOR_ELISION = 0.1

/** Prepositions that say when, why or how: what follows is no filler. */
const NO_RELATION = words(
  'because despite due until till like than without instead since during after before while except besides per via',
)
/** Adjectives whose preposition brings in nothing worth knowing. */
const LOOSE_ADJECTIVES =
  /^(?:sure|proud|glad|happy|sorry|aware|tired|full|part|good|great|nice|excited|nervous|late|important|back|up)$/
/** Verbs of which the time is what is said: "the exam starts at nine". */
const DATED = words(`
  start begin end finish open close die land arrive happen expire leave bear schedule plan found establish publish
  release set due`)
/** Prepositions that tell of the verb where they come second; others tell of what comes first. */
const SECOND = words('with in at')

/** Makes the statements of a sentence out of its clauses. */
export class Statements {
  readonly found: Statement[] = []

  /** @param asked whether the sentence is a question */
  constructor(
    private readonly tokens: readonly Token[],
    private readonly naming: Naming,
    private readonly asked: boolean,
    private readonly context: ExtractionContext,
  ) {}

  /** "Bawri, a thai place": it is one. */
  appositions(appositions: readonly Apposition[]): void {
    for (const [one, other] of appositions) {
      const subject = this.naming.subject(one)
      const object = this.naming.subject(other)
      // "Thanks for the tip, Nate" calls somebody.
      if (subject === undefined || object === undefined || this.isSpeaker(object.name)) continue
      const span = this.spanOf(one.first, other.end)
      if (one.owner !== undefined && one.name === undefined && other.proper) this.relation(one, object, span)
      else if (other.owner !== undefined && this.isRelation(other)) this.relation(other, subject, span)
      else if (!EMPTY_NOUNS.has(this.naming.head(other).lemma)) this.add(subject, 'is', object, { span })
    }
  }

  /** "My sister Lena": she is somebody's sister. */
  names(phrases: ParsedSentence['phrases']): void {
    for (const phrase of phrases)
      if (phrase.name !== undefined && phrase.owner !== undefined)
        this.relation(phrase, this.naming.subject(phrase)!, this.spanOf(phrase.first, phrase.end))
  }

  private relation(phrase: NounPhrase, name: Named, span: Statement['span']): void {
    const owner = this.naming.owner(phrase)
    if (owner === undefined) return
    const noun = this.naming.words({ ...phrase, end: phrase.head + 1 }).toLowerCase()
    this.add(owner, `has ${noun}`, name, { span })
  }

  clause(clause: Clause): void {
    if (!clause.verb.finite) return
    // "Heron's broken a track": 's is "has".
    const has =
      clause.objects.length > 0 &&
      this.tokens[clause.verb.first].lower === "'s" &&
      !/^(?:call|name)$/.test(this.naming.verb(clause).lemma)
    for (const [phrase, subject] of this.subjects(clause)) {
      if (clause.verb.passive && has) this.active({ ...clause, verb: { ...clause.verb, passive: false } }, subject)
      else if (clause.verb.passive) this.passive(clause, phrase, subject)
      else if (this.naming.verb(clause).lemma === 'be') this.copula(clause, phrase, subject)
      else this.active(clause, subject)
    }
  }

  private isSpeaker(name: string): boolean {
    return name === this.context.speaker || (this.context.others?.includes(name) ?? false)
  }

  private subjects(clause: Clause): [NounPhrase | undefined, Named][] {
    const { speaker } = this.context
    const { subjects } = clause
    if (subjects.length === 0) return speaker === undefined ? [] : [[undefined, { name: speaker, resolved: false }]]
    return subjects.flatMap((phrase): [NounPhrase, Named][] => {
      const named = this.isLoose(clause, phrase) ? undefined : this.naming.subject(phrase)
      return named === undefined ? [] : [[phrase, named]]
    })
  }

  /** "It is …" tells of the moment; and in a chat "art brings people together" is an opinion. */
  private isLoose(clause: Clause, phrase: NounPhrase): boolean {
    const { lower, lemma, tag } = this.naming.head(phrase)
    if (tag === 'NUM' || tag === 'SYM') return true
    if (lower === 'it') return this.naming.verb(clause).lemma === 'be' && !clause.verb.passive
    if (phrase.pronoun || phrase.proper) return false
    if (ABSTRACT.has(lemma) && phrase.owner === undefined) return true
    const bare = phrase.owner === undefined && phrase.determiner === undefined && tag === 'NOUN'
    return bare && this.context.speaker !== undefined
  }

  /** "Ann is a nurse", "my favourite colour is green", "he's allergic to nuts", "she is from Oslo". */
  private copula(clause: Clause, phrase: NounPhrase | undefined, subject: Named): void {
    const attribute = phrase && this.attribute(phrase)
    const about = attribute?.owner ?? subject
    const is = `${attribute === undefined ? '' : `${attribute.noun} `}${clause.verb.former ? 'used to be' : 'is'}`
    if (clause.objects.length > 0) {
      for (const object of clause.objects) this.identity(clause, phrase, about, is, object)
      if (is === 'is' && (phrase?.pronoun || phrase?.proper || phrase?.name)) this.workplace(clause, about)
      return
    }
    if (clause.adjectives.length > 0) return this.quality(clause, phrase, about, is)
    // What comes second tells where the first is: "from a village near Porto".
    for (const one of clause.prepositional.slice(0, 1))
      if (one.preposition !== 'about') this.prepositional(clause, about, `${is} ${one.preposition}`, one, true)
  }

  private identity(
    clause: Clause,
    phrase: NounPhrase | undefined,
    subject: Named,
    is: string,
    object: NounPhrase,
  ): void {
    const named = this.naming.object(object, subject.name)
    if (named === undefined || this.isEmpty(object) || object.pronoun) return
    const names =
      is === 'is' && phrase !== undefined && this.isOwned(phrase) && object.proper && object.owner === undefined
    if (this.isVague(object) && is === 'is') return
    if (object.determiner === 'no') clause = { ...clause, negative: !clause.negative }
    if (names && !this.asked && !clause.negative) this.relation(phrase, named, this.spanOf(phrase.first, object.end))
    else this.say(clause, subject, is, named, object.end)
  }

  /** "A blast", "super": it says how somebody felt. */
  private isVague(object: NounPhrase): boolean {
    const { lemma } = this.naming.head(object)
    if (object.proper) return false
    return ABSTRACT.has(lemma) || TIME_NOUNS.has(lemma) || (PASSING.has(lemma) && object.owner === undefined)
  }

  private quality(clause: Clause, phrase: NounPhrase | undefined, subject: Named, is: string): void {
    const [adjective] = clause.adjectives
    const text = this.tokens[adjective].lower
    const of = clause.prepositional.find(({ first }) => first === clause.adjectives.at(-1)! + 1)
    if (of !== undefined && of.items.length > 0 && !/^(?:for|about|with|in|at)$/.test(of.preposition)) {
      if (!LOOSE_ADJECTIVES.test(text))
        for (const item of of.items) this.object(clause, subject, `${is} ${text} ${of.preposition}`, item)
      return
    }
    // "It is late" tells of nothing that was named.
    if (phrase?.pronoun && this.naming.head(phrase).lower === 'it') return
    for (const one of clause.adjectives)
      if (is === 'is' ? this.isLasting(this.tokens[one].lower) : !PASSING.has(this.tokens[one].lower))
        this.say(clause, subject, is, { name: this.tokens[one].text, resolved: false }, one + 1)
  }

  /** Whether an adjective tells something that lasts. Texts without a speaker, as news, tell of little else. */
  private isLasting(adjective: string): boolean {
    return LASTING.has(adjective) || (this.context.speaker === undefined && !PASSING.has(adjective))
  }

  /** "My favourite colour", "Anna's birthday": something of which each has one. */
  private attribute(phrase: NounPhrase): { owner: Named; noun: string } | undefined {
    if (phrase.owner === undefined || phrase.name !== undefined) return undefined
    const noun = this.naming.words(phrase).toLowerCase()
    if (!noun.split(' ').some((word) => ATTRIBUTES.has(word))) return undefined
    const owner = this.naming.owner(phrase)
    return owner && { owner, noun }
  }

  private passive(clause: Clause, phrase: NounPhrase | undefined, subject: Named): void {
    const { verb, prepositional, objects } = clause
    const main = this.naming.verb(clause)
    const agent = prepositional.find(({ preposition, time }) => preposition === 'by' && time === undefined)
    for (const item of agent?.items ?? []) {
      const named = this.naming.subject(item)
      if (named !== undefined)
        this.say(clause, named, predicateOf(this.tokens, { ...verb, passive: false }), subject, item.end)
    }
    const words = predicateOf(this.tokens, verb)
    for (const object of objects) {
      const named = this.naming.object(object, subject.name)
      if (named === undefined) continue
      if (/^(?:call|name)$/.test(main.lemma) && phrase !== undefined && this.isOwned(phrase) && object.proper)
        this.relation(phrase, named, this.spanOf(phrase.first, object.end))
      else this.say(clause, subject, words, named, object.end)
    }
    for (const one of prepositional)
      if (one !== agent) this.prepositional(clause, subject, `${words} ${one.preposition}`, one, true)
  }

  private active(clause: Clause, subject: Named): void {
    const { verb, objects, given, prepositional } = clause
    const main = this.naming.verb(clause)
    if (EMPTY_VERBS.has(main.lemma) && verb.chain.length === 0 && verb.particles.length === 0) return
    if (clause.adjectives.length > 0 && objects.length === 0) return
    // "The support I've got from friends": what was had stands before.
    if (objects.length === 0 && /^(?:have|can|could|will)$/.test(main.lemma)) return
    // "I find it fulfilling" tells of no find.
    if (clause.adjectives.length > 0 && objects[0]?.pronoun) return
    const words = predicateOf(this.tokens, verb)
    const receives = DITRANSITIVE.has(main.lemma) || objects[0]?.pronoun
    const things = given.length > 0 && receives ? given : objects
    const light = things.length === 1 && this.isLight(things[0])
    if (light) {
      const thing = this.naming.words(things[0])
      for (const one of prepositional)
        this.prepositional(clause, subject, `${words} ${thing} ${one.preposition}`, one, false)
      return
    }
    for (const object of things) this.object(clause, subject, words, object)
    if (things.length === 1) this.companions(clause, subject, words, things[0])
    if (things.length === 0) this.whereTo(clause, subject, words)
  }

  /** A verb without an object: what its prepositions bring in. */
  private whereTo(clause: Clause, subject: Named, words: string): void {
    const { prepositional } = clause
    const before = this.found.length
    const main = this.naming.verb(clause)
    const moves = /^(?:move|relocate|emigrate|migrate)$/.test(main.lemma)
    for (const [i, one] of prepositional.entries())
      if (i > 0 && !this.isSecond(one, prepositional[0], before)) continue
      else if (moves && one.preposition === 'from') this.left(clause, subject, one)
      else this.prepositional(clause, subject, `${words} ${one.preposition}`, one, false)
  }

  /** "Has a meeting with Priya": with whom. */
  private companions(clause: Clause, subject: Named, words: string, thing: NounPhrase): void {
    const [first] = clause.prepositional
    if (first?.preposition !== 'with' || thing.pronoun) return
    const noun = this.naming.head(thing).text
    for (const item of first.items) if (item.proper) this.object(clause, subject, `${words} ${noun} with`, item)
  }

  /** "Is a nurse at St. Mary's": works there. */
  private workplace(clause: Clause, subject: Named): void {
    const [object] = clause.objects
    const [first] = clause.prepositional
    if (clause.objects.length !== 1 || !/^an?$/.test(object.determiner ?? '') || first?.preposition !== 'at') return
    const predicate = this.naming.head(object).lemma === 'student' ? 'studies at' : 'works at'
    for (const item of first.items) if (item.proper) this.object(clause, subject, predicate, item)
  }

  /** Whether a second prepositional phrase tells of the verb, not of the first or of something without a name. */
  private isSecond({ preposition }: Prepositional, first: Prepositional, before: number): boolean {
    if (first.preposition === 'from') return preposition === 'to'
    return SECOND.has(preposition) && (this.found.length > before || first.time !== undefined)
  }

  /** "Moved from A": lives in A no more. */
  private left(clause: Clause, subject: Named, { items }: Prepositional): void {
    if (clause.modality !== 'asserted' || clause.negative) return
    for (const item of items) this.object({ ...clause, negative: true }, subject, 'lives in', item)
  }

  private isOwned(phrase: NounPhrase): boolean {
    return phrase.owner !== undefined && phrase.name === undefined && this.isRelation(phrase)
  }

  private isRelation(phrase: NounPhrase): boolean {
    return RELATION_NOUNS.has(this.naming.head(phrase).lemma)
  }

  /** "Lunch" of "had lunch with": part of the verb. */
  private isLight(phrase: NounPhrase): boolean {
    return (
      phrase.determiner === undefined && phrase.core === phrase.head && LIGHT_NOUNS.has(this.naming.head(phrase).lemma)
    )
  }

  private isEmpty(phrase: NounPhrase): boolean {
    return !phrase.pronoun && EMPTY_NOUNS.has(this.naming.head(phrase).lemma)
  }

  private object(clause: Clause, subject: Named, predicate: string, object: NounPhrase): void {
    if (this.isEmpty(object)) return
    const named = this.naming.object(object, subject.name)
    if (named === undefined) return
    const { lemma } = this.naming.head(object)
    if (TIME_NOUNS.has(lemma) && !object.proper && /^(?:have|get|take)$/.test(this.naming.verb(clause).lemma)) return
    // "Had a blast camping".
    if (lemma.endsWith('ing') && ABSTRACT.has(this.tokens[object.core].lemma)) return
    if (ABSTRACT.has(lemma) && !object.proper && !ATTITUDES.has(this.naming.verb(clause).lemma)) return
    const negative = object.determiner === 'no' ? !clause.negative : clause.negative
    this.say({ ...clause, negative }, subject, predicate, named, object.end)
  }

  private prepositional(
    clause: Clause,
    subject: Named,
    predicate: string,
    { preposition, items, time }: Prepositional,
    dated: boolean,
  ): void {
    const { lemma, lower } = this.naming.verb(clause)
    if (time !== undefined) {
      // "In a day" says how long; "on Friday" and "at 6" say when.
      const told = (dated || DATED.has(lemma)) && !/^(?:NOUN|DET)$/.test(this.tokens[time[0]].tag)
      const plain =
        /^(?:on|in|at|by)$/.test(preposition) || (preposition === 'for' && /^(?:scheduled|planned|set)$/.test(lower))
      if (told && plain) this.say(clause, subject, predicate, this.timeNamed(time), time[1])
      return
    }
    if (
      preposition.split(' ').some((word) => NO_RELATION.has(word)) ||
      (preposition === 'for' && dated && !/^(?:scheduled|planned|set|known|famous)$/.test(lower))
    )
      return
    for (const item of items)
      if (!item.pronoun || this.naming.head(item).lower !== 'it') this.object(clause, subject, predicate, item)
  }

  private timeNamed([first, end]: readonly [number, number]): Named {
    const core = this.tokens[first].tag === 'DET' ? first + 1 : first
    return {
      name: this.naming.words({ first, end, core, head: end - 1, pronoun: false, proper: false }),
      resolved: false,
    }
  }

  private say(clause: Clause, subject: Named, predicate: string, object: Named, end: number): void {
    const first = Math.min(clause.verb.first, clause.subjects[0]?.first ?? clause.verb.first)
    this.add(subject, predicate, object, { span: this.spanOf(first, end), clause })
  }

  private add(
    subject: Named,
    predicate: string,
    object: Named,
    { span, clause }: { readonly span: Statement['span']; readonly clause?: Clause },
  ): void {
    if (subject.name === object.name || subject.name === '' || object.name === '') return
    const less =
      (subject.resolved || object.resolved ? LESS_FOR_PRONOUN : 0) +
      (clause?.subjects.length === 0 ? LESS_FOR_ELISION : 0)
    this.found.push({
      subject: subject.name,
      predicate,
      object: object.name,
      polarity: clause?.negative ? 'negative' : 'positive',
      modality: this.modality(clause),
      ...validity(clause),
      confidence: Math.round((PLAIN - less) * 100) / 100,
      span,
    })
  }

  private modality(clause: Clause | undefined): StatementModality {
    if (this.asked) return 'asked'
    if (clause === undefined || clause.modality !== 'asserted') return clause?.modality ?? 'asserted'
    const { verb, times } = clause
    const { lemma } = this.naming.verb(clause)
    if (verb.chain.length === 0 && /^(?:want|wish|crave)$/.test(lemma)) return 'wished'
    if (verb.chain.length === 0 && /^(?:plan|intend|consider)$/.test(lemma) && !verb.passive) return 'planned'
    // "You can do it", "art can show emotions": no ability of somebody's own.
    if (verb.able && !this.isOwnAbility(clause)) return 'possible'
    // "Is moving to Oslo next month".
    const ahead =
      verb.progressive && !verb.past && times.some(({ time }) => time.start > new Date(this.context.at).toISOString())
    return ahead ? 'planned' : 'asserted'
  }

  private isOwnAbility({ subjects }: Clause): boolean {
    return subjects.every(
      (one) =>
        one.proper || one.owner !== undefined || (one.pronoun && !/^(?:you|it)$/.test(this.naming.head(one).lower)),
    )
  }

  private spanOf(first: number, end: number): Statement['span'] {
    return { from: this.tokens[first].from, to: this.tokens[Math.max(first, end - 1)].to }
  }
}

/** From when and until when a clause says that something holds, where it names just one time. */
function validity(clause: Clause | undefined): { validFrom?: string; validTo?: string } {
  if (clause === undefined || clause.times.length !== 1) return {}
  const [{ preposition, time }] = clause.times
  if (/^(?:until|till)$/.test(preposition)) return { validTo: time.end }
  return /^(?:before|by)$/.test(preposition) ? {} : { validFrom: time.start }
}
