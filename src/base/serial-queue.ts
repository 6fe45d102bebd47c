/** Runs work one after the other, in the order in which it was asked for, whether or not what came before failed. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` once all work before it has ended. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    // Without the result, which would be kept until the next one.
    this.#last = done.then(nothing, nothing)
    return done
  }
}

function nothing(): void {}
