import { wrap, type Remote as Wrapped } from 'comlink'
import type { Remote } from './remote.js'

let tabs = 0

/** Another tab with the library, with a browsing context group (and, in some browsers, a process) of its own. */
export class RemoteTab {
  readonly #channel: BroadcastChannel
  readonly #remote: Wrapped<Remote>

  private constructor(channel: BroadcastChannel) {
    this.#channel = channel
    this.#remote = wrap<Remote>(channel)
  }

  static async open(): Promise<RemoteTab> {
    const name = `?tab-${tabs++}-${Math.random()}`
    const channel = new BroadcastChannel(name)
    const ready = readiness(channel)
    open(`/e2e/pages/remote.html${name}`, '_blank', 'noopener')
    await ready
    return new RemoteTab(channel)
  }

  /** Runs a function in the tab. It may use the globals of the tab and its arguments, nothing else. */
  evaluate<A extends readonly unknown[], T>(work: (...args: A) => T | Promise<T>, ...args: A): Promise<T> {
    return this.#remote.evaluate(String(work), args) as Promise<T>
  }

  /** Loads the page again, without a word to what runs in it. */
  async reload(): Promise<void> {
    const ready = readiness(this.#channel)
    void this.evaluate(() => location.reload())
    await ready
  }

  close(): void {
    void this.evaluate(() => window.close())
  }
}

function readiness(channel: BroadcastChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the tab does not open')), 30_000)
    channel.addEventListener('message', function heard({ data }) {
      if (data !== 'ready') return
      clearTimeout(timer)
      channel.removeEventListener('message', heard)
      resolve()
    })
  })
}
