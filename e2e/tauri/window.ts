import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const PORT = 4455
const ADDRESS = `http://127.0.0.1:${PORT}`
const PATIENCE_MS = 30_000

/** A window of an app of Tauri on Linux, which WebKitWebDriver drives. It ends by a kill. */
export class Window {
  readonly #driver: ChildProcess
  readonly #session: string

  private constructor(driver: ChildProcess, session: string) {
    this.#driver = driver
    this.#session = session
  }

  /**
   * Starts an app.
   *
   * @param data the folder where the webview keeps what pages store; the same one again after a kill.
   */
  static async open(binary: string, data: string): Promise<Window> {
    const env = {
      ...process.env,
      ...{ HOME: data, XDG_DATA_HOME: data, XDG_CACHE_HOME: data },
      ...{ TAURI_AUTOMATION: 'true', TAURI_WEBVIEW_AUTOMATION: 'true' },
    }
    // In a process group of its own, so that the app and its webview are killed with it.
    const driver = spawn('WebKitWebDriver', [`--port=${PORT}`], { detached: true, stdio: 'ignore', env })
    try {
      const options = { 'webkitgtk:browserOptions': { binary, args: [] } }
      const session = await eventually('WebKitWebDriver', () =>
        asked<{ sessionId: string }>('/session', { capabilities: { alwaysMatch: options } }),
      )
      return new Window(driver, session.sessionId)
    } catch (error) {
      await killed(driver)
      throw error
    }
  }

  /** Runs a script in the page, as the body of a function, until it answers something. */
  run<T>(script: string, ...args: unknown[]): Promise<T> {
    const path = `/session/${this.#session}/execute/sync`
    return eventually(script, () => asked<T | null>(path, { script, args }))
  }

  /** Kills the app and all of its processes at once. */
  kill(): Promise<void> {
    return killed(this.#driver)
  }
}

async function eventually<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  let failure: unknown
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(50)) {
    const answer = await ask().catch((error: unknown) => {
      failure = error
      return null
    })
    if (answer !== null) return answer
  }
  throw new Error(`nothing came in ${PATIENCE_MS / 1000} s: ${what}`, { cause: failure })
}

async function asked<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(ADDRESS + path, { method: 'POST', body: JSON.stringify(body) })
  const { value } = (await response.json()) as { value: T & { message?: string } }
  if (!response.ok) throw new Error(value.message)
  return value
}

async function killed({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
    for (const until = Date.now() + 10_000; Date.now() < until; await sleep(20)) process.kill(-pid, 0)
  } catch {
    // The group is gone.
  }
}
