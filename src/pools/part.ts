import { EncodePool } from './encode/pool.js'
import { ScanPool } from './scan/pool.js'

/** What shares work among threads. Small memories share none, so it is loaded when one is large. */
export interface Pools {
  readonly EncodePool: typeof EncodePool
  readonly ScanPool: typeof ScanPool
}

export { EncodePool, ScanPool }
