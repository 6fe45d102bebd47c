/** The calls of one client that run in the engine's thread, each by the number that the client gave it. */
export class RunningCalls {
  readonly #running = new Map<number, AbortController>()

  has(call: number): boolean {
    return this.#running.has(call)
  }

  /** The signal by which the call can be aborted until {@link end}. */
  begin(call: number): AbortSignal {
    const controller = new AbortController()
    this.#running.set(call, controller)
    return controller.signal
  }

  end(call: number): void {
    this.#running.delete(call)
  }

  /** Aborts a call. Does nothing when it has ended. */
  abort(call: number): void {
    this.#running.get(call)?.abort()
  }

  /** Aborts all calls and forgets them. */
  abortAll(): void {
    for (const controller of this.#running.values()) controller.abort()
    this.#running.clear()
  }
}
