import type { Engine } from '../../engine/engine.js'

/** The engine of a scope as one user has it. */
export interface UsedEngine {
  readonly engine: Engine
  /** Closes it once nobody uses it. Safe to call twice. */
  release(): Promise<void>
}

/** An engine and those who use it. */
interface Shared {
  readonly opening: Promise<Engine>
  users: number
  closing?: Promise<void>
}

/** The engines of scopes by their keys: each is open as long as the program or an alarm uses it, and only once. */
export class OpenScopes {
  readonly #open: (scope: string) => Promise<Engine>
  readonly #shared = new Map<string, Shared>()

  constructor(open: (scope: string) => Promise<Engine>) {
    this.#open = open
  }

  /** @throws AgidbError what opening throws. */
  async use(scope: string): Promise<UsedEngine> {
    for (let shared = this.#shared.get(scope); shared?.closing !== undefined; shared = this.#shared.get(scope))
      await shared.closing.catch(() => {})
    const shared = this.#shared.get(scope) ?? { opening: this.#open(scope), users: 0 }
    this.#shared.set(scope, shared)
    shared.users++
    let released: Promise<void> | undefined
    const release = () => (released ??= this.#release(scope, shared))
    try {
      return { engine: await shared.opening, release }
    } catch (error) {
      await release()
      throw error
    }
  }

  async #release(scope: string, shared: Shared): Promise<void> {
    if (--shared.users > 0) return
    shared.closing = shared.opening
      .then(
        (engine) => engine.close(),
        () => {}, // Who asked for it was told.
      )
      .finally(() => this.#shared.delete(scope))
    await shared.closing
  }
}
