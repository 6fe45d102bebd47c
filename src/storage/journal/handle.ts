import { SerialQueue } from '../../base/serial-queue.js'
import { AgidbError } from '../../base/errors.js'

/**
 * What an open storage holds. After `close` everything is refused with `AGIDB_CLOSED`; changes run one at a time, in
 * the order in which they were asked for.
 */
export class Handle<T> {
  /** `undefined` once it is closed. */
  private held: T | undefined
  /** Changes, and the closing. */
  private readonly queue = new SerialQueue()

  /** @param name of what is open, for messages. */
  constructor(
    private readonly name: string,
    held: T,
  ) {
    this.held = held
  }

  /** Holds something else from now on. */
  set(held: T): void {
    this.held = held
  }

  get isOpen(): boolean {
    return this.held !== undefined
  }

  /** What is open. Throws `AGIDB_CLOSED`. */
  get(): T {
    if (this.held === undefined) throw new AgidbError('AGIDB_CLOSED', `${this.name} is not open`)
    return this.held
  }

  /** Runs after the changes before it. Rejects with `AGIDB_CLOSED`, too. */
  change<R>(work: (held: T) => Promise<R>): Promise<R> {
    return this.queue.run(() => work(this.get()))
  }

  /** Resolves when the changes so far are over. */
  async idle(): Promise<void> {
    this.get()
    await this.queue.run(() => {})
  }

  /** Lets go, after the changes before it; whatever `release` does, nothing is open from then on. */
  close(release: (held: T) => Promise<void>): Promise<void> {
    return this.queue.run(async () => {
      const { held } = this
      this.held = undefined
      if (held !== undefined) await release(held)
    })
  }
}
