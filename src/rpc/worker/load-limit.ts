/**
 * Lets calls through in the order in which they come, as long as their loads together are within a limit. A call whose
 * load alone is over it runs when no other does.
 */
export class LoadLimit {
  readonly #most: number
  readonly #waiting: { readonly load: number; readonly start: () => void }[] = []
  #running = 0

  /** @param most the sum of loads that may run at once. */
  constructor(most: number) {
    this.#most = most
  }

  /** `undefined` when the call may start at once, or resolves when it may; {@link release} the same load after it. */
  acquire(load: number): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#hasRoom(load)) {
      this.#running += load
      return undefined
    }
    return new Promise((start) => this.#waiting.push({ load, start }))
  }

  release(load: number): void {
    this.#running -= load
    while (this.#waiting.length > 0 && this.#hasRoom(this.#waiting[0].load)) {
      const { load, start } = this.#waiting.shift()!
      this.#running += load
      start()
    }
  }

  #hasRoom(load: number): boolean {
    return this.#running === 0 || this.#running + load <= this.#most
  }
}
