import type { Observation } from '../src/api/episode.js'
import { term, tokens } from '../src/encoding/tokens.js'
import { SIGNATURE_BYTES } from '../src/kernel/port.js'
import { drawn, seeded, shuffled } from './random.js'

/** How a conversation is grown. */
export interface GrowthOptions {
  /** Default 1. */
  readonly seed?: number
  /** The mean share of a text's content words that are exchanged for others. Default 0.3. */
  readonly exchanged?: number
  /** Share of the texts that begin as one utterance and end as another. Default 0.5. */
  readonly spliced?: number
  /** Turns a session, about. Default 100. */
  readonly sessionTurns?: number
}

/** The session to which one turn in a hundred belongs, in chunks as long as the other sessions. */
export const STANDING_SESSION = 'session standing'

const START = Date.UTC(2020, 0, 1)
const HOUR = 3_600_000
/** As often as a newcomer speaks, in turns of the source. */
const NEWCOMER = 20

/**
 * As many observations as are wanted out of a real conversation, the same every time for a seed. Each is an utterance
 * of the source: of two with as many words, where it is spliced; with some of its content words exchanged for others,
 * drawn by how often they were said so far; and with the digits of its numbers drawn again. Where a conversation of
 * this length would have more distinct stems by Heaps' law, fitted to the source, a word is coined from the halves of
 * two (Simon's process of 1955, steered). Two to five speakers a session, times ascending, hours between sessions.
 *
 * What is lost: sense, and the runs of one subject. What is kept, as `npm run bench:speed -- --only growth` prints: how
 * many words a text has, how many there are to know, how often a text is said again, and how alike signatures are.
 */
export function* grown(
  source: readonly Observation[],
  count: number,
  options: GrowthOptions = {},
): Generator<Observation> {
  const { seed = 1, exchanged = 0.3, spliced = 0.5, sessionTurns = 100 } = options
  const random = seeded(seed)
  const words = new Words(source, random)
  const utterances = new Utterances(source)
  // As often as they speak.
  const people = source.map(({ speaker }) => speaker ?? 'Speaker')
  let [at, session, turns, chunk] = [START, '', 0, 0]
  let present: string[] = []
  for (let i = 0; i < count; i++) {
    if (turns === 0) {
      session = chunk % 100 === 0 ? STANDING_SESSION : `session ${chunk}`
      turns = chunk % 100 === 0 ? sessionTurns : Math.round(sessionTurns * (0.5 + random()))
      present = Array.from({ length: 1 + Math.floor(4 * random()) }, () => drawn(people, random))
      // Somebody new in every tenth session, who comes back as others do.
      if (chunk++ % 10 === 0) people.push(...Array<string>(NEWCOMER).fill(capital(words.coined())))
      present.push(drawn(people, random))
      at += 4 * HOUR * random()
    }
    turns--
    at += 60_000 * random()
    const text = utterances.next(random, spliced)
    // Few texts are changed much and many little, of mean 1: some are said again as they were.
    const rate = exchanged * 3 * random() ** 2
    yield { text: words.exchange(text, rate), speaker: drawn(present, random), session, at: new Date(at).toISOString() }
  }
}

/** A text with some of its content words exchanged for others of the source: like it, but not the same. */
export function perturbation(source: readonly Observation[], seed = 2): (text: string, rate: number) => string {
  const words = new Words(source, seeded(seed))
  return (text, rate) => words.exchange(text.split(' '), rate)
}

/** The utterances of a source, by how many words they have. */
class Utterances {
  readonly #texts: string[][]
  readonly #byLength = new Map<number, string[][]>()

  constructor(source: readonly Observation[]) {
    this.#texts = source.map(({ text }) => text.split(/\s+/))
    for (const text of this.#texts) {
      const alike = this.#byLength.get(text.length)
      if (alike === undefined) this.#byLength.set(text.length, [text])
      else alike.push(text)
    }
  }

  /** One of them, or the beginning of one and the end of another. */
  next(random: () => number, spliced: number): string[] {
    const first = drawn(this.#texts, random)
    if (random() >= spliced) return first
    const second = drawn(this.#byLength.get(first.length)!, random)
    const cut = Math.floor(random() * (first.length + 1))
    return [...first.slice(0, cut), ...second.slice(cut)]
  }
}

/** What was said so far, word for word, content words and numbers alone. */
class Words {
  readonly #random: () => number
  readonly #said: string[] = []
  readonly #numbers: string[] = []
  readonly #heaps: { readonly factor: number; readonly power: number }
  /** In what was grown, where they count from nothing. */
  #count = 0
  readonly #kinds = new Set<string>()
  readonly #stems = new Map<string, string | undefined>()

  constructor(source: readonly Observation[], random: () => number) {
    this.#random = random
    const kinds = new Set<string>()
    let [count, half] = [0, { count: 0, kinds: 0 }]
    source.forEach(({ text }, i) => {
      for (const word of text.split(/\s+/)) {
        const { core } = parted(word)
        const stem = this.#stem(core)
        if (stem === undefined) continue
        this.#pool(core).push(core)
        kinds.add(stem)
        count++
      }
      if (i === source.length >> 1) half = { count, kinds: kinds.size }
    })
    // Distinct stems = factor · words ^ power, through the half and the whole of the source.
    const power = Math.log(kinds.size / half.kinds) / Math.log(count / half.count)
    this.#heaps = { factor: kinds.size / count ** power, power }
  }

  exchange(text: readonly string[], rate: number): string {
    return text
      .map((word) => {
        const { before, core, after } = parted(word)
        if (this.#stem(core) === undefined) return word
        const said = this.#random() < rate ? this.#other(core) : core
        this.#count++
        this.#kinds.add(this.#stem(said)!)
        return before + said + after
      })
      .join(' ')
  }

  /** A word of the halves of two. */
  coined(): string {
    for (;;) {
      const [a, b] = [drawn(this.#said, this.#random).toLowerCase(), drawn(this.#said, this.#random).toLowerCase()]
      const word = a.slice(0, Math.ceil(a.length / 2)) + b.slice(b.length >> 1)
      if (word.length > 3 && !this.#stems.has(word) && this.#stem(word) !== undefined) return word
    }
  }

  #other(core: string): string {
    const { factor, power } = this.#heaps
    const pool = this.#pool(core)
    const scarce = this.#kinds.size < factor * this.#count ** power
    const other = !scarce
      ? drawn(pool, this.#random)
      : pool === this.#numbers
        ? redrawn(core, this.#random)
        : this.coined()
    // The rich get richer, once as much was said as there was to begin with.
    if (scarce || this.#count > this.#said.length + this.#numbers.length) pool.push(other)
    return /^\p{Lu}/u.test(core) ? capital(other) : other
  }

  #pool(core: string): string[] {
    return /\d/.test(core) ? this.#numbers : this.#said
  }

  /** The stem by which a word counts; `undefined` for function words and punctuation. */
  #stem(core: string): string | undefined {
    if (this.#stems.has(core)) return this.#stems.get(core)
    const stem = tokens(core)
      .map(term)
      .find((found) => found !== undefined)
    this.#stems.set(core, stem)
    return stem
  }
}

function parted(word: string): { before: string; core: string; after: string } {
  const [, before, core, after] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u.exec(word)!
  return { before, core, after }
}

function redrawn(core: string, random: () => number): string {
  return core.replace(/\d/g, () => String(Math.floor(10 * random())))
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** What is asked of something grown. */
export interface Asked {
  readonly cue: string
  readonly kind: 'quotation' | 'paraphrase'
  /** The number of the observation from which the cue was made. */
  readonly gold: number
}

/** Content words that a text must have to be asked about. */
const TELLING = 6

/**
 * Makes questions about some observations out of as many as there are, spread evenly, as they are offered one after the
 * other.
 */
export class Questions {
  readonly asked: Asked[] = []
  readonly #step: number
  readonly #random: () => number

  constructor(observations: number, questions: number, seed = 1) {
    this.#step = observations / questions
    this.#random = seeded(seed)
  }

  /** Takes the next text that tells enough, once it is time for one. */
  offer(index: number, { text }: Observation): void {
    if (index < (this.asked.length + 0.5) * this.#step) return
    const words = text.split(/\s+/)
    const telling = words.filter((word) => tokens(word).some((token) => term(token) !== undefined))
    if (new Set(telling).size < TELLING) return
    const kind = this.asked.length % 2 === 0 ? 'quotation' : 'paraphrase'
    this.asked.push({
      cue: kind === 'quotation' ? this.#quotation(words) : this.#paraphrase(telling),
      kind,
      gold: index,
    })
  }

  /** Half of it, at most twelve words, as it stands. */
  #quotation(words: readonly string[]): string {
    const length = Math.min(12, Math.ceil(words.length / 2))
    const start = Math.floor(this.#random() * (words.length - length + 1))
    return words.slice(start, start + length).join(' ')
  }

  /** Up to five of its content words in another order, as one would ask. */
  #paraphrase(telling: readonly string[]): string {
    const words = shuffled([...new Set(telling.map((word) => parted(word).core))], this.#random).slice(0, 5)
    return `What was said about ${words.slice(0, -1).join(', ')} and ${words.at(-1)}?`
  }
}

/** Uniformly random signatures, the same every time for a seed. */
export function* uniform(count: number, seed = 1): Generator<Uint8Array> {
  const random = seeded(seed)
  for (let i = 0; i < count; i++)
    yield new Uint8Array(Uint32Array.from({ length: SIGNATURE_BYTES / 4 }, () => random() * 2 ** 32).buffer)
}
