import type { OnOpenProgress } from '../api/open-progress.js'
import type { CodebookPending, StorageEvent } from '../api/stats.js'
import { pace } from '../base/pace.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import { decodeEpisode } from '../records/kinds/episode.js'
import type { Indexes } from '../indexes/indexes.js'
import type { OpenedStorage, Signatures } from '../api/storage.js'
import type { SignatureLoader } from './load-signatures.js'
import type { Encode, Writer } from '../write/writer.js'

/** Episodes that are read from the storage and signed in one commit. */
const EPISODES_PER_BATCH = 64

/** What a {@link CodebookArrival} works on. */
export interface CodebookArrivalOptions {
  readonly indexes: Indexes
  readonly storage: Pick<OpenedStorage, 'rows' | 'signatures'>
  readonly writer: Writer
  readonly signatureLoader: SignatureLoader
  /** Fetches the codebook, with what goes with it. Called once; rejects when it cannot be had. */
  readonly fetch: () => Promise<Codebook>
  /** Whether signatures may be stored; else they are made in memory alone. */
  readonly stores: boolean
  /** Runs work while no recall is under way. */
  readonly quietly: (work: () => Promise<void>) => Promise<void>
  /** Told after each batch of episodes that got their latents. */
  readonly onProgress: OnOpenProgress | undefined
  /** Called once the codebook is in use. */
  readonly arrived: () => void
  /** Called when the codebook could not be had. */
  readonly failed: () => void
}

/**
 * A codebook that comes after opening: it is fetched, the live episodes get their latents between other work, and then
 * recall uses it, from one recall to the next. Until then everything works without it. What comes out is what opening
 * with the codebook would have made: latents are a function of the live episodes and the codebook.
 */
export class CodebookArrival {
  readonly #options: CodebookArrivalOptions
  #work: Promise<void> | undefined
  #phase: 'fetching' | 'signing' | 'over' = 'fetching'
  /** Every live slot below has its latent. */
  #next = 0
  #done = 0
  #signed = 0
  #problem: string | undefined
  #stopped = false
  readonly #stop: Promise<undefined>
  #resolveStop!: (value: undefined) => void

  constructor(options: CodebookArrivalOptions) {
    this.#options = options
    this.#stop = new Promise((resolve) => (this.#resolveStop = resolve))
    options.indexes.awaitsCodebook = true
  }

  /** How far it has come; `undefined` once it is over, whether the codebook is in use or could not be had. */
  get pending(): CodebookPending | undefined {
    if (this.#phase === 'over') return undefined
    return { phase: this.#phase, done: this.#done, total: this.#options.indexes.catalog.size }
  }

  /** What became of it. */
  get events(): StorageEvent[] {
    if (this.#phase !== 'over') return []
    if (this.#problem !== undefined)
      return [{ kind: 'no-codebook', message: `memories are ranked without the semantic codebook: ${this.#problem}` }]
    const message =
      `the semantic codebook came after opening; ${this.#signed} episodes that had no latent signature were ` +
      'given one'
    return [{ kind: 'codebook-late', message, details: { episodes: this.#signed } }]
  }

  /**
   * Resolves when the codebook is in use, cannot be had, or {@link stop} was called. Begins if nobody has asked before.
   */
  finish(): Promise<void> {
    return (this.#work ??= this.#run())
  }

  /** Ends it where it is. */
  stop(): void {
    this.#stopped = true
    this.#resolveStop(undefined)
  }

  async #run(): Promise<void> {
    const { indexes, fetch, arrived, failed, onProgress, signatureLoader, quietly, writer } = this.#options
    try {
      const codebook = await Promise.race([fetch(), this.#stop])
      if (codebook === undefined) return
      await signatureLoader.finish() // signatures that the checkpoint has are read from there
      if (this.#stopped) return
      this.#phase = 'signing'
      indexes.prepare(codebook)
      const rest = pace()
      for (let slots = this.#take(); slots.length > 0; slots = this.#take()) {
        // An episode may not be updated between what is made of it and what is stored.
        await writer.still(async () => writer.setSignaturesNow(await this.#make(slots)))
        onProgress?.({ what: 'signatures', done: this.#done, of: indexes.catalog.size })
        await rest()
        if (this.#stopped) return
      }
      await quietly(() =>
        writer.still(async () => {
          for (let slots = this.#take(); slots.length > 0; slots = this.#take())
            await writer.setSignaturesNow(await this.#make(slots))
          if (!this.#stopped) indexes.adopt()
        }),
      )
      if (this.#stopped) return
      this.#over()
      arrived()
    } catch (error) {
      if (this.#stopped) return
      indexes.abandon()
      this.#problem = error instanceof Error ? error.message : String(error)
      this.#over()
      failed()
    }
  }

  #over(): void {
    this.#phase = 'over'
    this.#options.indexes.awaitsCodebook = false
  }

  /** The next live slots without a latent. */
  #take(): number[] {
    const slots: number[] = []
    for (const slot of this.#options.indexes.catalog.slots(this.#next)) {
      slots.push(slot)
      if (slots.length === EPISODES_PER_BATCH) break
    }
    return slots
  }

  /** Makes latents; answers the signatures that are to be stored. */
  async #make(slots: readonly number[]): Promise<Encode[]> {
    const { indexes, storage, stores } = this.#options
    const signs: Encode[] = []
    const make = (slot: number, row: Uint8Array, stored: Signatures): void => {
      // It may have been removed meanwhile, or the memory closed.
      if (this.#stopped || !indexes.catalog.has(slot)) return
      const episode = decodeEpisode(row)
      const latent = indexes.prepareLatent(slot, episode, stored)
      this.#done++
      if (latent === undefined) return
      this.#signed++
      if (stores) signs.push({ slot, id: episode.id, signatures: { latent } })
    }
    if (storage.signatures !== undefined)
      await storage.signatures.visitEpisodes([...slots], ({ slot, row, signatures }) => make(slot, row, signatures))
    else {
      const rows = await storage.rows.get(slots)
      rows.forEach((row, i) => row && make(slots[i], row, {}))
    }
    this.#next = slots[slots.length - 1] + 1
    return stores && storage.signatures !== undefined ? signs : []
  }
}
