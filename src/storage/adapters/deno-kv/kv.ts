import { AgidbError } from '../../../base/errors.js'

/** A part of a key. */
export type KvKeyPart = string | number

/** An entry: `versionstamp` is null where the key has no value, and changes with each value. */
export interface KvEntry {
  readonly key: readonly unknown[]
  readonly value: unknown
  readonly versionstamp: string | null
}

/** That an entry is as it was read. */
export interface KvCheck {
  readonly key: readonly KvKeyPart[]
  readonly versionstamp: string | null
}

/** What is committed at once, or not at all. */
export interface KvAtomic {
  check(...checks: KvCheck[]): KvAtomic
  set(key: readonly KvKeyPart[], value: unknown): KvAtomic
  delete(key: readonly KvKeyPart[]): KvAtomic
  commit(): Promise<{ readonly ok: boolean; readonly versionstamp?: string }>
}

/** What the adapter needs of a `Deno.Kv`. */
export interface DenoKv {
  get(key: readonly KvKeyPart[]): Promise<KvEntry>
  list(
    range: { readonly start: readonly KvKeyPart[]; readonly end: readonly KvKeyPart[] },
    options: { readonly batchSize: number },
  ): AsyncIterable<KvEntry>
  atomic(): KvAtomic
}

/** How often what the local database refuses is tried again, and the milliseconds before the first time. */
const [ATTEMPTS, PAUSE_MS] = [6, 10]

/**
 * Answers what `work` resolves to. What Deno KV throws becomes `AGIDB_STORAGE`. A file that another connection is
 * writing to is refused as locked: nothing has changed then, and it is tried again.
 */
export async function guarded<T>(doing: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof AgidbError) throw cause
      const reason = cause instanceof Error ? cause.message : String(cause)
      if (attempt === ATTEMPTS || !reason.includes('database is locked'))
        throw new AgidbError('AGIDB_STORAGE', `Deno KV failed ${doing}: ${reason}`, {}, { cause })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (attempt - 1)))
    }
  }
}
