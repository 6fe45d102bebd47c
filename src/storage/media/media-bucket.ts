/**
 * A store of objects by key, in which the bytes of pictures and sounds are kept. An R2 bucket fits as it is. An object
 * is there for all readers once `put` has resolved, and for none once `delete` has.
 */
export interface MediaBucket {
  put(key: string, bytes: Uint8Array): Promise<unknown>
  /** The object; `null` where there is none. */
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>
  /** Deletes up to 1,000 objects. One that is not there is no error. */
  delete(keys: string[]): Promise<unknown>
  /** Up to 1,000 objects whose keys begin with `prefix`; from `cursor` on, which the answer before gave. */
  list(options: { prefix: string; cursor?: string }): Promise<MediaListing>
}

/** A part of what is in a bucket. */
export interface MediaListing {
  readonly objects: readonly { readonly key: string }[]
  /** Whether there is more, from `cursor` on. */
  readonly truncated: boolean
  readonly cursor?: string
}
