import { term, tokens } from '../../encoding/tokens.js'
import { type Figure, figuresOf } from './figures.js'
import { type Measure, unitOf } from './units.js'
import {
  AFTER_DENIAL,
  APOSTROPHES,
  CALENDAR,
  CASUAL,
  DENIALS,
  ENDINGS,
  isGrouped,
  isPhatic,
  LIGHT,
  list,
  OPENERS,
  phrasal,
  phrased,
} from './words.js'

/** What kind of thing a word names: only words of one kind are compared. */
export type Kind = 'figure' | 'name' | 'calendar' | 'person' | 'content'

/** A word that says something. */
export interface Item {
  readonly kind: Kind
  /** How it stands in the text. */
  readonly text: string
  /** Folded; of a figure its value, of a day or month its full name, of a person `i`, `he`, `she` or `they`. */
  readonly word: string
  /** Its stem. */
  readonly stem: string
  /** How much it tells, 0 to 1. */
  readonly weight: number
  /** Its place among all words of the text. */
  readonly at: number
  readonly clause: number
  /** Whether a word before it in its clause denies it. */
  readonly denied: boolean
  /** The preposition before it, with nothing but articles and the like between. */
  readonly tag: string | undefined
  /** The stem of the word after a figure: what is counted. */
  readonly counted?: string
  /** Of a figure: its number in the unit after it, where that is known. */
  readonly measure?: Measure
  readonly isOne?: boolean
}

/** A text, taken apart to be compared with another one. */
export interface Reading {
  readonly items: readonly Item[]
  readonly clauses: number
  readonly denials: number
  readonly isPassive: boolean
  /**
   * All words in order, folded, function words included; figures by their values. An item is found by its place `at`.
   */
  readonly words: readonly string[]
  /** How much of it is worth remembering: the weights of what is no small talk. */
  readonly telling: number
}

const RUN = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/gu
/** Ends a clause, between two words. An apostrophe, a hyphen or a slash does not. */
const PARTS = /[.,;:!?…()[\]{}"“”–—\n]/u
const ENDS = /[.!?…\n]/u
const JOINS = list('and but while whereas because although though so if when who which since unless then')
/** Words that say how what follows stands to the rest. */
export const PREPOSITIONS = list(`
  to from by for with without than of in into on onto off at against over under before after near behind beside between
  through until about as inside outside
`)
const ARTICLES = list(`
  dr mr mrs ms prof a an the this that these those his her its their our your my mine some any each every both
`)
const PERSONS: Readonly<Record<string, string>> = {
  i: 'i',
  me: 'i',
  my: 'i',
  mine: 'i',
  myself: 'i',
  we: 'i',
  us: 'i',
  our: 'i',
  ours: 'i',
  he: 'he',
  him: 'he',
  his: 'he',
  she: 'she',
  her: 'she',
  hers: 'she',
  they: 'they',
  them: 'they',
  their: 'they',
}
/** Whose something is. */
const OWNING = list('my mine our ours his hers their')
const BE = list('is are was were be been being am get gets got')
const NOT_A_NAME = list('i ok okay tv pc am pm')

const LIGHT_WEIGHT = 0.15
const GROUPED_WEIGHT = 0.35
const PHATIC_WEIGHT = 0.5

/** A name after a comma, at the end of a sentence: "Stand by, Jim." */
const LAST_NAME = /,\s+(\p{Lu}\p{Ll}+)(?=[.!?…]|\s*$)/gu

/** Takes a text apart. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a word means something by those before it
export function read(text: string): Reading {
  const whole = phrased(text.normalize('NFC'))
  const lower = whole.toLowerCase()
  const figures = figuresOf(lower.length === whole.length ? lower : whole)
  const items: Item[] = []
  const order: string[] = []
  let [clause, denials, figure, end] = [0, 0, 0, 0]
  let [isDenied, isFirst] = [false, true]
  const newClause = () => {
    if (items.at(-1)?.clause === clause) clause++
    isDenied = false
  }
  const runs = [...whole.matchAll(RUN)]
  const lastNames = new Set(
    [...whole.matchAll(LAST_NAME)].map(({ 0: { length }, 1: name, index }) => index + length - name.length),
  )
  /** The places of names that may only be spoken to. */
  const called = new Set<number>()
  const isAllCapitals = !/\p{Ll}/u.test(whole)
  for (const { 0: raw, index } of runs) {
    const between = whole.slice(end, index)
    const inFigure = figure > 0 && index < figures[figure - 1].to
    end = index + raw.length
    if (inFigure) continue
    if (PARTS.test(between)) newClause()
    if (ENDS.test(between)) isFirst = true
    if (figures[figure]?.from !== undefined && index >= figures[figure].from) {
      items.push(toItem(figures[figure], order, clause, isDenied))
      order.push(figures[figure].value)
      figure++
      isFirst = false
      continue
    }
    const isName = !isFirst && !isAllCapitals && /^\p{Lu}/u.test(raw)
    isFirst = false
    // A pictograph says how something is meant.
    if (/^\p{Extended_Pictographic}|^\p{Regional_Indicator}/u.test(raw) && !/^\p{N}/u.test(raw)) continue
    for (const token of tokens(APOSTROPHES.get(raw.toLowerCase()) ?? raw)) {
      const word = token.replace(/'s$/, '')
      order.push(word)
      if (JOINS.has(word)) newClause()
      if (DENIALS.has(word)) {
        denials++
        isDenied = true
        continue
      }
      if (isDenied && AFTER_DENIAL.has(word)) continue
      const item = itemOf(word, raw, { isName, isDenied, clause, order, isAllCapitals })
      if (item !== undefined) items.push(item)
      if (item?.kind === 'name' && lastNames.has(index)) called.add(item.at)
      if (ENDINGS.has(word) || (word === 'up' && /^g[ai]v/.test(order.at(-2) ?? ''))) {
        denials++
        isDenied = true
      }
    }
  }
  tagOn(items)
  join(items, order)
  lighten(items)
  address(items, order, called)
  link(items)
  return {
    items,
    clauses: clause + 1,
    denials,
    words: order,
    isPassive: order.some((word, i) => BE.has(word) && order.slice(i + 1, i + 4).some(isParticiple)),
    telling: tellingOf(items, order),
  }
}

/** Nouns and adjectives that are written like contractions without their apostrophe: "shed" is not "she'd". */
const LIKE_CONTRACTIONS = list('shed shell hell ill wed')

/** Whether a word is only written like a contraction. */
function isMisread(word: string, raw: string): boolean {
  return LIKE_CONTRACTIONS.has(word) && !/['’]/.test(raw)
}

/** Where a word stands. */
interface Place {
  readonly isName: boolean
  readonly isDenied: boolean
  readonly isAllCapitals: boolean
  readonly clause: number
  /** The words up to it. */
  readonly order: readonly string[]
}

/** Whether a word may be a past participle. */
function isParticiple(word: string): boolean {
  return /(?:ed|en|n|t)$/.test(word) && term(word) !== undefined
}

function itemOf(word: string, raw: string, place: Place): Item | undefined {
  const { isName, isDenied, isAllCapitals, clause, order } = place
  const at = order.length - 1
  const common = { text: raw, at, clause, denied: isDenied, tag: /['’]s$/.test(raw) ? 'of' : tagOf(order) }
  if (Object.hasOwn(PERSONS, word)) {
    const person = PERSONS[word]
    return { ...common, kind: 'person', word: person, stem: person, weight: 0, ...(OWNING.has(word) && { tag: 'of' }) }
  }
  const day = CALENDAR.get(word)
  // "may", "march" and "sun" are words as well: only as names are they a time.
  if (day !== undefined && (isName || !['may', 'march', 'mar', 'sun', 'sat'].includes(word))) {
    return { ...common, kind: 'calendar', word: day, stem: day, weight: 1 }
  }
  if (word === 'may' && isName) return { ...common, kind: 'calendar', word: 'may', stem: 'may', weight: 1 }
  // A capital alone names one of several: "sample C", and "sample A" but at the beginning of a sentence.
  if (/^[B-HJ-Z]$/.test(raw) || (raw === 'A' && isName && !isAllCapitals)) {
    return { ...common, kind: 'name', word, stem: word, weight: 1 }
  }
  const stem = term(word) ?? (isMisread(word, raw) ? word : undefined)
  if (stem === undefined) return undefined
  if (isName && !NOT_A_NAME.has(word)) return { ...common, kind: 'name', word, stem, weight: 1 }
  const weight = LIGHT.has(word) ? LIGHT_WEIGHT : isGrouped(word) ? GROUPED_WEIGHT : isPhatic(word) ? PHATIC_WEIGHT : 1
  return { ...common, kind: 'content', word, stem, weight }
}

function toItem({ text, value, unit, isOne }: Figure, order: readonly string[], clause: number, denied: boolean): Item {
  const measure = measured(value, unit)
  return {
    kind: 'figure',
    text,
    word: value,
    stem: value,
    weight: 1,
    at: order.length,
    clause,
    denied,
    isOne,
    tag: tagOf([...order, '#']),
    ...(measure && { measure }),
  }
}

/** A number in its unit. */
function measured(value: string, word: string | undefined): Measure | undefined {
  const unit = word === undefined ? undefined : unitOf(word)
  if (unit === undefined || Number.isNaN(Number(value))) return undefined
  return { dimension: unit.dimension, value: Number(value) * unit.factor }
}

/** The preposition before the last word. */
function tagOf(order: readonly string[]): string | undefined {
  for (let i = order.length - 2; i >= 0 && i >= order.length - 5; i--) {
    if (PREPOSITIONS.has(order[i])) return order[i]
    if (!ARTICLES.has(order[i])) return undefined
  }
  return undefined
}

/** Gives the preposition of a name to the word after it: "at the Lindenhof school". */
function tagOn(items: Item[]): void {
  items.forEach((item, i) => {
    const before = items[i - 1]
    if (before?.kind !== 'name' || before.tag === undefined || before.tag === 'of' || before.at !== item.at - 1) return
    if (item.kind === 'content' && item.clause === before.clause) items[i] = { ...item, tag: before.tag }
  })
}

/** Joins verbs with the words that make them mean something else: "called the party off". */
function join(items: Item[], order: readonly string[]): void {
  order.forEach((verb, at) => {
    for (let next = at + 1; next <= at + 3 && next < order.length; next++) {
      const meant = phrasal(verb, order[next])
      if (meant === undefined) continue
      const found = items.findIndex((item) => item.at === at)
      const clause = items.findLast((item) => item.at < at)?.clause ?? 0
      const none = { kind: 'content' as const, text: verb, at, clause, denied: false, tag: undefined }
      const rest = found < 0 ? none : items[found]
      const text = `${rest.text} ${order[next]}`
      const item: Item = { ...rest, text, word: meant, stem: term(meant) ?? meant, weight: 1 }
      if (found < 0) items.splice(items.findLastIndex((other) => other.at < at) + 1, 0, item)
      else items[found] = item
      return
    }
  })
}

/** An ending that denies something says no more of its own. */
function lighten(items: Item[]): void {
  items.forEach((item, i) => {
    const denies = ({ clause, kind }: Item, j: number) => j > i && clause === item.clause && kind !== 'person'
    if (ENDINGS.has(item.word) && items.some(denies)) items[i] = { ...item, weight: LIGHT_WEIGHT }
  })
}

/**
 * A name at the end of a sentence is only spoken to, where the text begins with an interjection or says nothing else:
 * "Roger. Charging the battery, Fred." Elsewhere it may be what the sentence tells: "It is my sister, Anna."
 */
function address(items: Item[], order: readonly string[], called: ReadonlySet<number>): void {
  items.forEach((item, i) => {
    if (!called.has(item.at) || items[i - 1]?.kind === 'name') return
    const tellsElse = items.some(
      (other) => other !== item && other.weight === 1 && !CASUAL.has(other.word) && !called.has(other.at),
    )
    if (OPENERS.has(order[0]) || !tellsElse) items[i] = { ...item, weight: LIGHT_WEIGHT }
  })
}

/** Gives each figure what it counts: the word after it. */
function link(items: Item[]): void {
  items.forEach((item, i) => {
    const next = items[i + 1]
    if (item.kind !== 'figure' || next === undefined || next.kind !== 'content' || next.at !== item.at + 1) return
    const measure = item.measure ?? measured(item.word, next.word)
    items[i] = { ...item, counted: next.stem, ...(measure && { measure }) }
  })
}

/** What of a text is no small talk. After a greeting a name is only spoken to. */
function tellingOf(items: readonly Item[], order: readonly string[]): number {
  const isTelling = ({ kind, word, weight }: Item) =>
    kind !== 'person' && !isPhatic(word) && !CASUAL.has(word) && weight > LIGHT_WEIGHT
  const telling = items.filter(isTelling)
  const isNamed = telling.every(({ kind }) => kind === 'name') && telling.length <= 2
  if (isNamed && order.length > 0 && OPENERS.has(order[0])) return 0
  return telling.filter(({ kind, isOne }) => !(kind === 'figure' && isOne)).reduce((sum, { weight }) => sum + weight, 0)
}
