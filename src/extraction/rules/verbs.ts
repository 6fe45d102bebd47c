import type { StatementModality as Modality } from '../../api/extractor.js'
import type { Token } from './token.js'
import { CHAINING, NEGATIONS, PARTICLES, PLANNING, WISHING } from './words.js'

/** A verb with its helpers: "has never been", "wants to start learning". */
export interface VerbGroup {
  readonly first: number
  /** After its last token, particles included. */
  readonly end: number
  /** The token of the verb that says what is done. */
  readonly main: number
  /** What stands before that verb in the predicate, as token indexes: "likes to", "started". */
  readonly chain: readonly number[]
  /** Indexes of particles: "gave up". */
  readonly particles: readonly number[]
  readonly negative: boolean
  readonly modality: Modality
  readonly passive: boolean
  readonly progressive: boolean
  /** "Can", "could": an ability. */
  readonly able: boolean
  /** Begins with an infinitive or a participle, so it has no subject of its own. */
  readonly finite: boolean
  /** "Used to". */
  readonly former: boolean
  readonly past: boolean
  /** "Has got". */
  readonly owned: boolean
}

const isVerbal = ({ tag }: Token) => tag === 'VERB' || tag === 'AUX'
const POSSIBLE = new Set(['might', 'may', 'could', 'should', 'must', 'ought'])
const CONDITIONAL = new Set(['would', "'d"])
const ABLE = new Set(['can', 'ca'])
const PAST = new Set(['was', 'were', 'had', 'did'])
const PLANNED = new Set(['will', "'ll", 'wo', 'shall', 'sha'])
/** "Have to", "need to". */
const OBLIGED = new Set(['have', 'need', 'got'])

/** The verb group that begins at a token, if one does. */
export function verbGroupAt(tokens: readonly Token[], first: number): VerbGroup | undefined {
  const reader = new Reader(tokens, first)
  return reader.read()
}

/** Reads one verb group, word by word. */
class Reader {
  private at: number
  private negative = false
  private modality: Modality = 'asserted'
  private passive = false
  private progressive = false
  private able = false
  private former = false
  private past = false
  private would = false
  private owned = false
  private readonly chain: number[] = []

  constructor(
    private readonly tokens: readonly Token[],
    private readonly first: number,
  ) {
    this.at = first
  }

  read(): VerbGroup | undefined {
    this.skipAdverbs()
    const start = this.tokens[this.at]
    if (start === undefined) return undefined
    const infinitive = start.lower === 'to' && this.verbAfter(this.at + 1)
    if (infinitive) this.at++
    else if (!isVerbal(start)) return undefined
    const participle = !infinitive && /ing$/.test(start.lower) && start.tag === 'VERB'
    const main = this.readMain()
    if (main === undefined) return undefined
    const particles: number[] = []
    while (PARTICLES.has(this.tokens[this.at]?.lower ?? '')) particles.push(this.at++)
    // "No longer" stands before, "anymore" behind.
    return {
      first: this.first,
      end: this.at,
      main,
      chain: this.chain,
      particles,
      negative: this.negative,
      modality: this.modality,
      passive: this.passive,
      progressive: this.progressive,
      able: this.able,
      finite: !infinitive && !participle,
      former: this.former,
      past: this.past,
      owned: this.owned,
    }
  }

  /** Helpers, then the verb; verbs that take another one go on with that. */
  private readMain(): number | undefined {
    let main: number | undefined
    let helper: string | undefined
    for (;;) {
      this.skipAdverbs()
      const token = this.tokens[this.at]
      if (token === undefined || !isVerbal(token)) return main
      if (main !== undefined && !this.continues(main)) return main
      main = this.at
      this.note(token, helper)
      helper = token.lemma
      this.at++
      const next = this.chained(token)
      if (next === undefined) continue
      if (next === 'stop') return main
      // The chain: what was read is before what follows.
      helper = undefined
      main = undefined
    }
  }

  /** Whether a verb follows as part of the group: behind a helper, anything but a new clause. */
  private continues(main: number): boolean {
    const { tag, lemma, lower } = this.tokens[main]
    return tag === 'AUX' || ['be', 'have', 'do', 'get'].includes(lemma) || PLANNED.has(lower) || lower === 'ca'
  }

  /** Notes what a word of the group says of the whole. */
  private note(token: Token, helper: string | undefined): void {
    const { lower } = token
    if (PLANNED.has(lower)) this.modality = 'planned'
    else if (CONDITIONAL.has(lower)) {
      this.would = true
      this.modality = 'possible'
    } else if (POSSIBLE.has(lower)) this.modality = 'possible'
    else if (ABLE.has(lower)) this.able = true
    else this.noteVerb(token, helper)
  }

  private noteVerb(token: Token, helper: string | undefined): void {
    const { lower, lemma, tag } = token
    if (helper === undefined)
      this.past = PAST.has(lower) || (tag === 'VERB' && lower !== lemma && !/(?:s|ing)$/.test(lower))
    if (this.would && tag === 'VERB') this.modality = this.afterWould(lower)
    const progressive = helper === 'be' && lower.endsWith('ing')
    this.progressive = progressive
    this.passive = tag === 'VERB' && !progressive && (helper === 'be' || (helper === 'get' && /(?:ed|en)$/.test(lower)))
    if (lower === 'got' && helper === 'have') this.owned = true
  }

  /** "I'd love" and "would like" are wishes; "they'd moved" is past. */
  private afterWould(verb: string): Modality {
    if (/^(?:love|like|prefer)$/.test(verb)) return 'wished'
    return /(?:ed|en)$/.test(verb) && this.tokens[this.first].lower === "'d" ? 'asserted' : 'possible'
  }

  /** What follows a verb that takes another verb: continues with it, stops, or neither. */
  private chained(token: Token): 'go on' | 'stop' | undefined {
    const end = token.tag === 'VERB' ? 'stop' : undefined
    const next = this.tokens[this.at]
    if (next === undefined) return end
    if (token.lemma === 'get' && next.tag === 'VERB' && /(?:ed|en)$/.test(next.lower)) return undefined
    if (next.lower === 'to' && this.verbAfter(this.at + 1)) return this.infinitive(token) ?? end
    if (next.tag === 'VERB' && next.lower.endsWith('ing') && CHAINING.has(token.lemma)) return this.chainOn(0)
    const planned = PLANNING.has(token.lemma) || WISHING.has(token.lemma)
    if (planned && /^(?:about|on|of)$/.test(next.lower) && this.gerundAt(this.at + 1))
      return this.step(token.lemma === 'dream' ? 'wished' : 'planned', 1)
    if (
      token.lemma === 'be' &&
      next.lower === 'about' &&
      this.tokens[this.at + 1]?.lower === 'to' &&
      this.verbAfter(this.at + 2)
    )
      return this.step('planned', 2)
    return end
  }

  /** A verb with "to" and another verb behind it. */
  private infinitive({ lemma, lower }: Token): 'go on' | undefined {
    if (lower === 'used') {
      this.former = true
      return this.step(undefined, 1)
    }
    if (lower === 'going' || lemma === 'be' || OBLIGED.has(lemma)) return this.step('planned', 1)
    if (WISHING.has(lemma) || this.modality === 'wished') return this.step('wished', 1)
    if (PLANNING.has(lemma)) return this.step('planned', 1)
    if (lemma === 'manage') return this.step(undefined, 1)
    return CHAINING.has(lemma) ? this.chainOn(1) : undefined
  }

  /** The verb that was read, with the words after it, stays in the predicate before the one that follows. */
  private chainOn(words: number): 'go on' {
    for (let at = this.at - 1; at < this.at + words; at++) this.chain.push(at)
    this.at += words
    return 'go on'
  }

  private step(modality: Modality | undefined, by: number): 'go on' {
    if (modality !== undefined) this.modality = modality
    this.past = false
    this.would = false
    this.at += by
    return 'go on'
  }

  private verbAfter(at: number): boolean {
    while (this.tokens[at]?.tag === 'ADV') at++
    const token = this.tokens[at]
    return token !== undefined && isVerbal(token)
  }

  private gerundAt(at: number): boolean {
    const token = this.tokens[at]
    return token?.tag === 'VERB' && /ing$/.test(token.lower)
  }

  private skipAdverbs(): void {
    for (; this.at < this.tokens.length; this.at++) {
      const { tag, lower } = this.tokens[this.at]
      if (NEGATIONS.has(lower)) this.negative = true
      else if (lower === 'no' && this.tokens[this.at + 1]?.lower === 'longer') this.negative = true
      else if ((tag !== 'ADV' && !(this.at > this.first && /^(?:both|all|each)$/.test(lower))) || !this.verbFollows())
        return
    }
  }

  /** Whether adverbs and then a verb follow, so that an adverb here belongs to the group. */
  private verbFollows(): boolean {
    for (let at = this.at + 1; at < this.tokens.length; at++) {
      const token = this.tokens[at]
      if (isVerbal(token)) return true
      if (token.tag !== 'ADV' && token.tag !== 'PART') return false
    }
    return false
  }
}
