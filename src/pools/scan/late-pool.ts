import { loadOnce } from '../../base/load-once.js'
import type { Hits } from '../../kernel/port.js'
import { searchArenas, type VectorQuery, type VectorSearch } from '../../recall/candidates/vector-search.js'
import type { Pools } from '../part.js'
import type { ScanPool, ScanPoolOptions } from './pool.js'
import { SHARED_FROM } from './port.js'

/** A {@link ScanPool} that is loaded when the memory is large enough for it. Until then this thread scans alone. */
export class LateScanPool implements VectorSearch {
  readonly #options: ScanPoolOptions
  readonly #load: () => Promise<ScanPool | undefined>
  #pool: ScanPool | undefined
  #closed = false

  constructor(options: ScanPoolOptions, pools: () => Promise<Pick<Pools, 'ScanPool'>>) {
    this.#options = options
    this.#load = loadOnce(async () => {
      const { ScanPool } = await pools()
      if (!this.#closed) this.#pool = new ScanPool(options)
      return this.#pool
    })
  }

  get threads(): number {
    return this.#pool?.threads ?? 0
  }

  get bytes(): number {
    return this.#pool?.bytes ?? 0
  }

  get episodes(): number {
    return this.#pool?.episodes ?? 0
  }

  async search(queries: readonly VectorQuery[], k: number, mask?: Uint32Array): Promise<Hits[]> {
    const { indexes, from = SHARED_FROM } = this.#options
    const isLarge = this.#pool !== undefined || (indexes.catalog.size >= from && !this.#closed)
    // Where it cannot be loaded this thread goes on alone.
    const pool = isLarge ? await this.#load().catch(() => undefined) : undefined
    return pool === undefined ? searchArenas(indexes, queries, k, mask) : pool.search(queries, k, mask)
  }

  giveBack(): void {
    this.#pool?.giveBack()
  }

  restart(): void {
    this.#pool?.restart()
  }

  close(): void {
    this.#closed = true
    this.#pool?.close()
  }
}
