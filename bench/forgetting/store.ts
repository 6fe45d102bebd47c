/** A text that is stored under an id. */
export interface Item {
  readonly id: string
  readonly text: string
}

/** One line of an answer: which text was found, and how well it fits. */
export interface Hit {
  readonly id: string
  readonly score: number
}

/** An open store of texts. */
export interface Store {
  add(items: readonly Item[]): Promise<void>
  /** Deletes texts by the means that its documentation names. */
  delete(items: readonly Item[]): Promise<void>
  /** The best `k`, best first. */
  search(cue: string, k: number): Promise<readonly Hit[]>
  /** Everything that it keeps outside of main memory; nothing where it keeps nothing. Closes the store. */
  stored(): Promise<readonly Uint8Array[]>
}

/** Somebody who stores texts, deletes and searches them. */
export interface Subject {
  readonly name: string
  /** How deletion is used here. */
  readonly means: string
  /** An empty store. @param folder an empty folder for what it writes. */
  open(folder: string): Promise<Store>
}
