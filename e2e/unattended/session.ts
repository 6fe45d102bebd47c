import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from './browsers.js'

/** One run of a browser: from its start to its end, which is always a kill. */
export class Session {
  readonly #process: ChildProcess
  readonly #ended: Promise<void>
  #running = true

  private constructor(process: ChildProcess) {
    this.#process = process
    this.#ended = new Promise((resolve) => {
      process.once('exit', resolve)
      process.once('error', resolve)
    }).then(() => void (this.#running = false))
  }

  static async start(browser: Browser, url: string, profile: string, shy = false): Promise<Session> {
    return new Session(await browser.start(url, profile, shy))
  }

  get running(): boolean {
    return this.#running
  }

  /** Kills the browser and all of its processes at once. Resolves when they are gone. */
  async kill(): Promise<void> {
    const { pid } = this.#process
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
      for (const until = Date.now() + 10_000; Date.now() < until; await sleep(20)) process.kill(-pid, 0)
    } catch {
      // The group is gone.
    }
    await this.#ended
  }
}
