import { AgidbError } from '../../../base/errors.js'
import type { StorageChange } from '../../../api/storage.js'
import type { Directory } from '../../checkpoint/pieces.js'
import { arrayOf, arrayOfBytes } from './arrays.js'
import { rowsOf, type PostgresDriver, type Row } from './driver.js'
import { slotChanges } from './slot-changes.js'
import {
  DONE,
  DONE_AND_TOLD,
  DROP_BITS,
  FILL_BITS,
  KEEP,
  OPEN,
  PIECES,
  RENEW,
  SWEEP,
  SWEEP_BITS,
  SWITCH,
  WRITE,
  WRITE_BITS,
} from './statements.js'

/** The memory as {@link openWriter} found it. */
export interface Found {
  readonly databaseId: string
  readonly nextSlot: number
  readonly content: number
  /** The directory of its checkpoint as JSON; absent where it has none. */
  readonly checkpoint?: string
  /** Slots below this have their signatures as bits, too; absent where none have. */
  readonly bitsTo?: number
}

/** What `bits_to` is where all slots have bits, also those to come: the largest whole number that is exact here. */
export const ALL = Number.MAX_SAFE_INTEGER
/** Slots whose bits are made in one statement. */
const FILLED_AT_ONCE = 4_096

/** What changes a memory. */
export type Writing = Pick<
  Writer,
  'revision' | 'write' | 'switchTo' | 'writePieces' | 'keep' | 'sweep' | 'fillBits' | 'refillBits'
>

/** The one who may write a memory, from its opening on. */
export class Writer {
  readonly #driver: PostgresDriver
  readonly #namespace: string
  readonly #done: string
  #name: string
  #revision: number
  #keepsBits: boolean
  #lost: AgidbError | undefined

  /**
   * @param tells whether those who listen are told of commits.
   * @param name a random name, which the row of the memory has, too.
   */
  constructor(
    driver: PostgresDriver,
    namespace: string,
    tells: boolean,
    name: string,
    { revision, bitsTo }: { readonly revision: number; readonly bitsTo?: number },
  ) {
    this.#driver = driver
    this.#namespace = namespace
    this.#done = tells ? DONE_AND_TOLD : DONE
    this.#name = name
    this.#revision = revision
    this.#keepsBits = bitsTo !== undefined
  }

  /**
   * Applies changes that fit, all or none. Readers do not see those of a content that is not yet valid.
   *
   * @throws AgidbError `AGIDB_QUOTA`, `AGIDB_STORAGE`; `AGIDB_IN_USE` where somebody else opened the memory meanwhile,
   * `AGIDB_DELETED` where it is gone.
   */
  async write(content: number, nextSlot: number, changes: readonly StorageChange[]): Promise<void> {
    const statement = WRITE + (this.#keepsBits ? WRITE_BITS : '') + this.#done
    await this.#change(statement, String(content), String(nextSlot), ...arraysOf(changes))
  }

  /** Makes another content the valid one. Errors as {@link write}. */
  async switchTo(content: number, nextSlot: number): Promise<void> {
    await this.#change(SWITCH + this.#done, String(content), String(nextSlot))
  }

  /** The number of the last commit. */
  get revision(): number {
    return this.#revision
  }

  /** Writes pieces of a checkpoint, which does not count yet. Errors as {@link write}. */
  async writePieces(
    pieces: readonly { readonly part: number; readonly piece: number; readonly bytes: Uint8Array }[],
  ): Promise<void> {
    const values = [
      arrayOf(pieces.map(({ part }) => part)),
      arrayOf(pieces.map(({ piece }) => piece)),
      arrayOfBytes(pieces.map(({ bytes }) => bytes)),
    ]
    await this.#change(PIECES, ...values)
  }

  /** Makes a checkpoint the valid one, or none, and deletes the pieces of others. Errors as {@link write}. */
  async keep(directory: Directory | undefined): Promise<void> {
    await this.#change(KEEP, directory === undefined ? '' : JSON.stringify(directory), numbersOf(directory))
  }

  /**
   * Deletes what a replacement or a checkpoint left behind, finished or not: all contents but the valid one, and the
   * pieces that the directory does not list. Changes nothing where somebody else opened the memory.
   */
  async sweep(content: number, directory: Directory | undefined): Promise<void> {
    await rowsOf(this.#driver, SWEEP, this.#namespace, this.#name, String(content), numbersOf(directory))
    if (this.#keepsBits) await rowsOf(this.#driver, SWEEP_BITS, this.#namespace, this.#name, String(content))
  }

  /**
   * Makes the bits of signatures that have none, and has each commit make those of its own from now on. What was made
   * before a crash is not made again.
   *
   * @throws AgidbError as {@link write}
   */
  async fillBits({ bitsTo = 0, nextSlot }: Pick<Found, 'bitsTo' | 'nextSlot'>): Promise<void> {
    if (bitsTo === ALL) return
    for (let from = bitsTo, to = from; from === bitsTo || from < nextSlot; from = to) {
      to = from + FILLED_AT_ONCE
      const range = [from, to, to < nextSlot ? to : ALL].map(String)
      const rows = await rowsOf(this.#driver, FILL_BITS, this.#namespace, this.#name, ...range)
      if (rows.length === 0) throw await this.#refused()
    }
    this.#keepsBits = true
  }

  /** Makes all bits of the valid content anew. Errors as {@link write}. */
  async refillBits(nextSlot: number): Promise<void> {
    await rowsOf(this.#driver, DROP_BITS, this.#namespace, this.#name)
    await this.fillBits({ nextSlot })
  }

  async #change(statement: string, ...values: string[]): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost
    const before = this.#revision
    let rows: readonly Row[]
    try {
      rows = await rowsOf(this.#driver, statement, this.#namespace, this.#name, ...values)
    } catch (error) {
      if ((await this.#settled(error)) === before) throw error
      return
    }
    if (rows.length === 0) throw await this.#refused()
    this.#revision = Number(rows[0].revision)
  }

  /**
   * The revision after a statement whose answer did not come. With another name in the row of the memory, the statement
   * can take effect no more if it did not yet; where it is under way, this waits for it.
   */
  async #settled(error: unknown): Promise<number> {
    if (error instanceof AgidbError && error.code === 'AGIDB_DELETED') throw (this.#lost = error)
    const name = newName()
    const renewed = await rowsOf(this.#driver, RENEW, this.#namespace, this.#name, name).catch(() => undefined)
    if (renewed === undefined || renewed.length === 0) {
      const message = 'it is not known whether the last commit was stored, since PostgreSQL did not answer: open again'
      this.#lost = new AgidbError('AGIDB_STORAGE', message, {}, { cause: error })
      throw error
    }
    this.#name = name
    return (this.#revision = Number(renewed[0].revision))
  }

  /** Why a statement changed nothing. */
  async #refused(): Promise<AgidbError> {
    const there = await rowsOf(this.#driver, 'select from agidb_memory where namespace = $1::text', this.#namespace)
    const details = { namespace: this.#namespace }
    return (this.#lost =
      there.length === 0
        ? new AgidbError('AGIDB_DELETED', `the memory "${this.#namespace}" was deleted from PostgreSQL`, details)
        : new AgidbError('AGIDB_IN_USE', `the memory "${this.#namespace}" was opened by somebody else`, details))
  }
}

/** Makes the row of a memory where there is none, and writes into it who writes from now on. */
export async function openWriter(
  driver: PostgresDriver,
  namespace: string,
  tells: boolean,
): Promise<{ readonly writer: Writer; readonly found: Found }> {
  const name = newName()
  const [row] = await rowsOf(driver, OPEN, namespace, newName(), name)
  const found = foundIn(row)
  const writer = new Writer(driver, namespace, tells, name, { ...found, revision: Number(row.revision) })
  return { writer, found }
}

/** The memory that a row of `agidb_memory` says. */
export function foundIn(row: Row): Found {
  return {
    databaseId: String(row.database_id),
    nextSlot: Number(row.next_slot),
    content: Number(row.content),
    ...(row.checkpoint !== null && { checkpoint: String(row.checkpoint) }),
    ...(row.bits_to !== null && { bitsTo: Number(row.bits_to) }),
  }
}

/** 128 random bits, as hexadecimal digits. */
function newName(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/** The numbers of the parts that a directory lists. */
function numbersOf(directory: Directory | undefined): string {
  return arrayOf((directory?.parts ?? []).map(({ number }) => number))
}

function arraysOf(changes: readonly StorageChange[]): string[] {
  try {
    return slotChanges(changes)
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_STORAGE',
      `a commit of ${changes.length} changes is too long for one statement: write fewer at a time`,
      { changes: changes.length },
      { cause },
    )
  }
}
