import type { StorageEvent } from '../core/agidb.js'
import { AgidbError } from '../core/errors.js'
import type { BlockFile } from './block-file.js'
import type { Tables, TablesState } from './indexeddb.js'
import type { Journal } from './journal.js'
import type { Cursor } from './scan.js'
import { writeSentinel } from './sentinel.js'

/** Changes in one transaction, where there are so many. */
const BATCH = 200
/** How many must be waiting for the mirror to start at once. */
const EAGER = 100
/** How long fewer may wait. */
const IDLE_MS = 300

/**
 * Follows a journal and applies what was committed to the tables, behind the acknowledgements. It
 * queues nothing: it reads the journal from where the tables are to where the journal ends.
 */
export class Mirror {
  private running: Promise<void> | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private failure: unknown
  private waiting = 0

  /** `from`: where the tables are. `sentinel`: the file that remembers how far they came. */
  constructor(
    private readonly tables: Tables,
    private journal: Journal,
    private readonly sentinel: BlockFile,
    private readonly report: (event: StorageEvent) => void,
    private from: Cursor,
  ) {}

  /** To be called after commits, with the number of their changes. */
  follow(changes: number): void {
    this.waiting += changes
    if (this.running) return
    clearTimeout(this.timer)
    if (this.waiting >= EAGER) void this.run()
    else this.timer = setTimeout(() => void this.run(), IDLE_MS)
  }

  /** Resolves when the tables have all that the journal has. Rejects with what keeps them from it. */
  async catchUp(): Promise<void> {
    clearTimeout(this.timer)
    await this.running
    await this.run()
    if (this.failure !== undefined) throw this.failure
  }

  /** Follows another journal with the same content, when nothing is committed. */
  async moveTo(journal: Journal): Promise<void> {
    // What cannot be brought up to date now is brought to the end of the other journal later, from its start.
    await this.catchUp().catch(() => undefined)
    const upToDate = this.from.lsn === this.journal.end.lsn
    this.journal = journal
    this.from = upToDate ? journal.end : journal.start
    if (upToDate) await this.tables.setState(stateAfter(journal, journal.end)).catch((error: unknown) => (this.failure = error))
  }

  private run(): Promise<void> {
    this.running ??= this.applyAll().finally(() => (this.running = undefined))
    return this.running
  }

  private async applyAll(): Promise<void> {
    try {
      while (this.from.lsn < this.journal.end.lsn) {
        this.waiting = 0
        await this.applyBatch()
      }
      this.failure = undefined
    } catch (error) {
      if (this.failure === undefined) {
        const message = 'IndexedDB could not be brought up to date; the journal has everything, and it is tried again'
        this.report({ kind: 'mirror-failed', message, details: { reason: String(error) } })
      }
      this.failure = error
    }
  }

  private async applyBatch(): Promise<void> {
    const { from, journal } = this
    const { changes, next } = await journal.changesFrom(from, BATCH)
    let found: TablesState | undefined
    try {
      await this.tables.apply(changes, 'relaxed', (now) => {
        found = now
        if ((now?.appliedLsn ?? journal.start.lsn) !== from.lsn) throw new Moved()
        return stateAfter(journal, next)
      })
    } catch (error) {
      if (!(error instanceof Moved)) throw error
      if (found && found.databaseId !== journal.header.databaseId) {
        throw new AgidbError('AGIDB_FOREIGN_FILE', `IndexedDB has another database under the name ${this.tables.name}`)
      }
      // The tables are not where they were left: they were wiped while they were in use.
      const message = 'IndexedDB lost its copy while the database was open; it is being rebuilt from the journal'
      this.report({ kind: 'mirror-wiped', message, details: { lsn: from.lsn } })
      if (found) await this.tables.clear()
      this.from = journal.start
      return
    }
    this.from = next
    await writeSentinel(this.sentinel, next.lsn)
  }
}

/** The tables are not where the mirror left them. */
class Moved extends Error {}

/** The state of tables that have all commits of a journal before a cursor. */
export function stateAfter(journal: Journal, { lsn, at }: Cursor): TablesState {
  const { databaseId, createdAt, epoch } = journal.header
  return { databaseId, createdAt, role: 'mirror', nextSlot: journal.nextSlot, appliedLsn: lsn, appliedAt: at, epoch }
}
