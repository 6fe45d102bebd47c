import type { SqliteDatabase } from '../../storage/adapters/sqlite/database.js'
import type { LooseKey, LooseKeys } from '../../storage/media/loose-keys.js'
import { REFERENCE_TAG } from '../../storage/media/media-row.js'

/** The list of loose keys of one memory, as a table beside those of its rows. */
export class LooseKeyTable implements LooseKeys {
  readonly #database: SqliteDatabase
  readonly #name: string
  readonly #rows: string
  readonly #added: () => Promise<void>

  /**
   * @param prefix of the tables of the memory.
   * @param added called when keys were added, which are to be looked at again some time.
   */
  constructor(database: SqliteDatabase, prefix: string, added: () => Promise<void>) {
    this.#database = database
    this.#name = `${prefix}_media`
    this.#rows = `${prefix}_rows`
    this.#added = added
  }

  /** Whether the memory has objects in a bucket: those of its rows, or such that are to be deleted. */
  refersToBucket(): boolean {
    const { run } = this.#database
    // A memory that never had any is not read through.
    if (!this.#isThere()) return false
    const first = `SELECT 1 FROM ${this.#rows} WHERE substr(bytes, 1, 1) = ? LIMIT 1`
    return run(`SELECT 1 FROM ${this.#name} LIMIT 1`).length + run(first, Uint8Array.of(REFERENCE_TAG)).length > 0
  }

  async all(): Promise<readonly LooseKey[]> {
    if (!this.#isThere()) return []
    return this.#database.run(`SELECT key, since FROM ${this.#name}`) as unknown as LooseKey[]
  }

  async add(keys: readonly LooseKey[]): Promise<void> {
    const { run } = this.#database
    this.#database.transaction(() => {
      run(`CREATE TABLE IF NOT EXISTS ${this.#name} (key TEXT PRIMARY KEY, since INTEGER NOT NULL)`)
      for (const { key, since } of keys) run(`INSERT OR REPLACE INTO ${this.#name} VALUES (?, ?)`, key, since)
    })
    await this.#added()
    await this.#database.flush()
  }

  async drop(keys: readonly string[]): Promise<void> {
    if (keys.length === 0 || !this.#isThere()) return
    for (const key of keys) this.#database.run(`DELETE FROM ${this.#name} WHERE key = ?`, key)
  }

  #isThere(): boolean {
    const statement = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`
    return this.#database.run(statement, this.#name).length > 0
  }
}
