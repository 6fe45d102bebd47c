import { existsSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** A Chromium with a profile on disk that can be killed at once, with all of its processes. */
export class Browser {
  readonly page: Page
  /** Resolves when it is gone. */
  readonly closed: Promise<void>
  readonly #pid: number
  #isKilled = false

  private constructor(context: BrowserContext, page: Page, pid: number) {
    this.page = page
    this.#pid = pid
    this.closed = new Promise((resolve) => context.once('close', () => resolve()))
  }

  static async start(profile: string): Promise<Browser> {
    const context = await chromium.launchPersistentContext(profile, {
      ...(existsSync(EXECUTABLE) && { executablePath: EXECUTABLE }),
      args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    })
    // Chromium's lock names its process: host-number.
    const lock = await readlink(join(profile, 'SingletonLock'))
    const pid = Number(lock.slice(lock.lastIndexOf('-') + 1))
    if (!(pid > 1)) throw new Error(`the lock of the profile names no process: ${lock}`)
    return new Browser(context, context.pages()[0] ?? (await context.newPage()), pid)
  }

  get isKilled(): boolean {
    return this.#isKilled
  }

  kill(): void {
    if (!this.#isKilled) process.kill(-this.#pid, 'SIGKILL')
    this.#isKilled = true
  }
}
