import type { Clause } from './parsed-sentence.js'
import type { NounPhrase } from './phrases.js'
import { wordsOf } from './phrases.js'
import type { Mention, References } from './references.js'
import type { Token } from './token.js'
import { EMPTY_NOUNS, type Gender, genderOf, RELATION_NOUNS } from './words.js'

/** A name that a statement can use, and how sure it is. */
export interface Named {
  readonly name: string
  /** Whether a pronoun was resolved for it. */
  readonly resolved: boolean
}

/** Gives each phrase of a sentence the name that statements use. */
export class Naming {
  constructor(
    private readonly text: string,
    private readonly tokens: readonly Token[],
    private readonly references: References,
    private readonly genderOfName: (name: string) => Gender | undefined,
  ) {}

  /** The verb of a clause. */
  verb({ verb }: Clause): Token {
    return this.tokens[verb.main]
  }

  /** The name of a phrase; `undefined` where its meaning cannot be known. */
  subject(phrase: NounPhrase): Named | undefined {
    return this.named(phrase)
  }

  /** The name of an object. What the subject has itself is named without the owner: "sold my car" is "car". */
  object(phrase: NounPhrase, subject: string): Named | undefined {
    const named = this.named(phrase, subject)
    if (named === undefined || phrase.owner === undefined || phrase.name !== undefined) return named
    const own = this.owner(phrase, subject)?.name === subject && !RELATION_NOUNS.has(this.head(phrase).lemma)
    return own ? { ...named, name: this.words(phrase) } : named
  }

  /** The owner of a phrase: "my", "Tom's". */
  owner(phrase: NounPhrase, subject?: string): Named | undefined {
    if (phrase.owner === undefined) return undefined
    if (typeof phrase.owner === 'number') return this.pronoun(OWNERS[this.tokens[phrase.owner].lower] ?? '', subject)
    return this.named(phrase.owner, subject)
  }

  /** The words of a phrase without article and owner. */
  words(phrase: NounPhrase): string {
    return wordsOf(this.text, this.tokens, phrase)
  }

  head(phrase: NounPhrase): Token {
    return this.tokens[phrase.head]
  }

  /** What a pronoun may mean later. */
  mention(phrase: NounPhrase): Omit<Mention, 'unit'> | undefined {
    if (phrase.pronoun) return undefined
    const name = this.named(phrase)?.name
    if (name === undefined) return undefined
    const head = this.head(phrase)
    const plural = head.tag === 'NOUN' && PLURAL.test(head.lower) && head.lower !== head.lemma
    if (phrase.name !== undefined)
      return { name, gender: this.genderOfName(name) ?? genderOf(head.lemma), plural: false, bare: false }
    if (phrase.proper && phrase.owner === undefined)
      return { name, gender: this.genderOfName(name), plural, bare: false }
    const bare = phrase.owner === undefined && phrase.determiner === undefined
    return { name, gender: genderOf(head.lemma), plural, bare }
  }

  private named(phrase: NounPhrase, subject?: string): Named | undefined {
    if (phrase.pronoun) return this.pronoun(this.tokens[phrase.head].lower, subject)
    if (phrase.name !== undefined) return { name: this.words(phrase.name), resolved: false }
    if (EMPTY_NOUNS.has(this.head(phrase).lemma)) return undefined
    const words = this.words(phrase)
    if (phrase.owner === undefined) return { name: words, resolved: false }
    const owner = this.owner(phrase, subject)
    if (owner === undefined) return undefined
    if (owner.name === 'I') return { name: `my ${words}`, resolved: false }
    const mark = /^[a-z].*s$/.test(owner.name) ? "'" : "'s"
    return { name: `${owner.name}${mark} ${words}`, resolved: owner.resolved }
  }

  private pronoun(lower: string, subject?: string): Named | undefined {
    const { speaker, other } = this.references
    if (SPEAKER.has(lower)) return { name: speaker ?? 'I', resolved: false }
    if (lower === 'you') return other === undefined ? undefined : { name: other, resolved: false }
    const name = this.references.resolve(lower, subject)
    return name === undefined ? undefined : { name, resolved: true }
  }
}

const PLURAL = /s$|^(?:men|women|children|people)$/
const SPEAKER = new Set(['i', 'me', 'we', 'us'])
const OWNERS: Readonly<Record<string, string>> = {
  my: 'i',
  our: 'i',
  your: 'you',
  his: 'his',
  her: 'her',
  its: 'its',
  their: 'their',
}
