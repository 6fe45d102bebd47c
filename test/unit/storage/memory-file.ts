import { AgidbError } from '../../../src/base/errors.js'
import type { BlockFile } from '../../../src/storage/block/block-file.js'

/** A file in memory with a limited disk under it, whose calls can be made to fail. */
export class MemoryFile implements BlockFile {
  readonly name = 'journal in memory'
  /** Bytes that the disk has room for. */
  capacity = Infinity
  /** Calls until one fails; from then on `failures` calls fail. */
  failAfter = Infinity
  failures = 0
  /** How many times it was read from. */
  reads = 0
  /** How many bytes of it were read. */
  bytesRead = 0
  /** What was written and flushed, in order: `write` with its position, or `flush`. */
  readonly log: string[] = []
  /** How long one reading takes, at least. */
  readMs = 0
  private bytes: Uint8Array

  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.bytes = Uint8Array.from(bytes) // a slice of a Buffer is no copy
  }

  content(): Uint8Array {
    return this.bytes.slice()
  }

  size(): number {
    this.call()
    return this.bytes.length
  }

  read(at: number, into: Uint8Array): number {
    this.call()
    this.reads++
    for (const until = performance.now() + this.readMs; performance.now() < until; );
    const found = this.bytes.subarray(at, at + into.length)
    into.set(found)
    this.bytesRead += found.length
    return found.length
  }

  write(at: number, bytes: Uint8Array): void {
    this.log.push(`write at ${at}`)
    const failure = this.fault()
    const room = Math.max(0, Math.min(bytes.length, this.capacity - at))
    // A call that fails writes a part.
    const written = failure ? Math.min(room, bytes.length >> 1) : room
    if (at + written > this.bytes.length) this.resize(at + written)
    this.bytes.set(bytes.subarray(0, written), at)
    if (failure) throw failure
    if (written < bytes.length) throw new AgidbError('AGIDB_QUOTA', 'the disk in memory is full')
  }

  truncate(length: number): void {
    this.call()
    this.resize(length)
  }

  flush(): void {
    this.log.push('flush')
    this.call()
  }

  close(): void {
    this.call()
  }

  private resize(length: number): void {
    const bytes = new Uint8Array(length)
    bytes.set(this.bytes.subarray(0, length))
    this.bytes = bytes
  }

  private call(): void {
    const failure = this.fault()
    if (failure) throw failure
  }

  private fault(): AgidbError | undefined {
    if (this.failAfter > 0) {
      this.failAfter--
      return undefined
    }
    return this.failures-- > 0 ? new AgidbError('AGIDB_STORAGE', 'the disk in memory failed') : undefined
  }
}
