/**
 * What waits to be taken in, one after the other and never more than so many: where one more comes, the one that waits
 * longest is dropped, since what came last says more of what is now.
 */
export class Waiting<T> {
  readonly #most: number
  readonly #take: (item: T) => Promise<void>
  readonly #dropped: () => void
  readonly #items: T[] = []
  #taking: Promise<void> | undefined

  /**
   * @param most items that wait beside the one that is being taken in
   * @param take takes an item in. It rejects never.
   * @param dropped called for each item that is dropped
   */
  constructor(most: number, take: (item: T) => Promise<void>, dropped: () => void) {
    this.#most = most
    this.#take = take
    this.#dropped = dropped
  }

  /** Items that wait. */
  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    this.#items.push(item)
    this.#taking ??= this.#takeAll()
    if (this.#items.length > this.#most) {
      this.#items.shift()
      this.#dropped()
    }
  }

  /** Drops all that wait. */
  clear(): void {
    for (const _ of this.#items.splice(0)) this.#dropped()
  }

  /** Resolves when nothing waits and nothing is being taken in. */
  async idle(): Promise<void> {
    await this.#taking
  }

  async #takeAll(): Promise<void> {
    for (let item = this.#items.shift(); item !== undefined; item = this.#items.shift()) await this.#take(item)
    this.#taking = undefined
  }
}
