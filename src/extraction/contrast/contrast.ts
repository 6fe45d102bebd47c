import type { Difference, DifferenceKind } from '../../api/sensory.js'
import { ABOUT } from './about.js'
import { align, type Alignment, type Segment } from './alignment.js'
import { sameFigure } from './figures.js'
import { type Item, PREPOSITIONS, type Reading } from './reading.js'
import { synonyms } from './synonyms.js'
import { sameMeasure, unitOf } from './units.js'
import { CHANGES, exclude, isSameMember, isSameSide, list, opposite } from './words.js'

/** How alike two words or phrases are in meaning, −1 to 1; 0 where that is not known. */
export type Likeness = (a: string, b: string) => number

/** A text beside another. */
export interface Contrast {
  /** What the text says and the other does not, in words that each tell something: 0 where the other says it all. */
  readonly news: number
  /**
   * How far the texts are about the same: the share of one of them that the other has too, the larger of both, 0 to 1.
   */
  readonly shared: number
  /** How many words both have in the same order, as a share of those of the text, 0 to 1. */
  readonly alike: number
  readonly differences: readonly Difference[]
}

/**
 * The least likeness of words that say the same; of words that stand in for each other among words that are the same.
 */
const SYNONYM = 0.62
const STAND_IN = 0.7
/** From this likeness on, words after the same preposition may be two words for one thing. */
const LIKE = 0.4
/** What a difference counts, in words. */
const COST = { figure: 1, name: 1, time: 1, denial: 1.5, opposite: 1.5, roles: 2, change: 1, word: 1 } as const
/**
 * What a word counts that the other text has not, where the wording is another altogether: some of it is only wording.
 */
const REWORDED = 0.6
/** From this share on, a word more is something more that is said. */
const ADDED = 0.7
/** From this share of what one of them says on, what is left may be another wording of what is left of the other. */
const SAME = 0.6
/** From this share of the same words in the same order on, two texts are of one wording. */
const ONE_WORDING = 0.5
/** From this share of so many words on, two texts are about the same, however much the other words tell. */
const SAME_WORDING = 0.75
const FEWEST_WORDS = 4
const CONVERSE = list(`
  beat beats beaten defeat defeated lose lost loses win won buy bought buys sell sells sold borrow borrowed lend lent
  lends give gave gives given take took taken receive received send sent teach taught learn learned learnt
`)
/** A word that tells so much of its own, or more, may belong to what a clause is about. */
const LEAST_TELLING = 0.3
/** Words that stand for anything or nothing of a kind. */
const ANY = list(`
  any every all another other nothing nobody none anything anybody everything everybody someone somebody something no
  both neither
`)

/** Who speaks, as the one who does something. */
const ME = list('i we')
/** Words that say of something that is still to be done. */
const PENDING = list('remind remember todo must should need needs shall please will')
/** Words that name an upper or lower bound. */
const BOUNDING = list('most least maximum max minimum min limit limited up exceed exceeds exceeding')

interface Pair {
  readonly mine: Item
  readonly its: Item
}

/** Compares a text with another. */
export function contrast(mine: Reading, its: Reading, likeness: Likeness): Contrast {
  return new Contrasting(mine, its, likeness).result()
}

class Contrasting {
  readonly #mine: Reading
  readonly #its: Reading
  readonly #likeness: Likeness
  readonly #pairs: Pair[] = []
  readonly #opposites: Pair[] = []
  readonly #free: Set<Item>
  readonly #differences: Difference[] = []
  readonly #alignment: Alignment
  readonly #isOneWording: boolean
  #news = 0
  /** What may be only another wording, in words. */
  #reworded = 0
  /** What was taken off for likeness, in words: only where most of the text is said is a like word another wording. */
  #likened = 0

  constructor(mine: Reading, its: Reading, likeness: Likeness) {
    this.#mine = mine
    this.#its = its
    this.#likeness = likeness
    this.#free = new Set(its.items)
    this.#alignment = align(mine.words, its.words)
    this.#isOneWording = this.#alignment.common >= ONE_WORDING * mine.words.length
  }

  result(): Contrast {
    for (const item of this.#unmatched()) this.#look(item)
    this.#functionWords()
    this.#turned()
    this.#denied()
    this.#miscounted()
    this.#misjudged()
    this.#notYet()
    const covered = share(
      [...this.#its.items].filter((item) => !this.#free.has(item)),
      this.#its.items,
    )
    const alike = this.#alignment.common / Math.max(1, this.#mine.words.length)
    const isSameWording = this.#mine.words.length >= FEWEST_WORDS && alike >= SAME_WORDING
    const paired = share(
      this.#pairs.map(({ mine }) => mine),
      this.#mine.items,
    )
    const shared = Math.max(covered, paired, isSameWording ? ABOUT : 0)
    // Texts about the same may say it in other words; others say something else.
    const ownWords = paired >= SAME ? 0 : this.#likened
    const news = this.#news + ownWords + this.#reworded * (shared >= SAME ? REWORDED : 1)
    return { news, shared, alike, differences: this.#differences }
  }

  /** Pairs equal items, and answers the remaining ones, which can only differ. */
  #unmatched(): Item[] {
    const left: Item[] = []
    this.#compounds()
    const isFree = (other: Item) => this.#free.has(other)
    // Figures first: what they count goes with them.
    const figures = this.#mine.items.filter(({ kind }) => kind === 'figure')
    for (const item of [...figures, ...this.#mine.items.filter(({ kind }) => kind !== 'figure')]) {
      if (this.#pairs.some(({ mine }) => mine === item)) continue
      const same = this.#its.items.filter((other) => isSame(item, other))
      const isLike = (other: Item) => isFree(other) && other.tag === item.tag
      const found = same.find(isLike) ?? same.find(isFree) ?? this.#shared(item, same)
      if (found === undefined) left.push(item)
      else this.#pair(item, found)
    }
    return left.filter(({ kind }) => kind !== 'person').sort((a, b) => a.at - b.at)
  }

  /** Pairs two words with the one that they make: "flower pot" and "flowerpot". */
  #compounds(): void {
    const joined = ({ items }: Reading) =>
      items.flatMap((first, i) => {
        const second = items[i + 1]
        const isPair = second !== undefined && second.at === first.at + 1 && first.weight === 1 && second.weight === 1
        return isPair ? [{ word: first.word + second.word, parts: [first, second] }] : []
      })
    for (const { word, parts } of joined(this.#mine)) {
      const whole = this.#its.items.find((item) => item.word === word && this.#free.has(item))
      if (whole !== undefined) for (const part of parts) this.#pair(part, whole)
    }
    for (const { word, parts } of joined(this.#its)) {
      const isPaired = (item: Item) => this.#pairs.some(({ mine }) => mine === item)
      const whole = this.#mine.items.find((item) => item.word === word && !isPaired(item))
      if (whole !== undefined) for (const part of parts) this.#pair(whole, part)
    }
  }

  /** One of two that are the same may stand for both, but a figure only where no other figure is left for it. */
  #shared({ kind }: Item, same: readonly Item[]): Item | undefined {
    return kind === 'figure' && [...this.#free].some((other) => other.kind === kind) ? undefined : same[0]
  }

  #pair(mine: Item, its: Item): void {
    this.#pairs.push({ mine, its })
    this.#free.delete(its)
    if (mine.measure === undefined || its.measure === undefined) return
    // "90 minutes" is "1.5 hours", the unit with its number.
    const [unit, other] = [counted(this.#mine, mine), counted(this.#its, its)]
    if (unit !== undefined) this.#pairs.push({ mine: unit, its: other ?? its })
    if (other !== undefined) this.#free.delete(other)
  }

  #differ(kind: DifferenceKind, here: string, there?: string, cost: number = COST[kind]): void {
    this.#news += cost
    this.#differences.push({ kind, here, ...(there !== undefined && { there }) })
  }

  /** Looks for what the other text says in place of a word that it has not. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: later questions are asked only if earlier failed
  #look(item: Item): void {
    const free = [...this.#free]
    if (item.kind !== 'content') {
      if (item.isOne && !free.some(({ kind }) => kind === 'figure')) return
      if (item.weight < LEAST_TELLING) return
      const instead = free.find(({ kind }) => kind === item.kind)
      if (instead !== undefined) this.#free.delete(instead)
      return this.#differ(
        item.kind === 'calendar' ? 'time' : (item.kind as 'figure' | 'name'),
        item.text,
        instead?.text,
      )
    }
    const contrary = free.find((other) => other.kind === 'content' && opposite(item.word, other.word))
    if (contrary !== undefined) {
      this.#opposites.push({ mine: item, its: contrary })
      this.#free.delete(contrary)
      return
    }
    const excluded = free.find((other) => other.kind === 'content' && exclude(item.word, other.word))
    if (excluded !== undefined) {
      this.#free.delete(excluded)
      return this.#differ('word', item.text, excluded.text)
    }
    const segment = this.#segmentOf(item)
    const itsWords = segment === undefined ? [] : this.#its.words.slice(...segment.its)
    const turned = itsWords.find((other) => opposite(item.word, other))
    if (turned !== undefined) return this.#differ('opposite', item.text, turned)
    const other = itsWords.find((one) => exclude(item.word, one))
    if (other !== undefined) return this.#differ('word', item.text, other)
    const inPlace = segment && this.#inPlaceIn(segment)
    const others = (inPlace ?? this.#its.items).filter(({ kind }) => kind === 'content')
    let [best, closest]: [Item | undefined, number] = [undefined, 0]
    for (const other of others) {
      const value = this.#alike(item, other)
      if (value > closest) [best, closest] = [other, value]
    }
    if (best !== undefined && closest >= (inPlace === undefined ? SYNONYM : STAND_IN)) return this.#pair(item, best)
    const isChange = CHANGES.has(item.word)
    const there = inPlace?.find(({ weight }) => weight === 1) ?? inPlace?.[0]
    const slot = closest < LIKE && item.weight === 1 ? this.#inRoleOf(item) : undefined
    if (item.weight < 1 && !(inPlace !== undefined && this.#isAlone(item, segment!))) this.#news += item.weight
    else if (slot !== undefined && !isChange && inPlace === undefined) this.#differ('word', item.text, slot.text)
    else if (inPlace !== undefined || isChange) this.#differ(isChange ? 'change' : 'word', item.text, there?.text)
    else {
      const cost = 1 - closest / 2
      this.#likened += closest / 2
      if (this.#alignment.common >= ADDED * this.#mine.words.length) this.#differ('word', item.text, undefined, cost)
      else {
        this.#reworded += cost
        this.#differ('word', item.text, undefined, 0)
      }
    }
  }

  /** Where both texts are of one wording: the stretch of other words that a word stands in. */
  #segmentOf({ at }: Item): Segment | undefined {
    if (!this.#isOneWording) return undefined
    return this.#alignment.segments.find(({ mine: [from, to] }) => from <= at && at < to)
  }

  /** What the other text has in that place. */
  #inPlaceIn({ its: [from, to] }: Segment): readonly Item[] | undefined {
    const items = this.#its.items.filter((item) => this.#free.has(item) && from <= item.at && item.at < to)
    return items.some(({ weight }) => weight === 1) ? items : undefined
  }

  /** What the other text has after the same preposition, and this one has not. */
  #inRoleOf({ tag }: Item): Item | undefined {
    if (tag === undefined || tag === 'of') return undefined
    return [...this.#free].find(
      (other) => other.kind === 'content' && other.tag === tag && other.weight >= LEAST_TELLING,
    )
  }

  /** Whether a word is all that its stretch tells, so that it alone stands for what the other text has there. */
  #isAlone(item: Item, { mine: [from, to] }: Segment): boolean {
    if (item.weight < LEAST_TELLING) return false
    return this.#mine.items.every((other) => other === item || other.at < from || other.at >= to || other.weight === 0)
  }

  /** How alike two words are: by their stems, by what is known of them, or by what they mean. */
  #alike(a: Item, b: Item): number {
    if (isSameMember(a.word, b.word) || isSameSide(a.word, b.word) || synonyms(a.stem, b.stem)) return 1
    const [short, long] = a.stem.length < b.stem.length ? [a.stem, b.stem] : [b.stem, a.stem]
    if (short.length >= 4 && long.startsWith(short.slice(0, Math.max(4, short.length - 1)))) return 0.9
    return Math.max(this.#likeness(a.word, b.word), this.#likeness(a.stem, b.stem))
  }

  /**
   * Function words that stand in for their opposites among words that are the same: "before" for "after", "can" for
   * "must", "any" for a name.
   */
  #functionWords(): void {
    if (!this.#isOneWording) return
    const isItem = ({ items }: Reading, at: number) => items.some((item) => item.at === at && item.kind !== 'person')
    for (const {
      mine: [from, to],
      its: [start, end],
    } of this.#alignment.segments) {
      for (let i = from; i < to; i++) {
        if (isItem(this.#mine, i)) continue
        const word = this.#mine.words[i]
        const against = this.#its.words.slice(start, end).find((other, j) => {
          const excludes = !isItem(this.#its, start + j) && (opposite(word, other) || exclude(word, other))
          return excludes && this.#isOfTheSame(i, start + j)
        })
        if (against !== undefined) this.#differ('word', word, against)
        else if (ME.has(word) && !this.#its.words.some((other) => ME.has(other))) {
          const someone = [...this.#free].find((item) => start <= item.at && item.at < end && item.weight === 1)
          if (someone !== undefined) this.#differ('name', word, someone.text)
        } else if (ANY.has(word)) {
          const special = [...this.#free].find((item) => start <= item.at && item.at < end && item.weight === 1)
          if (special !== undefined) this.#differ('word', word, special.text)
        }
      }
    }
  }

  /**
   * Whether two function words may stand before the same: not where both are before words that the texts have in other
   * places.
   */
  #isOfTheSame(here: number, there: number): boolean {
    const next = ({ items }: Reading, at: number) => items.find((item) => item.at > at && item.kind !== 'person')
    const [mine, its] = [next(this.#mine, here), next(this.#its, there)]
    if (mine === undefined || its === undefined) return true
    const isElsewhere = this.#pairs.some((pair) => pair.mine === mine && pair.its !== its)
    return !(isElsewhere && this.#pairs.some((pair) => pair.its === its && pair.mine !== mine))
  }

  #turned(): void {
    const swapped = roles(this.#pairs, this.#mine, this.#its)
    const isConverse = this.#opposites.some(({ mine: { word } }) => CONVERSE.has(word) || word.endsWith('er'))
    // "Pavel is younger than Marco" is "Marco is older than Pavel", and who bought it from whom is who sold it to whom.
    if (isConverse && (swapped !== undefined || this.#isInverted())) return
    if (swapped !== undefined) this.#differ(swapped.kind, swapped.here, swapped.there)
    for (const { mine: a, its: b } of this.#opposites) {
      if (a.denied === b.denied) this.#differ('opposite', a.text, b.text)
    }
  }

  /** Whether two persons or names come in the other order. */
  #isInverted(): boolean {
    const isNamed = ({ kind }: Item) => kind === 'name' || kind === 'person'
    const named = this.#pairs.filter(({ mine, its }) => isNamed(mine) || isNamed(its))
    return named.some((a) =>
      named.some((b) => a.mine.at < b.mine.at && a.its.at > b.its.at && a.mine.word !== b.mine.word),
    )
  }

  #denied(): void {
    const differing = this.#pairs.filter(({ mine: a, its: b }) => a.denied !== b.denied && a.kind !== 'person')
    if (differing.length === 0 && this.#opposites.length === 0 && this.#mine.denials % 2 !== this.#its.denials % 2) {
      // It denies something that the other does not speak of.
      const only = this.#mine.items.filter(({ denied, kind }) => denied && kind !== 'person')
      const isPaired = (item: Item) => this.#pairs.some(({ mine }) => mine === item)
      if (only.length > 0 && !only.some(isPaired)) return this.#differ('denial', `not ${only[0].text}`)
    }
    if (differing.length === 0 || this.#opposites.some(({ mine: a, its: b }) => a.denied !== b.denied)) return
    const both = this.#pairs.some(({ mine: a, its: b }) => a.denied && b.denied && a.kind !== 'person')
    if (this.#mine.denials % 2 === this.#its.denials % 2 && both) return
    const [{ mine: a, its: b }] = differing
    if (a.denied) this.#differ('denial', `not ${a.text}`, b.text)
    else this.#differ('denial', a.text, `not ${b.text}`)
  }

  /** The figures of what both count. */
  #miscounted(): void {
    for (const { mine: a } of this.#pairs) {
      if (a.kind !== 'figure' || a.counted === undefined) continue
      const others = this.#its.items.filter((item) => item.kind === 'figure' && item.counted === a.counted)
      if (others.length > 0 && !others.some((item) => isSame(item, a))) {
        return this.#differ('figure', `${a.text} ${a.counted}`, `${others[0].text} ${a.counted}`)
      }
    }
  }

  /** Figures of which one text names a bound ("more than two"), and the other not, or the other bound. */
  #misjudged(): void {
    const hasBound = this.#its.words.some((word) => BOUNDING.has(word))
    for (const { mine: a, its: b } of this.#pairs) {
      if (a.kind !== 'figure' || b.kind !== 'figure') continue
      const bound = boundOf(this.#mine, a)
      const other = boundOf(this.#its, b)
      if (bound === undefined || bound === other || (other === undefined && hasBound)) continue
      return this.#differ('figure', `${bound} than ${a.text}`, b.text)
    }
  }

  /** What is still so although the other text says that it changed; what is done already that was still to be done. */
  #notYet(): void {
    const has = ({ words }: Reading, word: string) => words.includes(word)
    if (has(this.#mine, 'still') && !has(this.#its, 'still')) {
      const over = [...this.#free].find(({ kind, word }) => kind === 'content' && CHANGES.has(word))
      if (over !== undefined) this.#differ('change', 'still', over.text)
    }
    if (!has(this.#mine, 'already') || has(this.#its, 'already')) return
    const pending = this.#its.words.find((word) => PENDING.has(word))
    if (pending !== undefined && !has(this.#mine, pending)) this.#differ('change', 'already', pending)
  }
}

function share(some: readonly Item[], all: readonly Item[]): number {
  const weigh = (items: readonly Item[]) => items.reduce((sum, { weight }) => sum + weight, 0)
  return all.length === 0 || weigh(all) === 0 ? 0 : weigh(some) / weigh(all)
}

/** The unit that is a word of its own after a figure. */
function counted({ items }: Reading, { at }: Item): Item | undefined {
  return items.find((item) => item.at === at + 1 && unitOf(item.word) !== undefined)
}

/** The bound that a figure is: `more` in "more than two" and "over two", `less` in "fewer than two" and "under two". */
function boundOf({ words }: Reading, { at }: Item): string | undefined {
  const [first, second] = [words[at - 2], words[at - 1]]
  if (second === 'than') return first === 'more' ? 'more' : first === 'less' || first === 'fewer' ? 'less' : undefined
  if (second === 'over' || second === 'above') return 'more'
  return second === 'under' || second === 'below' ? 'less' : undefined
}

function isSame(a: Item, b: Item): boolean {
  if (a.kind === 'figure' || b.kind === 'figure') {
    if (a.measure !== undefined && b.measure !== undefined) return sameMeasure(a.measure, b.measure)
    return a.kind === b.kind && sameFigure(a.word, b.word)
  }
  if (a.kind === 'person' || b.kind === 'person') return a.kind === b.kind && a.word === b.word
  return a.word === b.word || (a.stem === b.stem && (a.kind === 'name') === (b.kind === 'name'))
}

/** Who does it and whom it is done to, the other way round. */
function roles(pairs: readonly Pair[], mine: Reading, its: Reading): Difference | undefined {
  const arguing = pairs.filter(
    ({ mine: { kind, weight, word } }) =>
      kind !== 'figure' && kind !== 'calendar' && (weight === 1 || kind === 'person') && !PREPOSITIONS.has(word),
  )
  for (const [i, a] of arguing.entries()) {
    for (const b of arguing.slice(i + 1)) {
      if (a.its === b.its || a.mine.word === b.mine.word) continue
      const [first, second] = a.mine.at < b.mine.at ? [a, b] : [b, a]
      if (isTurned(first, second, pairs, mine, its)) {
        const [here, there] = [`${first.mine.text} … ${second.mine.text}`, `${second.its.text} … ${first.its.text}`]
        return { kind: 'roles', here, there }
      }
    }
  }
  return crossed(pairs, mine, its)
}

function isTurned(first: Pair, second: Pair, pairs: readonly Pair[], mine: Reading, its: Reading): boolean {
  const [tagA, tagB, wasA, wasB] = [first.mine.tag, second.mine.tag, first.its.tag, second.its.tag]
  if (tagA !== tagB && tagA === wasB && tagB === wasA && tagA !== 'by' && tagB !== 'by') return true
  const isInverted = second.its.at < first.its.at
  if (!isInverted) return tagB === 'by' && wasB === undefined && tagA === wasA && mine.isPassive && !its.isPassive
  if ([tagA, tagB, wasA, wasB].some((tag) => tag !== undefined) || mine.isPassive !== its.isPassive) return false
  if (first.mine.clause !== second.mine.clause || first.its.clause !== second.its.clause) return false
  const isBetween = ({ at }: Item, from: Item, to: Item) => from.at < at && at < to.at
  return pairs.some(
    ({ mine: v, its: w }) =>
      v.kind === 'content' && isBetween(v, first.mine, second.mine) && isBetween(w, second.its, first.its),
  )
}

/** Two clauses each of which has something of both clauses of the other text: what belongs together changed. */
function crossed(pairs: readonly Pair[], mine: Reading, its: Reading): Difference | undefined {
  if (mine.clauses !== its.clauses || mine.clauses < 2) return undefined
  const isSingle = (stem: string) => its.items.filter((other) => other.stem === stem).length === 1
  const telling = pairs.filter(({ mine: { weight, stem } }) => weight >= LEAST_TELLING && isSingle(stem))
  const mixed = new Set<number>()
  let shown: readonly [Pair, Pair] | undefined
  for (const a of telling) {
    for (const b of telling) {
      if (a.mine.clause !== b.mine.clause || a.its.clause >= b.its.clause) continue
      mixed.add(a.mine.clause)
      shown = [a, b]
    }
  }
  if (mixed.size < 2 || shown === undefined) return undefined
  return { kind: 'roles', here: `${shown[0].mine.text} … ${shown[1].mine.text}` }
}
