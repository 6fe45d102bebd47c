/** The least places; a power of two. */
const PLACES = 1 << 10

/** What V8 takes for an entry beside its value, about: a short string, and its places in four arrays. */
const ENTRY_BYTES = 64

/**
 * What is known of words, found by where they stand in a text: a map whose keys need not be made, which takes longer
 * than to find them. A hash table with linear probing (Knuth, TAOCP 3, 6.4, algorithm L).
 */
export class Spellings<T> {
  /** One more than the number of an entry, by the hash of its word. */
  #table = new Uint32Array(PLACES)
  #hashes = new Uint32Array(PLACES / 2)
  readonly #words: string[] = []
  readonly #values: T[] = []

  /** Words that are known. */
  get size(): number {
    return this.#words.length
  }

  /** Bytes of memory without those of the values, about. */
  get bytes(): number {
    return this.size * ENTRY_BYTES + this.#table.byteLength + this.#hashes.byteLength
  }

  /**
   * What is known of the word at `from` to `to` (exclusive) of a text, which by default is all of it. Capital letters
   * of ASCII there count as small ones.
   */
  find(text: string, from = 0, to = text.length): T | undefined {
    const table = this.#table
    const wanted = hash(text, from, to)
    for (let place = wanted & (table.length - 1); table[place] !== 0; place = (place + 1) & (table.length - 1)) {
      const entry = table[place] - 1
      if (this.#hashes[entry] === wanted && same(this.#words[entry], text, from, to)) return this.#values[entry]
    }
    return undefined
  }

  /** @param word without capital letters of ASCII; not known yet. */
  add(word: string, value: T): void {
    const entry = this.#words.push(word) - 1
    this.#values.push(value)
    if (entry === this.#hashes.length) this.#grow()
    this.#hashes[entry] = hash(word, 0, word.length)
    this.#enter(entry)
  }

  /** Forgets all. */
  clear(): void {
    this.#table = new Uint32Array(PLACES)
    this.#hashes = new Uint32Array(PLACES / 2)
    this.#words.length = 0
    this.#values.length = 0
  }

  #enter(entry: number): void {
    const table = this.#table
    let place = this.#hashes[entry] & (table.length - 1)
    while (table[place] !== 0) place = (place + 1) & (table.length - 1)
    table[place] = entry + 1
  }

  /** At most half of the places are taken. */
  #grow(): void {
    const hashes = this.#hashes
    this.#hashes = new Uint32Array(2 * hashes.length)
    this.#hashes.set(hashes)
    this.#table = new Uint32Array(2 * this.#table.length)
    for (let entry = 0; entry < hashes.length; entry++) this.#enter(entry)
  }
}

/** FNV-1a over UTF-16 units, 32 bits (Fowler, Noll and Vo), with a last mix of its high bits into the low ones. */
function hash(text: string, from: number, to: number): number {
  let h = 0x811c9dc5
  for (let i = from; i < to; i++) h = Math.imul(h ^ small(text.charCodeAt(i)), 0x01000193)
  return (h ^ (h >>> 15)) >>> 0
}

function same(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false
  for (let i = from; i < to; i++) if (word.charCodeAt(i - from) !== small(text.charCodeAt(i))) return false
  return true
}

function small(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit
}
