/**
 * What unlocks the keys of a memory: a passphrase, 32 random bytes that the program keeps, or `keys-beside`: the keys
 * lie in clear beside the data. Then encryption keeps nothing secret from whoever has all files; it makes what was
 * erased unreadable in copies that the file system or the browser left behind.
 */
export type EncryptionSecret = 'keys-beside' | { readonly passphrase: string } | { readonly key: Uint8Array }

/**
 * How a memory is encrypted. `none`: a new memory is not. `replaces`: what unlocked the keys until now; then only the
 * ring of keys is written anew, and from then on the new secret opens it.
 */
export type Encryption =
  | 'none'
  | 'keys-beside'
  | { readonly passphrase: string; readonly replaces?: EncryptionSecret }
  | { readonly key: Uint8Array; readonly replaces?: EncryptionSecret }

/** How what is stored is encrypted. */
export interface EncryptionStats {
  /**
   * How what is written now is encrypted. `none`: it is not. `keys-beside`: its keys lie beside it, so that what is
   * erased cannot be read. `passphrase`, `key`: it can be read only with that. This does not tell of rows that were
   * written before the memory was encrypted: they are plain until they are written anew, all of them by `compact()`.
   */
  readonly kind: 'none' | 'keys-beside' | 'passphrase' | 'key'
  /** Why, in a sentence. */
  readonly reason: string
  /** Keys in the ring: one for each session, or source where there is none. 0 without encryption. */
  readonly keys: number
}
