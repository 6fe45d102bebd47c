/**
 * Lets calls through in the order in which they come, as long as what they carry together is within a bound. One that
 * carries more goes alone.
 */
export class Gate {
  readonly #most: number
  readonly #waiting: { readonly load: number; readonly pass: () => void }[] = []
  #inside = 0

  /** @param most what may be inside at once. */
  constructor(most: number) {
    this.#most = most
  }

  /** Passes at once (`undefined`), or resolves when there is room; `leave` with the same load makes it free again. */
  enter(load: number): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#hasRoom(load)) {
      this.#inside += load
      return undefined
    }
    return new Promise((pass) => this.#waiting.push({ load, pass }))
  }

  leave(load: number): void {
    this.#inside -= load
    while (this.#waiting.length > 0 && this.#hasRoom(this.#waiting[0].load)) {
      const { load, pass } = this.#waiting.shift()!
      this.#inside += load
      pass()
    }
  }

  #hasRoom(load: number): boolean {
    return this.#inside === 0 || this.#inside + load <= this.#most
  }
}
