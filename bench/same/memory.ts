import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Library, OpenOptions } from '../library.js'

/** The time at which everything takes place: 2027-01-15T08:00:00Z. */
export const NOW = 1_800_000_000_000

/**
 * The journal of an empty memory, in format 5 (docs/format.md). A new journal draws a random database id, which is part
 * of each frame; in a memory that begins with this one the same calls write the same bytes.
 */
const EMPTY_JOURNAL = 'QUdJREJKTkwFAAAAQAAAAJgjMj8LkjKAWX/3CpYtsfd99UYFogEAAAAAAAAAAAAAAAAAAAAAAAAAAAAANQR6JQ=='

/** A memory in a folder whose answers and bytes are a function of what is done to it. */
export class FixedMemory {
  readonly path: string
  now = NOW
  db!: Database
  readonly #library: Library
  readonly #folder: string
  readonly #options: OpenOptions

  private constructor(library: Library, folder: string, options: OpenOptions) {
    this.#library = library
    this.#folder = folder
    this.path = join(folder, 'memory.agidb')
    this.#options = options
  }

  /** Opens an empty memory in a new folder; clock and seed are fixed, and no other thread takes part. */
  static async create(library: Library, options: OpenOptions = {}): Promise<FixedMemory> {
    const folder = await mkdtemp(join(tmpdir(), 'agidb-same-'))
    const memory = new FixedMemory(library, folder, options)
    await library.Agidb.open({ path: memory.path, codebook: 'none', shards: 0, ...quiet(library) }).then((db) =>
      db.close(),
    )
    await writeFile(join(memory.path, 'journal.agidb'), Buffer.from(EMPTY_JOURNAL, 'base64'))
    await memory.open()
    return memory
  }

  async open(): Promise<void> {
    this.db = await this.#library.Agidb.open({ path: this.path, ...this.#fixed() })
  }

  /** Opens a memory that keeps nothing, with the same options. */
  async beside(): Promise<Database> {
    return this.#library.Agidb.open({ storage: 'memory', ...this.#fixed(), durability: undefined })
  }

  async reopen(): Promise<void> {
    await this.db.close()
    await this.open()
  }

  /** Closes the memory and answers the content of its files, by name. */
  async closed(): Promise<Record<string, Uint8Array>> {
    await this.db.close()
    const names = (await readdir(this.path)).sort()
    const contents = await Promise.all(names.map((name) => readFile(join(this.path, name))))
    return Object.fromEntries(names.map((name, i) => [name, new Uint8Array(contents[i])]))
  }

  /**
   * Closes the memory, lets go of the checkpoint, whose bytes depend on when it was written, and opens the memory
   * again: the next one is made of the journal alone.
   */
  async restart(): Promise<void> {
    const names = Object.keys(await this.closed())
    const others = names.filter((name) => !name.startsWith('journal'))
    await Promise.all(others.map((name) => rm(join(this.path, name))))
    await this.open()
  }

  /** Takes the folder away. Safe to call while the memory is open or closed. */
  async remove(): Promise<void> {
    await this.db.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #fixed(): OpenOptions {
    return { clock: () => this.now, seed: 1, shards: 0, ...quiet(this.#library), ...this.#options }
  }
}

/** Options with which a library does nothing in the background; one that has nothing to do there does not know them. */
export function quiet(library: Library): OpenOptions {
  return 'extractWith' in library ? { extract: 'none', autoConsolidate: false } : {}
}

/** All bytes of a stream. */
export async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
