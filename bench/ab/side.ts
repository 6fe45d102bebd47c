import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Reply, Taken, Task } from './tasks.js'

/** A running process that does tasks with one version of the library. */
export class Side {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /**
   * Starts a process and waits until it has loaded the library.
   *
   * @param program the bundled child
   * @param args its arguments
   */
  static async start(program: string, args: readonly string[]): Promise<Side> {
    const side = new Side(fork(program, args, { execArgv: ['--expose-gc'] }))
    await side.#reply()
    return side
  }

  /** Does a task. Rejects with the error of the process. */
  async do(task: Task): Promise<Taken> {
    this.#child.send(task)
    return this.#reply()
  }

  /** Ends the process. */
  async end(): Promise<void> {
    await this.do('end')
    this.#child.disconnect()
    if (this.#child.exitCode === null) await once(this.#child, 'exit')
  }

  /** Stops the process, whatever it does. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async #reply(): Promise<Taken> {
    const ended = new AbortController()
    const exit = once(this.#child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
      throw new Error(`the process ended with ${code ?? signal}`)
    })
    exit.catch(() => {})
    const message = once(this.#child, 'message', { signal: ended.signal })
    message.catch(() => {})
    try {
      const [reply] = (await Promise.race([message, exit])) as [Reply]
      if (reply.error !== undefined) throw new Error(reply.error)
      return reply.taken
    } finally {
      ended.abort()
    }
  }
}
