import type { StorageEvent } from '../../api/stats.js'
import type { VerifyVisitor } from '../../api/storage.js'
import { stopwatch } from '../../base/clock.js'
import { AgidbError } from '../../base/errors.js'
import type { BlockFile } from '../block/block-file.js'
import type { Tables, TablesState } from './indexeddb.js'
import type { Journal } from '../journal/journal.js'
import type { FilePresence } from '../block/file-presence.js'
import type { Cursor } from '../journal/scan.js'
import { checkMirror } from './check-mirror.js'
import type { SecondCopy } from './second-copy.js'
import { writeSentinel } from './sentinel.js'

/** Changes in one transaction, where there are so many. */
const CHANGES_PER_BATCH = 512
/** How many must be waiting for the mirror to start at once. */
const EAGER = 100
/** How long fewer may wait. */
const IDLE_MS = 300
/** For how long after a commit more are expected. */
const BUSY_MS = 50
/** While commits follow upon commits, the mirror rests so many times as long as it worked: they come first. */
const RESTS = 3
/** How often to look how far it has come. */
const REACH_MS = 10
/**
 * How long to wait before tables that are suddenly empty are filled again. A browser that clears the data of a site
 * deletes IndexedDB and OPFS side by side: after this time a journal that is deleted with the tables is gone, too.
 */
const SETTLE_MS = 1000
/** For how long after the tables were lost a lost journal counts as deleted with them. */
const TOGETHER_MS = 60_000
/** How long closing waits for the mirror. What it lacks then it gets at the next opening. */
const CLOSE_MS = 1000

/**
 * Follows a journal and applies what was committed to the tables, behind the acknowledgements. It
 * queues nothing: it reads the journal from where the tables are to where the journal ends. IndexedDB takes
 * longer for an episode than the journal does, so under a long load the mirror falls behind, which costs no memory;
 * it goes on at a quarter of its speed and catches up when the load ends.
 */
export class Mirror implements SecondCopy {
  private running: Promise<void> | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private failure: unknown
  private waiting = 0
  private lastCommit = -Infinity
  /** Somebody waits for it. */
  private hurried = 0
  /** Those who wait until the tables have come to a commit. */
  private readonly reaching = new Set<{ readonly lsn: number; readonly resolve: () => void }>()
  private closing = false
  private halted = false
  /** When the tables were last lost or deleted under it. */
  private lostAt = -Infinity
  /** The emptying of tables that were filled again after they had been deleted with the journal. */
  private emptying: Promise<void> | undefined

  /**
   * @param sentinel the file that remembers how far the tables came.
   * @param from where the tables are.
   * @param presence whether the journal is still there: only then are its changes written to the tables.
   */
  constructor(
    private readonly tables: Tables,
    private journal: Journal,
    private readonly sentinel: BlockFile,
    private readonly report: (event: StorageEvent) => void,
    private from: Cursor,
    private readonly presence: FilePresence,
  ) {
    tables.onLost = () => {
      this.lostAt = stopwatch()
      void presence.isThere()
    }
    presence.onDeleted(() => this.halt())
  }

  follow(changes: number): void {
    this.waiting += changes
    if (changes > 0) this.lastCommit = performance.now()
    if (this.running !== undefined) return
    clearTimeout(this.timer)
    if (this.waiting >= EAGER) void this.run()
    else this.timer = setTimeout(() => void this.run(), IDLE_MS)
  }

  async catchUp(): Promise<void> {
    clearTimeout(this.timer)
    // Commits that follow are not waited for: there may be no end of them.
    const { lsn } = this.journal.end
    this.hurried++
    try {
      // The run that is under way may fail for a reason that has passed.
      for (let runs = 0; runs < 2 && this.from.lsn < lsn; runs++) await Promise.race([this.run(), this.reached(lsn)])
    } finally {
      this.hurried--
    }
    if (this.from.lsn < lsn && this.failure !== undefined) throw this.failure
  }

  /** Resolves when the tables have come to a commit, or cannot, or it is stopped. */
  async reach(lsn: number, stopped: () => boolean): Promise<void> {
    this.hurried++
    try {
      while (this.from.lsn < lsn && this.failure === undefined && !stopped()) {
        void this.run()
        await new Promise((resolve) => setTimeout(resolve, REACH_MS))
      }
    } finally {
      this.hurried--
    }
  }

  /**
   * Goes on with another journal, in which `placeOf` knows where a commit is; what is not known is begun from its
   * start.
   */
  async moveTo(journal: Journal, placeOf: (lsn: number) => Cursor | undefined): Promise<void> {
    this.halted = true
    await this.running
    this.halted = false
    const place = placeOf(this.from.lsn)
    this.journal = journal
    this.from = place ?? journal.start
    if (place) await this.tables.setState(stateAfter(journal, place)).catch((error: unknown) => (this.failure = error))
    this.follow(0)
  }

  async verify(findings: VerifyVisitor['findings']): Promise<void> {
    await checkMirror(this.tables, this.journal, findings)
  }

  /** Closes the tables, too. */
  async close(): Promise<void> {
    const timer = setTimeout(() => (this.closing = true), CLOSE_MS)
    // What keeps it back was reported, and the journal has everything.
    await this.catchUp().catch(() => undefined)
    await this.running
    await this.emptying
    clearTimeout(timer)
    await this.tables.close()
  }

  /**
   * Fills the tables anew, from another journal. If they cannot be emptied now, they are when the database is next
   * opened.
   */
  async startOverWith(journal: Journal): Promise<void> {
    this.halted = true
    clearTimeout(this.timer)
    await this.running
    this.journal = journal
    this.from = journal.start
    const emptied = await this.tables.clear().then(
      () => true,
      (error: unknown) => ((this.failure = error), false),
    )
    this.halted = !emptied
    if (emptied) this.follow(0)
  }

  async startOver(): Promise<void> {
    clearTimeout(this.timer)
    await this.running
    await this.tables.clear()
    this.from = this.journal.start
    await this.catchUp()
  }

  /**
   * Writes no more: the journal was deleted. Rows that were added to the tables after these were deleted as well are
   * removed again.
   */
  private halt(): void {
    this.halted = true
    clearTimeout(this.timer)
    if (stopwatch() - this.lostAt > TOGETHER_MS) return
    this.emptying = (this.running ?? Promise.resolve()).then(() => this.tables.clear()).catch(() => undefined)
  }

  private run(): Promise<void> {
    this.running ??= this.applyAll().finally(() => {
      this.running = undefined
      this.tellReached(Infinity)
    })
    return this.running
  }

  private async applyAll(): Promise<void> {
    try {
      while (this.from.lsn < this.journal.end.lsn && !this.closing && !this.halted) {
        this.waiting = 0
        const started = performance.now()
        await this.applyBatch()
        this.tellReached(this.from.lsn)
        await this.giveWay(RESTS * (performance.now() - started))
      }
      this.failure = undefined
    } catch (error) {
      if (this.failure === undefined && !this.presence.isDeleted) {
        const message = 'IndexedDB could not be brought up to date; the journal has everything, and it is tried again'
        this.report({ kind: 'mirror-failed', message, details: { reason: String(error) } })
      }
      this.failure = error
    }
  }

  /** Resolves when the tables have come to a commit, or the run that is under way ends. */
  private reached(lsn: number): Promise<void> {
    return new Promise((resolve) => this.reaching.add({ lsn, resolve }))
  }

  private tellReached(to: number): void {
    for (const waiter of this.reaching) {
      if (waiter.lsn > to) continue
      this.reaching.delete(waiter)
      waiter.resolve()
    }
  }

  /** Pauses for at most so long while commits go on and no caller waits. */
  private async giveWay(ms: number): Promise<void> {
    const end = performance.now() + ms
    for (
      let now = performance.now();
      now < end && now - this.lastCommit < BUSY_MS && this.hurried === 0;
      now = performance.now()
    ) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(BUSY_MS, end - now)))
    }
  }

  private async applyBatch(): Promise<void> {
    const { from, journal } = this
    await this.presence.expectNow()
    // What a crash of the machine could take from the journal, the tables must not have.
    await journal.flush()
    const { changes, next } = await journal.changesFrom(from, CHANGES_PER_BATCH, journal.flushed)
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
      // The tables are not where they were left: they were wiped while they were in use. With the journal, if somebody
      // wanted all of it gone.
      this.lostAt = stopwatch()
      for (let waited = 0; waited < SETTLE_MS && !this.closing && !this.halted; waited += REACH_MS) {
        await new Promise((resolve) => setTimeout(resolve, REACH_MS))
      }
      await this.presence.expectNow()
      if (this.closing) return
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
