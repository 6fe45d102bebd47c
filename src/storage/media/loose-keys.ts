/** A key in the bucket that perhaps no row refers to. */
export interface LooseKey {
  /** With a `/` at its end: all keys that begin with it. */
  readonly key: string
  /** When an object began to be written under it, in milliseconds since 1970; 0 where none is being written. */
  readonly since: number
}

/**
 * The durable list of the keys that are to be looked at after a crash. A key is listed before its object is written,
 * and before the row is removed that refers to it.
 */
export interface LooseKeys {
  all(): Promise<readonly LooseKey[]>
  /** Lists keys, in the place of those that are listed under the same names. Resolves when that is durable. */
  add(keys: readonly LooseKey[]): Promise<void>
  /** Takes keys off the list. */
  drop(keys: readonly string[]): Promise<void>
}
