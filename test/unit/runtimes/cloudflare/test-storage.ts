import Database from 'libsql'
import type { ObjectStorage } from '../../../../src/runtimes/cloudflare/storage.js'

/** The storage of an object over SQLite; its alarm is a time, which comes when a test says so. */
export class TestStorage implements ObjectStorage {
  alarm: number | null = null
  readonly #database = new Database(':memory:')
  readonly sql = {
    databaseSize: 0,
    exec: (query: string, ...values: unknown[]) => {
      const statement = this.#database.prepare(query)
      const rows: unknown[] = statement.reader ? statement.all(...values) : []
      if (!statement.reader) statement.run(...values)
      return { toArray: () => rows }
    },
  }

  transactionSync<T>(work: () => T): T {
    return this.#database.transaction(work)() as T
  }

  async sync(): Promise<void> {}

  async getAlarm(): Promise<number | null> {
    return this.alarm
  }

  async setAlarm(at: number): Promise<void> {
    this.alarm = at
  }
}
