import type { Episode, Triple } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { HEAP, heapBytes, sampledBytes } from '../base/heap-size.js'
import type { Match, Tier } from '../api/recall.js'
import { turn } from '../base/event-loop-turn.js'
import { Indexes } from '../indexes/indexes.js'
import { dot } from '../indexes/latents.js'
import type { Parts } from '../extraction/parts.js'
import { exp } from '../base/exponential.js'
import { arenaSearch } from '../recall/candidates/vector-search.js'
import { recall } from '../recall/recall.js'

/** Something that can be recalled like an episode: a belief, a goal, an atom, a procedure. */
export interface IndexedItem {
  readonly id: string
  /** What it says, in words. */
  readonly text: string
  readonly triples?: readonly Triple[]
  /** Short phrases each of which alone says when this is meant: each is compared with the cue by what it means. */
  readonly phrases?: readonly string[]
  /** Start of valid time, and transaction time (ISO 8601, UTC). */
  readonly at: string
  readonly recordedAt: string
  /** Since when it is not true any more (valid time), and since when that is known (transaction time). */
  readonly ended?: { readonly at: string; readonly recordedAt: string }
}

/** When a shelf is asked, epoch milliseconds; see `Visibility`. */
export interface ItemQuery {
  readonly k: number
  readonly now: number
  readonly validAsOf?: number
  readonly transactionAsOf?: number
}

/** Evidence that says more than chance would of the few things that a floor holds: all of them are near something. */
const BEARING: readonly Tier[] = ['exact', 'similarity']
/** Confidence from which a match of tier `gist` counts as meant. */
const LIKELY = 0.2
/** Share of the best match's confidence that a match must reach: with less, the two only have a word in common. */
const MIN_SHARE_OF_BEST = 0.05

/**
 * The cosine of what a cue and a phrase mean from which on the phrase is meant, and how likely it is then: a logistic
 * curve, set by hand in round numbers. Of 40 pairs of short phrases that say the same in other words 34 have this
 * cosine (median .39), of 2,360 others 1 in 40, most of which are about the same thing. A longer text has less, since
 * the rest of it counts, too.
 */
const MEANT = { from: 0.25, half: 0.35, slope: 12, most: 0.95 }

/** Items that are indexed before other calls get their turn: about 10 ms. */
const AT_A_TIME = 16

/** What was found. */
export interface FoundItem {
  readonly id: string
  /** How likely it is what was asked for, 0 to 1. */
  readonly relevance: number
  /** Whether it speaks of what the cue asks about; the rest is merely the nearest. */
  readonly bears: boolean
}

/**
 * What one floor holds, found by the recall that finds episodes. It is a function of what the floor describes, and
 * brought up to date when it is asked.
 */
export class ItemIndex {
  #indexes: Indexes
  readonly #beside: Indexes
  readonly #time: Parts['time']
  readonly #describe: (id: string) => IndexedItem | undefined
  /** In the order in which they came, whatever was asked meanwhile: ties are broken by it. */
  readonly #slots = new Map<string, number>()
  #nextSlot = 0
  #rows: (Episode | undefined)[] = []
  /** By slot, of what has phrases; made when first compared. */
  readonly #phrases = new Map<number, readonly string[]>()
  readonly #latents = new Map<number, readonly Float32Array[]>()
  readonly #touched = new Set<string>()
  #freed = false
  /** Calls of {@link find} that are under way. */
  #finding = 0
  /** Indexes without the codebook that has come since, which calls under way may still use. */
  #old: Indexes[] = []

  /**
   * @param beside the indexes of the episodes, whose kernel and codebook it uses.
   * @param time reads the times that a cue names.
   * @param describe what to find something by, as it is now; `undefined` for what is no more.
   */
  constructor(beside: Indexes, time: Parts['time'], describe: (id: string) => IndexedItem | undefined) {
    this.#beside = beside
    this.#indexes = indexesBeside(beside)
    this.#time = time
    this.#describe = describe
  }

  /** Bytes of memory beside the kernel's, about; not the texts, which the floor has. */
  get bytes(): number {
    const latents = sampledBytes(this.#latents.values(), this.#latents.size, (own) => HEAP.entry + heapBytes(own))
    const rows = sampledBytes(this.#rows, this.#rows.length, (row) => HEAP.field + heapBytes(row, false))
    return (
      this.#indexes.bytes +
      rows +
      latents +
      this.#phrases.size * HEAP.entry +
      (this.#slots.size + this.#touched.size) * HEAP.entry
    )
  }

  /** Says that something came, changed or went. */
  touch(id: string): void {
    if (!this.#slots.has(id)) this.#slots.set(id, this.#nextSlot++)
    this.#touched.add(id)
  }

  /** Takes an item out, as if it had never come. */
  forget(id: string): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    this.#clear(slot)
    this.#slots.delete(id)
    this.#touched.delete(id)
  }

  /**
   * Keeps these items alone, in this order, as if they had come so and nothing else; each is described again. An item
   * that came before one that now stands before it is encoded anew.
   */
  retain(ids: Iterable<string>): void {
    const wanted = new Set(ids)
    for (const id of [...this.#slots.keys()]) if (!wanted.has(id)) this.forget(id)
    let last = -1
    for (const id of wanted) {
      if ((this.#slots.get(id) ?? -1) < last) this.forget(id)
      this.touch(id)
      last = this.#slots.get(id)!
    }
  }

  /** What answers a cue, best first. */
  async find(cue: string, asking: ItemQuery): Promise<FoundItem[]> {
    this.#finding++
    try {
      return await this.#find(cue, asking)
    } finally {
      if (--this.#finding === 0) this.#freeOld()
    }
  }

  async #find(cue: string, { k, now, validAsOf, transactionAsOf }: ItemQuery): Promise<FoundItem[]> {
    this.#useCodebook()
    await this.#catchUp()
    if (this.#indexes.catalog.size === 0) return []
    const rows = this.#rows
    const { matches } = await recall(
      this.#indexes,
      {
        fetch: async (slots) => slots.map((slot) => rows[slot]),
        time: this.#time,
        vectors: arenaSearch(this.#indexes),
      },
      undefined,
      {
        cue,
        k,
        now,
        visibility: { now, validAsOf, transactionAsOf },
        tierFloor: 'nearest',
        fold: false,
        context: 0,
        goals: [],
        goalBias: 0,
        minConfidence: 0,
        traceAttention: false,
      },
    )
    const least = MIN_SHARE_OF_BEST * Math.max(0, ...matches.map(({ confidence }) => confidence))
    const bears = ({ tier, confidence }: Match) =>
      (BEARING.includes(tier) || (tier === 'gist' && confidence >= LIKELY)) && confidence >= least
    const found = matches.map(
      (match): FoundItem => ({ id: match.id, relevance: match.confidence, bears: bears(match) }),
    )
    return this.#phrases.size === 0 ? found : withMeant(found, this.#meant(cue, { now, validAsOf, transactionAsOf }), k)
  }

  /**
   * How likely a cue means what has phrases, of what is visible: that of the phrase which is nearest by what it means.
   */
  #meant(cue: string, visibility: Omit<ItemQuery, 'k'>): Map<string, number> {
    const meant = new Map<string, number>()
    const { latents } = this.#beside
    const asked = latents?.of(cue)
    if (latents === undefined || asked === undefined) return meant
    const isVisible = this.#indexes.catalog.seeing(visibility)
    for (const [slot, phrases] of this.#phrases) {
      if (!isVisible(slot)) continue
      const own = this.#latents.get(slot) ?? phrases.flatMap((phrase) => latents.of(phrase) ?? [])
      this.#latents.set(slot, own)
      const nearest = Math.max(-1, ...own.map((latent) => dot(latent, asked)))
      if (nearest >= MEANT.from)
        meant.set(this.#rows[slot]!.id, Math.min(MEANT.most, 1 / (1 + exp(MEANT.slope * (MEANT.half - nearest)))))
    }
    return meant
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.#freed = true
    this.#freeOld()
    this.#indexes.free()
  }

  #freeOld(): void {
    for (const indexes of this.#old) indexes.free()
    this.#old = []
  }

  /** Begins anew when a codebook came since. */
  #useCodebook(): void {
    if (this.#indexes.latents?.codebook === this.#beside.latents?.codebook) return
    this.#old.push(this.#indexes)
    this.#indexes = indexesBeside(this.#beside)
    this.#rows = []
    this.#latents.clear()
    for (const id of this.#slots.keys()) this.#touched.add(id)
  }

  /** Brings what was touched up to date, a few at a time: other calls go on meanwhile. */
  async #catchUp(): Promise<void> {
    while (this.#touched.size > 0) {
      const some: string[] = []
      for (const id of this.#touched) if (some.push(id) === AT_A_TIME) break
      for (const id of some) this.#touched.delete(id)
      this.#refresh(some)
      if (this.#touched.size > 0) await turn()
      if (this.#freed) throw new AgidbError('AGIDB_CLOSED', 'the database was closed while it was asked')
    }
  }

  #refresh(ids: readonly string[]): void {
    const coming = ids.flatMap((id) => this.#changed(id))
    const reads = coming.map(({ episode }) => this.#indexes.read(episode))
    const encoded = this.#indexes.encodeMany(
      coming.map(({ episode }) => episode),
      reads,
    )
    coming.forEach(({ slot, episode }, i) => {
      this.#indexes.add(slot, episode, encoded[i].signatures, reads[i])
      this.#rows[slot] = episode
    })
  }

  /** Takes away what an item was, if it is something else now; answers what is to come in its place. */
  #changed(id: string): { readonly slot: number; readonly episode: Episode }[] {
    const slot = this.#slots.get(id)!
    const before = this.#rows[slot]
    const item = this.#describe(id)
    const episode = toEpisode(item)
    // What was touched often says what it did.
    const phrases = JSON.stringify(this.#phrases.get(slot)) === JSON.stringify(item?.phrases)
    if (before !== undefined && phrases && JSON.stringify(episode) === JSON.stringify(before)) return []
    this.#clear(slot)
    if (item?.phrases !== undefined) this.#phrases.set(slot, item.phrases)
    return episode === undefined ? [] : [{ slot, episode }]
  }

  /** Takes what stands in a slot out of the indexes. */
  #clear(slot: number): void {
    const before = this.#rows[slot]
    if (before !== undefined) this.#indexes.remove(slot, before)
    this.#rows[slot] = undefined
    this.#phrases.delete(slot)
    this.#latents.delete(slot)
  }
}

/** What was found, with what is meant by a phrase: at least as likely as that says. Best first, at most k of them. */
function withMeant(found: readonly FoundItem[], meant: ReadonlyMap<string, number>, k: number): FoundItem[] {
  const all = new Map(found.map((one) => [one.id, one]))
  for (const [id, likely] of meant)
    all.set(id, { id, relevance: Math.max(likely, all.get(id)?.relevance ?? 0), bears: true })
  return [...all.values()].sort((a, b) => b.relevance - a.relevance).slice(0, k)
}

function indexesBeside({ kernel, latents }: Indexes): Indexes {
  return new Indexes(kernel, latents?.codebook)
}

/** An item in the form in which recall finds it; its keys always in the same order. */
function toEpisode(item: IndexedItem | undefined): Episode | undefined {
  if (item === undefined) return undefined
  const { id, text, at, recordedAt, ended, triples = [] } = item
  return {
    id,
    text,
    at,
    recordedAt,
    triples,
    provenance: { writer: '', episodes: [] },
    ...(ended && { superseded: { by: id, ...ended } }),
  }
}
