import type { KernelSource } from '../../kernel/loading.js'
import type { Hits } from '../../kernel/port.js'
import type { VectorQuery } from '../../recall/candidates/vector-search.js'
import type { SpaceKind } from '../../encoding/spaces/spaces.js'

/**
 * Episodes from which on a scan is shared: with fewer it takes less time than it would take to tell how to share it.
 */
export const SHARED_FROM = 262_144

/** Signatures of one space, one after the other. */
export interface Load {
  readonly space: SpaceKind
  readonly slots: Uint32Array
  readonly signatures: Uint8Array
}

/** What a shard's thread exposes. Calls are answered in the order in which they were made. */
export interface ScanHost {
  /** Loads the kernel. Rejects when that is not there. */
  open(kernel: KernelSource): Promise<void>
  /** Takes signatures in. Answers the bytes of memory that it has now. */
  set(loads: readonly Load[]): Promise<number>
  /** Forgets slots in all arenas. */
  clear(slots: Uint32Array): Promise<void>
  /** The `k` best of what it holds and `allow` has, for each that is asked. */
  scan(asked: readonly VectorQuery[], k: number, allow: Uint32Array): Promise<Hits[]>
}

/** A shard in a thread of its own. */
export interface ScanThread {
  readonly host: ScanHost
  /** Ends the thread at once and gives its memory back. */
  end(): void
}

/**
 * Starts a thread. `failed` is called when it ends by itself or cannot start; calls to it may then never be answered.
 */
export type StartScanThread = (failed: () => void) => ScanThread
