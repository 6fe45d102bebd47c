import type { Entity, NamedTime } from '../../api/extractor.js'
import { FEMALE_NAMES, MALE_NAMES, ORGANISATIONS, OTHER_FIRST_NAMES, PEOPLES, PLACES } from './gazetteer.js'
import { isCapital, type Token } from './token.js'
import { ANIMALS, type Gender, genderOf, INTERJECTIONS, RELATION_NOUNS, TITLES, words } from './words.js'

/** Last words of names of organisations and of places, and first words. */
const ORGANISATION_ENDS = words(`
  inc inc. ltd ltd. corp corp. llc gmbh ag plc co. company corporation group bank university college school academy
  hospital clinic institute association council foundation airlines airways motors party ministry department agency
  times post fc orchestra church committee commission union nations army police team club society federation league
  studios records pictures press news network labs laboratories technologies systems software partners bakery café
  cafe restaurant hotel court parliament senate authority office museum gallery band choir trust firm startup
  singers ends`)
const ORGANISATION_STARTS = words('university bank ministry department institute college school federal national royal')
const PLACE_ENDS = words(`
  street road avenue lane drive park beach lake river mountain mountains island islands airport square bridge tower
  valley hill hills bay station castle cathedral stadium city county desert ocean sea falls forest garden gardens
  palace plaza village town district province region coast canyon`)
const PLACE_STARTS = words(
  'mount mt mt. lake river port fort san santa los las cape gulf saint northern southern eastern western',
)
/** Nouns behind "a" or "the" that tell what a name is: "Lumen, a startup". */
const ORGANISATION_KINDS = words(`
  company startup firm bank band choir club team school university organisation organization charity newspaper
  magazine restaurant bakery café cafe shop store hotel agency group party hospital gym clinic studio`)
const PLACE_KINDS = words(`
  city town village country island region suburb district river lake mountain capital state neighbourhood
  neighborhood beach place`)
const kindOfNoun = (noun: string): string | undefined =>
  ORGANISATION_KINDS.has(noun) ? 'organisation' : PLACE_KINDS.has(noun) ? 'place' : undefined
/** Capitalised words that name nothing, beside interjections. */
const NO_NAMES = words(`
  ceo cto cfo coo ai api gps usb suv rv iq bbq faq url lgbtq
  i please god merry christmas easter halloween thanksgiving eve tv dj diy dna pc cv phd am pm tea coffee work lunch
  dinner breakfast mom mum dad grandma grandpa mommy daddy mama papa granny auntie sir madam internet english wifi
  asap idk imo fyi lmao ty np ww2 dr mr mrs ms monday tuesday wednesday thursday friday saturday sunday mondays
  tuesdays wednesdays thursdays fridays saturdays sundays january february march april may june july august
  september october november december police water everything everyone everybody something someone nothing nobody`)
const PLACE_BEFORE = words('in downtown near across through around throughout toward towards into between')
const MOVING = words('move go travel fly drive come return head visit trip leave emigrate relocate back sail walk')
const ORGANISATION_BEFORE = words('at for join')

interface Run {
  readonly first: number
  readonly end: number
}

/** Finds the entities of a sentence: names, times, figures and amounts of money. */
export class Names {
  readonly found: Entity[] = []
  /** The type of each name found, in lower case. */
  private readonly types = new Map<string, string>()

  /** @param known the names of speakers, in lower case */
  constructor(
    private readonly text: string,
    private readonly known: ReadonlySet<string>,
  ) {}

  /** Names the entities of a sentence; those of earlier sentences help to tell the types. */
  read(tokens: readonly Token[]): void {
    for (let at = 0; at < tokens.length; ) {
      const run = runAt(tokens, at)
      if (run === undefined) {
        at = this.amount(tokens, at)
        continue
      }
      const type = this.typeOf(tokens, run)
      if (type !== undefined) this.add(tokens, run, type, type.score)
      at = run.end
    }
  }

  times(times: readonly NamedTime[]): void {
    for (const { text, from, to, start, end } of times) {
      const day = Date.parse(end) - Date.parse(start) >= 86_400_000
      const type = day || DATE_WORD.test(text) ? 'date' : 'time'
      this.found.push({ text, type, from, to, score: 0.9 })
    }
  }

  /** What a name says of whom it names; `undefined` for a place or an organisation. */
  gender(name: string): Gender | undefined {
    const lower = name.toLowerCase()
    const first = lower.split(' ').find((word) => !TITLES.has(word.replace('.', ''))) ?? lower
    if (this.types.get(lower) !== 'person' && !this.known.has(lower)) return undefined
    const title = genderOf(lower.split(' ')[0].replace('.', ''))
    if (title === 'female' || title === 'male') return title
    if (FEMALE_NAMES.has(first) && !MALE_NAMES.has(first)) return 'female'
    return MALE_NAMES.has(first) && !FEMALE_NAMES.has(first) ? 'male' : 'person'
  }

  private add(tokens: readonly Token[], { first, end }: Run, { type }: Typed, score: number): void {
    const from = tokens[first].from
    const to = tokens[end - 1].to
    const text = this.text.slice(from, to)
    this.types.set(text.toLowerCase(), type)
    for (const word of type === 'person' ? text.toLowerCase().split(' ') : [])
      if (!this.types.has(word) && !TITLES.has(word.replace('.', ''))) this.types.set(word, type)
    this.found.push({ text, type, from, to, score })
  }

  private typeOf(tokens: readonly Token[], run: Run): Typed | undefined {
    const words = tokens.slice(run.first, run.end).map(({ lower }) => lower)
    const name = words.join(' ').replaceAll(" 's", "'s")
    if (words.length === 1 && (NO_NAMES.has(name) || INTERJECTIONS.has(name) || PEOPLES.has(name))) return undefined
    return this.listed(words, name, tokens, run) ?? this.shaped(words, tokens[run.first]) ?? this.placed(tokens, run)
  }

  /** By the lists: speakers, titles, places, organisations, first names. */
  private listed(
    words: readonly string[],
    name: string,
    tokens: readonly Token[],
    { first, end }: Run,
  ): Typed | undefined {
    if (this.known.has(name)) return typed('person', 0.95)
    if (TITLES.has(words[0].replace('.', '')) && words.length > 1) return typed('person', 0.95)
    const relation = relationBefore(tokens, first)
    if (relation !== undefined) return typed(ANIMALS.has(relation) ? 'animal' : 'person', 0.9)
    const before = tokens[first - 1]?.lower ?? ''
    const firstName = FEMALE_NAMES.has(words[0]) || MALE_NAMES.has(words[0]) || OTHER_FIRST_NAMES.has(words[0])
    const isPlace = PLACES.has(name)
    if (ORGANISATIONS.has(name)) return typed('organisation', 0.85)
    if (ORGANISATION_ENDS.has(words.at(-1)!) && words.length > 1) return typed('organisation', 0.85)
    if (isPlace && firstName)
      return typed(PLACE_BEFORE.has(before) || /^(?:to|from|at)$/.test(before) ? 'place' : 'person', 0.7)
    // "Oxford" of "studied at Oxford" is the university.
    if (isPlace) return before === 'at' && words.length === 1 ? typed('organisation', 0.6) : typed('place', 0.9)
    if (firstName && !(words.length > 1 && PLACE_ENDS.has(words.at(-1)!)))
      return typed('person', tokens[end]?.lower === "'s" ? 0.85 : 0.9)
    return undefined
  }

  /** By first and last words, and by capitals. */
  private shaped(words: readonly string[], token: Token): Typed | undefined {
    const last = words.at(-1)!
    if (words.length > 1 && PLACE_ENDS.has(last)) return typed('place', 0.85)
    if (words.length > 1 && PLACE_STARTS.has(words[0])) return typed('place', 0.8)
    if (words.length > 1 && ORGANISATION_STARTS.has(words[0])) return typed('organisation', 0.8)
    if (words.length === 1 && /^[A-Z]{2,5}$/.test(token.text)) return typed('organisation', 0.6)
    const seen = this.types.get(words.join(' '))
    return seen === undefined ? undefined : typed(seen, 0.8)
  }

  /** By what stands around it. */
  private placed(tokens: readonly Token[], run: Run): Typed | undefined {
    const { first, end } = run
    const article = tokens[first - 1]?.lower === 'the'
    const preposition = tokens[article ? first - 2 : first - 1]
    const kind = kindAround(tokens, first, end)
    if (kind !== undefined) return typed(kind, 0.75)
    const lower = preposition?.lower ?? ''
    if (PLACE_BEFORE.has(lower) || preposition?.lemma === 'visit') return typed('place', 0.7)
    if (ORGANISATION_BEFORE.has(preposition?.lemma ?? '')) return typed('organisation', 0.6)
    if (lower === 'to' || lower === 'from')
      return typed(lower === 'from' || MOVING.has(verbBefore(tokens, first) ?? '') ? 'place' : 'person', 0.6)
    if (article) return undefined
    return /^(?:by|with)$/.test(lower) ? typed('person', 0.7) : acting(tokens, run)
  }

  /** Money and figures; the next token to look at. */
  private amount(tokens: readonly Token[], at: number): number {
    const sign = /^[$€£]$/.test(tokens[at].text)
    let end = sign ? at + 1 : at
    while (tokens[end]?.tag === 'NUM') end++
    if (end === (sign ? at + 1 : at)) return at + 1
    const unit = UNITS.test(tokens[end]?.lower ?? '')
    if (sign || unit) this.push(tokens, at, unit ? end + 1 : end, 'money')
    else if (tokens[end]?.text === '%') this.push(tokens, at, end + 1, 'percent')
    else this.push(tokens, at, end, 'number')
    return Math.max(at + 1, end)
  }

  private push(tokens: readonly Token[], first: number, end: number, type: string): void {
    const from = tokens[first].from
    const to = tokens[end - 1].to
    this.found.push({ text: this.text.slice(from, to), type, from, to, score: 0.9 })
  }
}

interface Typed {
  readonly type: string
  readonly score: number
}
const typed = (type: string, score: number): Typed => ({ type, score })

/** Who does something or has something is a person, where nothing says otherwise. */
function acting(tokens: readonly Token[], { first, end }: Run): Typed | undefined {
  const before = tokens[first - 1]
  const after = tokens[end]
  // A single word at the start of a sentence needs a sign that it is a name.
  const opens = first === 0 || /^[.!?"(]$/.test(before?.text ?? '')
  const acts =
    after !== undefined && (/^(?:VERB|AUX)$/.test(after.tag) || after.lower === "'s" || after.lower === 'and')
  if (acts) return typed('person', 0.7)
  if (opens) return undefined
  if (end - first === 2 || after?.text === ',') return typed('person', 0.6)
  return before?.tag === 'VERB' ? typed('person', 0.5) : undefined
}

const UNITS = /^(?:dollars?|euros?|pounds?|cents?|bucks?|quid|francs?|yen|rupees?|pesos?)$/
const DATE_WORD =
  /day\b|week|month|year|\d{4}|january|february|march|april|may|june|july|august|september|october|november|december/i

/** A run of words with capitals that names something. */
function runAt(tokens: readonly Token[], first: number): Run | undefined {
  if (!isNameWord(tokens, first, true)) return undefined
  let end = first + 1
  for (;;) {
    if (isNameWord(tokens, end, false)) end++
    else if (
      /^(?:of|de|von|van|del|da|di|le|la|al|bin|&)$/.test(tokens[end]?.lower ?? '') &&
      isNameWord(tokens, end + 1, false)
    ) {
      // "Bank of England"; "mayor of Chicago" has a small head and is none.
      if (tokens[end].lower === 'of' && !OF_NAMES.has(tokens[end - 1].lower)) break
      end += 2
    } else if (
      tokens[end]?.lower === "'s" &&
      isNameWord(tokens, end + 1, false) &&
      /^(?:st\.?|saint)$/.test(tokens[first].lower)
    )
      end += 2
    else break
  }
  if (tokens[end]?.lower === "'s" && tokens[end].tag === 'PART' && endsName(tokens, first, end)) end++
  return { first, end }
}

const OF_NAMES = words(
  'university bank college institute city isle gulf cape bay kingdom republic house ministry department united',
)

/** "At Luigi's": nothing follows that could be had. */
function endsName(tokens: readonly Token[], first: number, end: number): boolean {
  const after = tokens[end + 1]
  return tokens[first - 1]?.lower === 'at' && (after === undefined || !/^(?:NOUN|ADJ|PROPN)$/.test(after.tag))
}

function isNameWord(tokens: readonly Token[], at: number, first: boolean): boolean {
  const token = tokens[at]
  if (token === undefined || token.tag === 'TIME') return false
  if (!isCapital(token)) return first && token.tag === 'PROPN' && /^e[A-Z]/.test(token.text)
  if (token.tag === 'PROPN') return token.text !== 'I'
  // "New York City", "European Central Bank": a capital inside a sentence.
  if (/^(?:NOUN|ADJ|VERB|ADV)$/.test(token.tag) && at > 0 && !/^[.!?"(:]$/.test(tokens[at - 1].text))
    return !first || (token.tag !== 'ADV' && tokens[at + 1]?.tag === 'PROPN' && isCapital(tokens[at + 1]))
  // "European Central Bank" at the start.
  const next = tokens[at + 1]
  return first && /^(?:ADJ|NOUN)$/.test(token.tag) && next?.tag === 'PROPN' && isCapital(next)
}

/** The noun of relation right before a name: "my sister Lena". */
function relationBefore(tokens: readonly Token[], first: number): string | undefined {
  const at = tokens[first - 1]?.text === ',' ? first - 2 : first - 1
  const noun = tokens[at]
  return noun !== undefined && noun.tag === 'NOUN' && RELATION_NOUNS.has(noun.lemma) ? noun.lemma : undefined
}

/** What "a startup called X", "X, a thai place" and "X is a town" say of X. */
function kindAround(tokens: readonly Token[], first: number, end: number): string | undefined {
  const before = tokens[first - 1]?.lower === 'the' ? first - 2 : first - 1
  if (/^(?:called|named)$/.test(tokens[before]?.lower ?? '')) return kindOf(tokens[before - 1]) ?? undefined
  if (tokens[before]?.tag === 'NOUN') {
    const kind = kindOfNoun(tokens[before].lemma)
    if (kind !== undefined) return kind
  }
  const mark = tokens[end]
  if (mark === undefined || !(mark.text === ',' || mark.lemma === 'be')) return undefined
  let at = end + 1
  if (!/^(?:an?|the|our|my|his|her|their)$/.test(tokens[at]?.lower ?? '')) return undefined
  while (tokens[at] !== undefined && tokens[at].tag !== 'NOUN' && at < end + 5) at++
  while (tokens[at + 1]?.tag === 'NOUN') at++
  return kindOf(tokens[at])
}

function kindOf(token: Token | undefined): string | undefined {
  if (token === undefined || token.tag !== 'NOUN') return undefined
  return kindOfNoun(token.lemma) ?? (genderOf(token.lemma) === undefined ? undefined : 'person')
}

function verbBefore(tokens: readonly Token[], first: number): string | undefined {
  return tokens.slice(0, first).findLast(({ tag, lemma }) => tag === 'VERB' || lemma === 'trip')?.lemma
}
