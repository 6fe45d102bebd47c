import { stopwatch } from '../../base/clock.js'
import { turn } from '../../base/event-loop-turn.js'
import { Bits, countBits } from '../../base/bits.js'
import type { Indexes } from '../../indexes/indexes.js'
import { Gathering } from '../../indexes/gathering.js'
import type { FetchSignatures } from '../../indexes/signatures.js'
import type { KernelSource } from '../../kernel/loading.js'
import type { Hits } from '../../kernel/port.js'
import { mergeHits } from '../../kernel/merge.js'
import { SPACES } from '../../encoding/spaces/spaces.js'
import { searchArenas, type VectorQuery, type VectorSearch } from '../../recall/candidates/vector-search.js'
import { SHARED_FROM, type ScanThread, type StartScanThread } from './port.js'

/** Episodes that are read from the storage and sent in one message. */
const LOAD = 512
/** A slice is filled up once it has less than this share of what it should have. */
const FULL_ENOUGH = 0.8
/** What share of what they held they are to hold when it took more memory than there is room for. */
const LESS = 0.75
/** A filter that lets fewer than one in so many through is quicker asked alone. */
const NARROW = 16
/** After so many scans in a row that took twice as long as this thread's part of them … */
const LATE = 8
/** … they rest for so long: the cores are busy with something else. */
const REST_MS = 60_000

/** The spaces of which threads hold parts; the others have few signatures. */
const LARGE_SPACES = SPACES.filter(({ search }) => search.isLarge).map(({ kind }) => kind)

/** What threads a place has. */
export interface ScanThreads {
  readonly start: StartScanThread
  readonly kernel: KernelSource
  /** How many there is a core for beside this one. */
  readonly cores: number
  /** Episodes from which on they are started. Default {@link SHARED_FROM}. */
  readonly from?: number
  /** Scans in a row that may take twice as long as this thread's part, after which they rest. Default {@link LATE}. */
  readonly patience?: number
}

export interface ScanPoolOptions extends ScanThreads {
  readonly indexes: Indexes
  readonly signatures: FetchSignatures
  /** Bytes of memory that they may take together. Asked again and again: it may become less. */
  readonly room: () => number
}

/** A shard, and the slots for which it answers. */
interface Shard extends ScanThread {
  readonly held: Bits
  /** What to do when the thread ends before it has answered. */
  readonly waiting: Set<() => void>
  bytes: number
}

/**
 * Threads that hold copies of parts of the signatures, so that a scan of a large memory is shared among cores. They are
 * started when a memory is large, filled from the storage between other work, and ended when memory is short; whatever
 * they do not hold this thread scans itself, so answers are the same at any time, with any number of them, and with
 * none.
 */
export class ScanPool implements VectorSearch {
  readonly #options: ScanPoolOptions
  #shards: Shard[] = []
  /** Slots that changed while a load of them was on its way. */
  readonly #changed = new Set<number>()
  /** What is to be loaded next. */
  readonly #gathered = new Map(LARGE_SPACES.map((space) => [space, new Gathering()]))
  #filling = false
  #scanning = 0
  #late = 0
  #restUntil = 0
  /** What they took when there was no room for it, and how many episodes each may hold until there is. */
  #over = { bytes: 0, episodes: Infinity }
  #failed = false
  #closed = false

  constructor(options: ScanPoolOptions) {
    this.#options = options
    options.indexes.onChange = (slot) => this.#forget(slot)
  }

  /** Threads at work. */
  get threads(): number {
    return this.#shards.length
  }

  /** Bytes of memory that they take. */
  get bytes(): number {
    return this.#shards.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Episodes that they answer for. */
  get episodes(): number {
    return this.#shards.reduce((sum, { held }) => sum + held.count, 0)
  }

  /** Finds what {@link searchArenas} finds. Threads help with the large spaces. */
  async search(queries: readonly VectorQuery[], k: number, mask?: Uint32Array): Promise<Hits[]> {
    const isShared = queries.map(({ space }) => LARGE_SPACES.includes(space))
    const shared = await this.#searchLarge(
      queries.filter((_, i) => isShared[i]),
      k,
      mask,
    )
    const next = shared.values()
    return queries.map((query, i) =>
      isShared[i] ? next.next().value! : searchArenas(this.#options.indexes, [query], k, mask)[0],
    )
  }

  async #searchLarge(asked: readonly VectorQuery[], k: number, mask: Uint32Array | undefined): Promise<Hits[]> {
    const { indexes } = this.#options
    this.#consider()
    const helping = this.#worthwhile(mask) ? this.#shards.filter(({ held }) => held.count > 0) : []
    if (helping.length === 0) return searchArenas(indexes, asked, k, mask)
    this.#scanning++
    try {
      const started = stopwatch()
      const visible = mask ?? indexes.catalog.live
      const questions = asked.map(({ space, query }) => ({ space, query }))
      const answers = this.#answers(helping, ({ host, held }) => host.scan(questions, k, both(visible, held.words)))
      answers.catch(() => {}) // looked at below
      const rest = helping.reduce((words, { held }) => without(words, held.words), visible)
      const own = searchArenas(indexes, asked, k, rest)
      const alone = stopwatch() - started
      const others = await answers
      this.#noteTime(alone, stopwatch() - started)
      return own.map((hits, i) => mergeHits([hits, ...others.map((each) => each[i])], k))
    } catch (error) {
      this.#failUnlessEnded(error)
      return searchArenas(indexes, asked, k, mask)
    } finally {
      this.#scanning--
    }
  }

  /** Ends the threads if they take more than there is room for. */
  giveBack(): void {
    const { bytes } = this
    if (bytes === 0 || this.#options.room() >= bytes) return
    // What a thread takes grows in steps, which nobody knows before: with as many they would come and go again and
    // again.
    this.#over = { bytes, episodes: Math.floor(LESS * Math.max(...this.#shards.map(({ held }) => held.count))) }
    this.#end()
  }

  /** Ends the threads, which lack signatures that came later; they begin anew at the next scan. */
  restart(): void {
    this.#end()
  }

  /** Ends the threads for good. */
  close(): void {
    this.#closed = true
    this.#end()
  }

  /** What threads answer. Rejects when one of them ends before. */
  #answers<T>(shards: readonly Shard[], ask: (shard: Shard) => Promise<T>): Promise<T[]> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Ended('the thread of a shard ended'))
      for (const { waiting } of shards) waiting.add(ended)
      Promise.all(shards.map(ask))
        .then(resolve, reject)
        .finally(() => shards.forEach(({ waiting }) => waiting.delete(ended)))
    })
  }

  #worthwhile(mask: Uint32Array | undefined): boolean {
    if (this.#shards.length === 0 || stopwatch() < this.#restUntil) return false
    return mask === undefined || countBits(mask) * NARROW >= this.#options.indexes.catalog.size
  }

  #noteTime(alone: number, together: number): void {
    this.#late = together > 2 * alone ? this.#late + 1 : 0
    if (this.#late < (this.#options.patience ?? LATE)) return
    this.#late = 0
    this.#restUntil = stopwatch() + REST_MS
  }

  /** Starts, fills or ends threads, as the memory has grown and there is room. */
  #consider(): void {
    const { indexes, cores, from = SHARED_FROM } = this.#options
    if (this.#closed || this.#failed || cores === 0 || !indexes.arenas.isWhole) return
    if (indexes.catalog.size < from) return this.#end()
    this.giveBack()
    if (this.#filling) return
    const wanted = this.#wanted()
    if (wanted === 0) return
    if (this.#shards.length === 0) this.#start()
    if (this.#shards.some(({ held }) => held.count < FULL_ENOUGH * wanted)) {
      this.#filling = true
      void this.#fill(wanted)
        .catch((error: unknown) => this.#failUnlessEnded(error))
        .finally(() => (this.#filling = false))
    }
  }

  /** Episodes that each shard should hold: as many as this thread keeps for itself, if there is room. */
  #wanted(): number {
    const { indexes, cores, room } = this.#options
    const spaces = LARGE_SPACES.filter((space) => (indexes.signatures.get(space)?.arena.size ?? 0) > 0).length
    const free = room()
    const fit = Math.min(
      Math.floor(free / (cores * spaces * BYTES_EACH)),
      free < this.#over.bytes ? this.#over.episodes : Infinity,
    )
    const share = Math.floor(indexes.catalog.size / (cores + 1))
    // Of a scan, itself a quarter of a recall, less than half of a share would spare a few per cent.
    return fit < share / 2 ? 0 : Math.min(fit, share)
  }

  #start(): void {
    const { start, cores, kernel } = this.#options
    try {
      for (let i = 0; i < cores; i++) {
        const shard: Shard = {
          ...start(() => this.#fail()),
          held: new Bits(),
          waiting: new Set(),
          bytes: 0,
        }
        this.#shards.push(shard)
        shard.host.open(kernel).catch(() => this.#fail())
      }
    } catch {
      this.#fail()
    }
  }

  async #fill(wanted: number): Promise<void> {
    const { catalog } = this.#options.indexes
    const shards = this.#shards
    const missing = () =>
      shards
        .map((shard) => ({ shard, slots: Math.min(LOAD, wanted - shard.held.count) }))
        .find(({ slots }) => slots > 0)
    let slots: number[] = []
    let next = missing()
    for (const slot of catalog.slots(0)) {
      if (next === undefined || shards !== this.#shards) return
      if (shards.some(({ held }) => held.has(slot))) continue
      if (slots.push(slot) < next.slots) continue
      await this.#load(next.shard, slots)
      slots = []
      next = missing()
    }
  }

  async #load(shard: Shard, slots: readonly number[]): Promise<void> {
    const { indexes, signatures: fetch } = this.#options
    this.#changed.clear()
    for (const gathering of this.#gathered.values()) gathering.begin(slots.length)
    await fetch(Uint32Array.from(slots), (slot, space, bytes, at) => {
      if (indexes.signatures.get(space)?.arena.has(slot)) this.#gathered.get(space)!.add(slot, bytes, at)
    })
    // The thread may have ended meanwhile, and would never answer.
    if (!this.#shards.includes(shard)) throw new Ended('the thread of a shard ended')
    // Of their own, so that they can be handed over.
    const filled = [...this.#gathered].filter(([, { count }]) => count > 0)
    const loads = filled.map(([space, { slots, signatures }]) => {
      return { space, slots: slots.slice(), signatures: signatures.slice() }
    })
    const loaded = this.#answers([shard], ({ host }) => host.set(loads))
    // What is asked later is answered later. What changed meanwhile may be as it was before.
    for (const slot of slots) if (!this.#changed.has(slot)) shard.held.add(slot)
    if (this.#changed.size > 0) void shard.host.clear(Uint32Array.from(this.#changed)).catch(() => {})
    const [bytes] = await loaded
    shard.bytes = bytes
    do await turn()
    while (this.#scanning > 0 && !this.#closed)
  }

  /** A slot is no more what it was. */
  #forget(slot: number): void {
    if (this.#filling) this.#changed.add(slot)
    for (const { held, host } of this.#shards) {
      if (!held.has(slot)) continue
      held.remove(slot)
      void host.clear(Uint32Array.of(slot)).catch(() => {})
    }
  }

  /** Where a thread cannot be started, or ends, this one does all: nothing is lost but time. */
  #fail(): void {
    this.#failed = true
    this.#end()
  }

  #failUnlessEnded(error: unknown): void {
    if (!(error instanceof Ended)) this.#fail()
  }

  #end(): void {
    const shards = this.#shards
    this.#shards = []
    for (const shard of shards) {
      shard.end()
      for (const ended of shard.waiting) ended()
    }
  }
}

/** A thread ended before it had answered. */
class Ended extends Error {}

/** Bytes of a signature in an arena, its slot and its count of bits included. */
const BYTES_EACH = 1_060

function both(a: Uint32Array, b: Uint32Array): Uint32Array {
  const words = a.slice()
  for (let i = 0; i < words.length; i++) words[i] &= i < b.length ? b[i] : 0
  return words
}

function without(a: Uint32Array, b: Uint32Array): Uint32Array {
  const words = a.slice()
  for (let i = 0; i < words.length && i < b.length; i++) words[i] &= ~b[i]
  return words
}
