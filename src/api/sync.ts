/**
 * What a memory has received: of each device how many of its changes. Device ids are 16 hexadecimal digits. Plain data,
 * which may cross as JSON.
 */
export type VersionVector = Readonly<Record<string, number>>

/** Options of `changes`. */
export interface ChangesOptions {
  /** About how many bytes at most, 1,024 to 67,108,864. The next call gives the rest. Default 8 MiB. */
  readonly maxBytes?: number
}

/** Changes of a memory for another device. */
export interface Changes {
  /** The device whose memory gave them. */
  readonly device: string
  /** What a memory that had received what `since` says has received when it has applied them. */
  readonly vector: VersionVector
  /** How many records, supersessions and unlearnings are in it. */
  readonly count: number
  /** Whether there are more: ask again with `vector`. */
  readonly more: boolean
  /** What `apply` of the other memory takes. */
  readonly bytes: Uint8Array
}

/** What applying changes did. */
export interface ApplyReport {
  /** Records that came: episodes, versions of them, and learning events. */
  readonly added: number
  /** Records that were here and say something else now. */
  readonly updated: number
  /** Records that were here and were unlearned on another device, with the versions of the episodes among them. */
  readonly removed: number
  /** What the memory has received by now. */
  readonly vector: VersionVector
}
