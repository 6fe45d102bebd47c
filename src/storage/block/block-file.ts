/**
 * A file of bytes that are read and written at positions. Implemented over an OPFS sync access
 * handle and over Node's `fs`; what is synchronous there may answer without a promise.
 *
 * Errors are `AgidbError`s: `AGIDB_QUOTA` when there is no room, else `AGIDB_STORAGE`.
 */
export interface BlockFile {
  /** Where it is, for messages. */
  readonly name: string
  /** Length in bytes. */
  size(): number | Promise<number>
  /** Fills `into` from position `at`. Answers how many bytes were read: fewer only where the file ends. */
  read(at: number, into: Uint8Array): number | Promise<number>
  /** Writes all of `bytes` at position `at`. A write that came out short is an error, but may have changed the file. */
  write(at: number, bytes: Uint8Array): void | Promise<void>
  /** Cuts off or extends with zeros to `length` bytes. */
  truncate(length: number): void | Promise<void>
  /** Resolves when all that was written, and the length, survives a crash of the machine. */
  flush(): void | Promise<void>
  close(): void | Promise<void>
  /**
   * Whether its name still leads to this file, and not to another one or to nothing. Throws when it cannot be found out
   * now. Absent where files have no names.
   */
  isLinked?(): boolean | Promise<boolean>
}

/** Closes each of several files, also when the closing of one fails; then throws what that threw. */
export async function closeAll(files: readonly Pick<BlockFile, 'close'>[]): Promise<void> {
  const outcomes = await Promise.allSettled(files.map(async (file) => file.close()))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

const COPY_BYTES = 1 << 20

/** Copies bytes of a file into another. */
export async function copyBytes(
  from: BlockFile,
  offset: number,
  bytes: number,
  to: BlockFile,
  at: number,
): Promise<void> {
  const buffer = new Uint8Array(Math.min(bytes, COPY_BYTES))
  for (let done = 0; done < bytes; ) {
    const read = await from.read(offset + done, buffer.subarray(0, Math.min(buffer.length, bytes - done)))
    if (read === 0) break
    await to.write(at + done, buffer.subarray(0, read))
    done += read
  }
}

/**
 * A buffered view of a file for reading mostly forwards.
 */
export class Window {
  private buffer: Uint8Array
  private start = 0
  private filled = 0

  /**
   * @param size where the file ends.
   * @param ahead bytes to read at a time.
   */
  constructor(
    private readonly file: BlockFile,
    private readonly size: number,
    private readonly ahead: number,
  ) {
    this.buffer = new Uint8Array(0)
  }

  /** The bytes from `at` on; fewer than `length` only where the file ends. A view, valid until the next call. */
  async bytes(at: number, length: number): Promise<Uint8Array> {
    if (at < this.start || at + length > this.start + this.filled) {
      const wanted = Math.max(0, Math.min(Math.max(length, this.ahead), this.size - at))
      if (this.buffer.length < wanted) this.buffer = new Uint8Array(wanted)
      this.filled = await this.file.read(at, this.buffer.subarray(0, wanted))
      this.start = at
    }
    const from = at - this.start
    return this.buffer.subarray(from, Math.min(from + length, this.filled))
  }
}
