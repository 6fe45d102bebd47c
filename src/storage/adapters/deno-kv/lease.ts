// Deno KV has no sessions, so it does not tell that a process ended. The owner of a memory renews an entry, and an
// entry that was not renewed for a while counts as abandoned. Every write checks the entry of the owner, so a process
// that lost its entry by mistake, as when it was stopped for a time, can write nothing any more.
import { AgidbError } from '../../../base/errors.js'
import { guarded, type DenoKv, type KvCheck, type KvKeyPart } from './kv.js'

/** Renewals in the time after which a lease counts as left behind. */
const RENEWALS = 4

/** That this program has a memory open. */
export class Lease {
  /** Part of every write: fails once another program has the memory. */
  readonly check: KvCheck
  readonly #kv: DenoKv
  readonly #renewed: readonly KvKeyPart[]
  readonly #ms: number
  #timer: ReturnType<typeof setTimeout> | undefined

  private constructor(kv: DenoKv, check: KvCheck, renewed: readonly KvKeyPart[], ms: number) {
    this.#kv = kv
    this.check = check
    this.#renewed = renewed
    this.#ms = ms
    this.#arm()
  }

  /**
   * Takes a memory. Where it is taken, waits until that is renewed or until it counts as left behind.
   *
   * @param ms after which a lease that is not renewed counts as left behind.
   * @throws AgidbError `AGIDB_IN_USE`, `AGIDB_STORAGE`
   */
  static async take(kv: DenoKv, prefix: readonly KvKeyPart[], ms: number): Promise<Lease> {
    const [owner, renewed] = [
      [...prefix, 'owner'],
      [...prefix, 'renewed'],
    ]
    return guarded('taking the memory', async () => {
      const [held, last] = await left(kv, owner, renewed, ms)
      const taken = await kv
        .atomic()
        .check({ key: owner, versionstamp: held }, { key: renewed, versionstamp: last })
        .set(owner, crypto.randomUUID())
        .set(renewed, 0)
        .commit()
      if (!taken.ok) throw inUse(prefix)
      return new Lease(kv, { key: owner, versionstamp: taken.versionstamp! }, renewed, ms)
    })
  }

  /** Why a write failed its check. */
  async lost(): Promise<AgidbError> {
    this.#stop()
    const prefix = this.check.key.slice(0, -1)
    const { versionstamp } = await this.#kv.get(this.check.key)
    if (versionstamp !== null) return inUse(prefix)
    return new AgidbError('AGIDB_DELETED', `the memory ${prefix.join('/')} was deleted from Deno KV`, { prefix })
  }

  /** Lets go of the memory. */
  async release(): Promise<void> {
    this.#stop()
    await guarded('letting go of the memory', () =>
      this.#kv.atomic().check(this.check).delete(this.check.key).delete(this.#renewed).commit(),
    )
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #arm(): void {
    this.#timer = setTimeout(() => void this.#renew(), this.#ms / RENEWALS)
    unref(this.#timer)
  }

  async #renew(): Promise<void> {
    const count = crypto.randomUUID()
    try {
      const { ok } = await this.#kv.atomic().check(this.check).set(this.#renewed, count).commit()
      if (!ok) return // The next write is refused.
    } catch {
      // The next renewal may succeed.
    }
    if (this.#timer !== undefined) this.#arm()
  }
}

/** Waits until a memory is free or left behind, and answers the versions of its two entries. */
async function left(
  kv: DenoKv,
  owner: readonly KvKeyPart[],
  renewed: readonly KvKeyPart[],
  ms: number,
): Promise<readonly [owner: string | null, renewed: string | null]> {
  const look = async () => {
    const [held, last] = await Promise.all([kv.get(owner), kv.get(renewed)])
    return [held.versionstamp, last.versionstamp] as const
  }
  const seen = await look()
  const since = performance.now()
  for (;;) {
    const now = await look()
    const [held, last] = now
    if (held === null) return now
    if (held !== seen[0] || last !== seen[1]) throw inUse(owner.slice(0, -1))
    if (performance.now() - since > ms) return now
    await new Promise((resolve) => setTimeout(resolve, ms / RENEWALS / 4))
  }
}

function inUse(prefix: readonly KvKeyPart[]): AgidbError {
  const message = `the memory ${prefix.join('/')} in Deno KV is open already: close it there first`
  return new AgidbError('AGIDB_IN_USE', message, { prefix })
}

/** A program that is done need not wait for a timer. */
function unref(timer: unknown): void {
  const { Deno } = globalThis as { readonly Deno?: { unrefTimer?(id: number): void } }
  if (typeof timer === 'number') Deno?.unrefTimer?.(timer)
  else (timer as { unref?(): void } | undefined)?.unref?.()
}
