import type { AtomId } from '../core/atom.js'
import type { Episode, Triple } from '../core/episode.js'
import { said } from '../hdc/predicate.js'
import { term, tokens } from '../hdc/tokens.js'
import { Bits } from '../indexes/bits.js'
import { dot } from '../indexes/latents.js'
import { DIMENSION } from '../kernel/port.js'
import type { Batch } from './batch.js'
import type { Setting } from './setting.js'

/** Distinct index terms that a text must have to say something of its own: "Roger that" and "Okay, go ahead" have not. */
const TERMS = 3
/** How much near-duplicates share of their text signatures, 0 for unrelated ones: 45 standard deviations. */
const WORDS = 0.5
/** The cosine of what near-duplicates mean. */
const MEANING = 0.8
/** The cosine of predicates that differ only in wording. */
const PREDICATES = 0.7
/** Near-duplicates that one text is compared with. */
const NEIGHBOURS = 32
/** Slots that are looked at before others have their turn. */
const STRIDE = 4_096
/** Function words that turn what a predicate says around: "moved to", "moved from"; the rest is only grammar. */
const GRAMMAR: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'in', 'at', 'on', 'is', 'are', 'was', 'were', 'be', 'been', 'being', 'has', 'have', 'had', 'do', 'does', 'did'])
const DENIALS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'nothing', 'nobody', 'none', 'without', 'cannot'])

/** Finds what says the same in other words. */
export class Alike {
  readonly #setting: Setting
  /** The texts without triples that were looked at. */
  readonly #seen = new Bits()
  readonly #predicates = new Map<string, Float32Array | undefined>()

  constructor(setting: Setting) {
    this.#setting = setting
  }

  /** Takes up what earlier runs looked at. */
  async begin(upTo: number, breathe: () => Promise<void>): Promise<void> {
    const { catalog } = this.#setting.indexes
    let looked = 0
    for (const slot of catalog.slots()) {
      if (slot > upTo) return
      if (this.#tells(slot)) this.#seen.add(slot)
      if (++looked % STRIDE === 0) await breathe()
    }
  }

  /** The atom of the same subject and object whose predicate means the same, if a codebook knows one. */
  triple(triple: Triple, batch: Batch): AtomId | undefined {
    const meant = this.#predicate(triple.predicate)
    if (meant === undefined) return undefined
    const frame = frameOf(triple.predicate)
    let best: AtomId | undefined
    let closest = PREDICATES
    for (const id of batch.between(triple)) {
      const { predicate } = batch.triple(id)!
      if (frameOf(predicate) !== frame) continue
      const other = this.#predicate(predicate)
      const cosine = other === undefined ? 0 : dot(meant, other)
      if (cosine > closest) [best, closest] = [id, cosine]
    }
    return best
  }

  /** The near-duplicates that came before a text without triples, best first; `undefined` for one that says too little. */
  async texts(slot: number, episode: Episode): Promise<Episode[] | undefined> {
    if (!this.#tells(slot)) return undefined
    const near = this.#near(slot)
    this.#seen.add(slot)
    if (near.length === 0) return []
    const details = detailsOf(episode.text)
    const others = await this.#setting.fetch(near)
    return others.filter((other) => other !== undefined).filter(({ text }) => detailsOf(text) === details)
  }

  #near(slot: number): number[] {
    const { kernel, text, latents } = this.#setting.indexes
    const signature = text.get(slot)
    if (signature === undefined) return []
    const { slots, scores } = text.scan(kernel.query(signature), NEIGHBOURS, this.#seen.words)
    const alike = [...slots].filter((_, i) => scores[i] >= WORDS * DIMENSION)
    if (latents === undefined) return alike
    const meant = latents.latent(slot)
    return alike.filter((other) => {
      const latent = latents.latent(other)
      return meant === undefined || latent === undefined ? meant === latent : dot(meant, latent) >= MEANING
    })
  }

  /** Whether there is an episode without triples that says enough. */
  #tells(slot: number): boolean {
    const { structured, postings } = this.#setting.indexes
    return !structured.has(slot) && postings.termsOf(slot).length >= TERMS
  }

  #predicate(predicate: string): Float32Array | undefined {
    if (!this.#predicates.has(predicate)) this.#predicates.set(predicate, this.#setting.indexes.latents?.of(predicate))
    return this.#predicates.get(predicate)
  }
}

/** What of a predicate a synonym cannot change: whether it is denied, and its function words. */
function frameOf(predicate: string): string {
  const words = tokens(predicate).filter((word) => term(word) === undefined && !GRAMMAR.has(word))
  return `${said(predicate).negated} ${words.join(' ')}`
}

/** What of a text near-duplicates must have in common: its figures, and whether it denies something. */
function detailsOf(text: string): string {
  return tokens(text).filter((word) => /\p{N}/u.test(word) || DENIALS.has(word)).sort().join(' ')
}
