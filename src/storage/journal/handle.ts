import { AgidbError } from '../../base/errors.js'

/** What a storage has open. Refuses when nothing is, and lets one change to it run at a time. */
export class Handle<T> {
  private held: T | undefined
  /** The change or the closing that is under way. */
  private busy: Promise<unknown> = Promise.resolve()

  /** `name`: of what is opened, for messages. */
  constructor(private readonly name: string) {}

  hold(held: T): void {
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
    return this.queue(() => work(this.get()))
  }

  /** Resolves when the changes so far are over. */
  async idle(): Promise<void> {
    this.get()
    await this.busy
  }

  /** Lets go, after the changes before it; whatever `release` does, nothing is open from then on. */
  close(release: (held: T) => Promise<void>): Promise<void> {
    return this.queue(async () => {
      const { held } = this
      this.held = undefined
      if (held !== undefined) await release(held)
    })
  }

  private queue<R>(work: () => Promise<R>): Promise<R> {
    const done = this.busy.then(work)
    this.busy = done.catch(() => undefined)
    return done
  }
}
