import type { Parts } from '../extraction/parts.js'
import type { Encrypting } from '../storage/crypto/where-needed.js'
import type { Portable } from './portable.js'

/** All parts that the engine loads when it first needs them. */
export interface EngineParts extends Parts {
  /** Brings memories out and in. */
  readonly portable: () => Promise<Portable>
  /** Encrypts storages. */
  readonly encryption: () => Promise<Encrypting>
}
