import { SerialQueue } from '../../base/serial-queue.js'
import type { ObjectStorage } from './storage.js'

/** The longest time until an alarm, for what is to be forgotten still later. */
export const LONGEST_MS = 365 * 86_400_000
/** The memory of an object in the table; others are scopes by their keys. */
const OWN = ''
/** The table that each memory of an object has, by its key. */
const STATE_TABLE = /^agidb(?:_([0-9a-f]{32}))?_state$/

/**
 * The one alarm of an object, which serves its memory and those of its scopes. A table has the time at which each is
 * to be looked at, so that it is also known after the object was evicted.
 */
export class Alarms {
  readonly #storage: ObjectStorage
  readonly #pauseMs: () => number
  /** Memories that were changed since {@link Alarms.attend} began with them. */
  readonly #changed = new Set<string>()
  /** One setting of the alarm after the other, so that none makes it later. */
  readonly #settings = new SerialQueue()
  #isAttending = false
  #hasTable = false

  /** @param pauseMs how long after a change a memory is looked at, in milliseconds. */
  constructor(storage: ObjectStorage, pauseMs: () => number) {
    this.#storage = storage
    this.#pauseMs = pauseMs
  }

  /** A memory was changed: it is due after the pause, unless it is due earlier. Resolves when the alarm is set. */
  async changed(scope?: string): Promise<void> {
    const memory = scope ?? OWN
    this.#changed.add(memory)
    this.#list(memory, Date.now() + this.#pauseMs())
    await this.set()
  }

  /**
   * Looks at what is due.
   *
   * @param attend looks at a memory, and answers in how many milliseconds more of it will be due; `Infinity` for never.
   * @throws what `attend` threw first, once it was called for all; those for which it threw are due again after the
   * pause.
   */
  async attend(attend: (scope: string | undefined) => Promise<number>): Promise<void> {
    this.#makeTable()
    const failures: unknown[] = []
    this.#isAttending = true
    try {
      for (const memory of this.#due(Date.now())) {
        this.#changed.delete(memory)
        const untilDue = await attend(memory === OWN ? undefined : memory).catch((error: unknown) => {
          failures.push(error)
          return 0
        })
        this.#again(memory, untilDue)
      }
    } finally {
      this.#isAttending = false
    }
    await this.set()
    if (failures.length > 0) throw failures[0]
  }

  /**
   * Sets the alarm for what is due first, unless it comes earlier already.
   *
   * @param isFirst whether the object was just made: an alarm that is overdue may never come then, since workerd by
   * itself knows no alarms of before it was started. Default false.
   */
  set(isFirst = false): Promise<void> {
    const set = async (): Promise<void> => {
      // What is due now is being looked at, and then the alarm is set for what is due next.
      if (this.#isAttending) return
      this.#makeTable()
      const [first] = this.#run('SELECT min(at) AS at FROM agidb_due') as { readonly at: number | null }[]
      if (first.at === null) return
      const [now, alarm] = [Date.now(), await this.#storage.getAlarm()]
      const isOverdue = isFirst && alarm !== null && alarm < now
      if (alarm === null || alarm > first.at || isOverdue) await this.#storage.setAlarm(Math.max(now, first.at))
    }
    return this.#settings.run(set)
  }

  #due(now: number): string[] {
    const rows = this.#run('SELECT memory FROM agidb_due WHERE at <= ? ORDER BY at', now)
    return (rows as { readonly memory: string }[]).map(({ memory }) => memory)
  }

  #list(memory: string, at: number): void {
    this.#makeTable()
    const statement = `INSERT INTO agidb_due VALUES (?, ?)
      ON CONFLICT (memory) DO UPDATE SET at = excluded.at WHERE excluded.at < at`
    this.#run(statement, memory, at)
  }

  /** Lists a memory that was looked at for the next time, if there is one. */
  #again(memory: string, untilDue: number): void {
    const next = Math.min(Math.max(untilDue, this.#pauseMs()), LONGEST_MS)
    this.#run('DELETE FROM agidb_due WHERE memory = ?', memory)
    if (this.#changed.has(memory)) this.#list(memory, Date.now() + this.#pauseMs())
    else if (untilDue < Infinity) this.#list(memory, Date.now() + next)
  }

  /** Makes the table where it is not there; memories that are older than the table are due now. */
  #makeTable(): void {
    if (this.#hasTable) return
    const tables = this.#run(`SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'agidb_*'`)
    const names = (tables as { readonly name: string }[]).map(({ name }) => name)
    if (!names.includes('agidb_due'))
      this.#storage.transactionSync(() => {
        this.#run('CREATE TABLE agidb_due (memory TEXT PRIMARY KEY, at INTEGER NOT NULL)')
        for (const name of names) {
          const state = STATE_TABLE.exec(name)
          if (state !== null) this.#run('INSERT INTO agidb_due VALUES (?, ?)', state[1] ?? OWN, Date.now())
        }
      })
    this.#hasTable = true
  }

  #run(statement: string, ...values: unknown[]): unknown[] {
    return this.#storage.sql.exec(statement, ...values).toArray()
  }
}
