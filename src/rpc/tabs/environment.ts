/** Web Locks, as far as they are needed: `navigator.locks` is one. */
export interface Locks {
  request<T>(name: string, options: LockWish, held: (lock: unknown) => Promise<T>): Promise<T>
}

export interface LockWish {
  readonly signal?: AbortSignal
  readonly steal?: boolean
  readonly ifAvailable?: boolean
}

/** A broadcast channel: all of one name in an origin hear what one of them posts, but for itself. */
export interface Channel {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: unknown): void
  close(): void
}

/**
 * What the tabs of an origin have in common. Nothing else is needed: no shared worker, no service worker, no shared
 * memory.
 */
export interface TabEnvironment {
  readonly locks: Locks
  readonly channel: (name: string) => Channel
  /**
   * Whether the lock of the owner can be stolen when that one is silent. Not between processes: it holds the files.
   * Default true.
   */
  readonly stealsFromOwner?: boolean
  /**
   * Called by the place when an owner can be reached that was not before. Between tabs that is always so, and what one
   * posts is heard by all listeners.
   */
  onReached?: () => void
}

/** The names by which the tabs of one database find each other. */
export function namesOf(database: string) {
  const prefix = `agidb:${database}/`
  return {
    /** The lock of the tab whose engine holds the database. */
    owner: `${prefix}owner`,
    /** The lock of the tab that deposes an owner that is silent. */
    takeover: `${prefix}thief`,
    /** The channel of all. */
    all: `${prefix}tabs`,
    /** The lock that a tab holds as long as it lives, and the channel between it and the owner. */
    tab: (handle: string) => `${prefix}tab/${handle}`,
  }
}
