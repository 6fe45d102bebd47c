import type { Channel, Locks, LockWish, TabEnvironment } from '../../../../src/rpc/tabs/environment.js'

interface Wish {
  readonly name: string
  readonly of: FakePlace
  readonly held: (lock: unknown) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * What the tabs of an origin share, in one thread: each tab has a place of its own in it, and can die or fall asleep
 * there.
 */
export class Origin {
  readonly #held = new Map<string, Wish>()
  #queue: Wish[] = []
  readonly channels = new Set<FakeChannel>()

  place(): FakePlace {
    return new FakePlace(this)
  }

  request(of: FakePlace, name: string, { signal, steal, ifAvailable }: LockWish, held: Wish['held']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (of.isDead) return
      const wish: Wish = { name, of, held, resolve, reject }
      if (steal) {
        const before = this.#held.get(name)
        this.#held.delete(name)
        if (before !== undefined) before.of.later(() => before.reject(new DOMException('stolen', 'AbortError')))
        return this.#grant(wish)
      }
      if (!this.#held.has(name)) return this.#grant(wish)
      if (ifAvailable) return void held(null).then(resolve, reject)
      this.#queue.push(wish)
      signal?.addEventListener('abort', () => {
        this.#queue = this.#queue.filter((other) => other !== wish)
        reject(signal.reason)
      })
    })
  }

  /** The tab is gone with all that it held. */
  kill(place: FakePlace): void {
    this.#queue = this.#queue.filter(({ of }) => of !== place)
    for (const channel of [...this.channels]) if (channel.of === place) this.channels.delete(channel)
    for (const wish of [...this.#held.values()]) if (wish.of === place) this.#release(wish)
  }

  #grant(wish: Wish): void {
    this.#held.set(wish.name, wish)
    wish.of.later(() => {
      void Promise.resolve()
        .then(() => wish.held({ name: wish.name }))
        .then(wish.resolve, wish.reject)
        .finally(() => this.#release(wish))
    })
  }

  #release(wish: Wish): void {
    if (this.#held.get(wish.name) !== wish) return
    this.#held.delete(wish.name)
    const next = this.#queue.findIndex(({ name }) => name === wish.name)
    if (next >= 0) this.#grant(...(this.#queue.splice(next, 1) as [Wish]))
  }
}

export class FakePlace implements TabEnvironment {
  readonly #origin: Origin
  readonly #waiting: (() => void)[] = []
  readonly #deaths: (() => void)[] = []
  isDead = false
  /** Told of what this tab posts. */
  posts: (message: unknown) => void = () => {}
  #asleep = false

  constructor(origin: Origin) {
    this.#origin = origin
  }

  readonly locks: Locks = {
    request: (name, options, held) => this.#origin.request(this, name, options, held) as ReturnType<typeof held>,
  }

  readonly channel = (name: string): Channel => new FakeChannel(name, this, this.#origin.channels)

  /** Runs something in this tab's event loop, if it still has one. */
  later(task: () => void): void {
    setImmediate(() => {
      if (this.isDead) return
      if (this.#asleep) this.#waiting.push(task)
      else task()
    })
  }

  die(): void {
    this.isDead = true
    this.#origin.kill(this)
    for (const told of this.#deaths) told()
  }

  onDeath(told: () => void): void {
    if (this.isDead) told()
    else this.#deaths.push(told)
  }

  /** As a page that is frozen: it hears and does nothing. */
  sleep(): void {
    this.#asleep = true
  }

  wake(): void {
    this.#asleep = false
    for (const task of this.#waiting.splice(0)) task()
  }
}

class FakeChannel implements Channel {
  onmessage: Channel['onmessage'] = null
  #closed = false

  constructor(
    readonly name: string,
    readonly of: FakePlace,
    private readonly all: Set<FakeChannel>,
  ) {
    all.add(this)
  }

  postMessage(message: unknown): void {
    if (this.of.isDead) return
    if (this.#closed) throw new DOMException('closed', 'InvalidStateError')
    const data: unknown = structuredClone(message)
    this.of.posts(data)
    for (const other of this.all) {
      if (other === this || other.name !== this.name) continue
      other.of.later(() => {
        if (!other.#closed) other.onmessage?.({ data })
      })
    }
  }

  close(): void {
    this.#closed = true
    this.all.delete(this)
  }
}
