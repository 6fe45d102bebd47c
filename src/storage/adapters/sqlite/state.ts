import { AgidbError } from '../../../base/errors.js'
import type { SignatureKind } from '../../../api/storage.js'
import type { Directory } from '../../checkpoint/pieces.js'
import type { SqliteDatabase } from './database.js'

/** The version of the tables. */
const FORMAT = 1

/** What a memory knows of its tables. */
export interface State extends Counters {
  readonly checkpoint?: Directory
}

/** What changes with each commit. */
interface Counters {
  readonly databaseId: string
  readonly nextSlot: number
  /** How many commits there were. */
  readonly commits: number
  /** The kinds of signatures by their numbers. */
  readonly kinds: SignatureKind[]
}

/** The numbers of the rows of the table. */
const COUNTERS = 1
const CHECKPOINT = 2

/** The table with the state of a memory: a row with its counters, and one with the directory of its checkpoint. */
export class StateTable {
  readonly #database: SqliteDatabase
  readonly #name: string

  constructor(database: SqliteDatabase, prefix: string) {
    this.#database = database
    this.#name = `${prefix}_state`
  }

  /**
   * What is stored; `undefined` where there is no memory yet.
   *
   * @throws AgidbError `AGIDB_NEWER_FORMAT`, `AGIDB_CORRUPT`; `AGIDB_NOT_FOUND` where there is none and none may be
   * made.
   */
  read(): State | undefined {
    const { run, name, readOnly } = this.#database
    if (readOnly) this.#expectTable()
    else run(`CREATE TABLE IF NOT EXISTS ${this.#name} (row INTEGER PRIMARY KEY, format INTEGER, state TEXT)`)
    const [found, directory] = run(`SELECT format, state FROM ${this.#name} ORDER BY row`)
    if (found === undefined) return undefined
    if ((found.format as number) > FORMAT)
      throw new AgidbError(
        'AGIDB_NEWER_FORMAT',
        `the tables of ${name} have format ${found.format as number}, ` +
          `but this version of agidb reads up to ${FORMAT}: install the version that wrote them`,
        { found: found.format, supported: FORMAT },
      )
    try {
      const counters = JSON.parse(found.state as string) as Counters
      return { ...counters, checkpoint: (JSON.parse(directory.state as string) as Directory | null) ?? undefined }
    } catch (error) {
      const message = `the state in table ${this.#name} of ${name} is damaged: import an export of before`
      throw new AgidbError('AGIDB_CORRUPT', message, { table: this.#name }, { cause: error })
    }
  }

  /**
   * Refuses to go on where another program changed the memory meanwhile, although the lock should have kept it out.
   *
   * @throws AgidbError `AGIDB_IN_USE`
   */
  expect({ commits }: State): void {
    const { run, name } = this.#database
    const [found] = run(`SELECT state FROM ${this.#name} WHERE row = ?`, COUNTERS)
    if ((JSON.parse(found.state as string) as Counters).commits === commits) return
    throw new AgidbError('AGIDB_IN_USE', `another program opened the memory in ${name} and changed it: open it again`)
  }

  #expectTable(): void {
    const { run, name } = this.#database
    const found = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE`
    if (run(found, this.#name).length > 0) return
    const message = `there is no table ${this.#name} in ${name}, and readOnly: true makes none; open it without`
    throw new AgidbError('AGIDB_NOT_FOUND', `${message} to make it`, { table: this.#name })
  }

  /** @param before what is stored: a directory that is the same is not written again. */
  write({ checkpoint, ...counters }: State, before?: State): void {
    this.#set(COUNTERS, counters)
    if (before === undefined || checkpoint !== before.checkpoint) this.#set(CHECKPOINT, checkpoint ?? null)
  }

  #set(row: number, state: Counters | Directory | null): void {
    this.#database.run(`INSERT OR REPLACE INTO ${this.#name} VALUES (?, ?, ?)`, row, FORMAT, JSON.stringify(state))
  }
}
