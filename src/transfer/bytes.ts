import { checkSignal, invalid } from '../api/check.js'
import { AgidbError } from '../base/errors.js'
import { joinBytes } from '../base/join-bytes.js'
import type { BlobLike, ExportSource } from '../api/portable.js'

/** What of a web `ReadableStream` is used here. */
type Stream = Pick<ReadableStream<Uint8Array>, 'getReader'>

/**
 * The bytes of a source in pieces of any size.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is none, or gives anything but `Uint8Array`s; `AGIDB_STORAGE` when
 * it fails; `AGIDB_ABORTED`, however long it takes for the next.
 */
export async function* pieces(source: ExportSource, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) return yield source
  const expected = 'import takes a Uint8Array, a Blob, a ReadableStream of bytes or an iterable of Uint8Arrays'
  if (typeof source !== 'object' || source === null) throw invalid(expected, { what: 'source' })
  const given = iterator(iterableOf(source, expected))
  let over = false
  try {
    for (;;) {
      const { done, value } = await nextOf(given, signal)
      if ((over = done === true)) return
      if (!(value instanceof Uint8Array))
        throw invalid(`${expected}; the source gave something else`, { what: 'source' })
      yield value
    }
  } catch (error) {
    if (error instanceof AgidbError) throw error
    throw new AgidbError(
      'AGIDB_STORAGE',
      `reading what is imported failed: ${String(error)}; nothing was imported`,
      {},
      { cause: error },
    )
  } finally {
    // Not waited for: a source that stalls may never end.
    if (!over) void Promise.resolve(given.return?.()).catch(() => {})
  }
}

function iterator(source: AsyncIterable<unknown> | Iterable<unknown>): AsyncIterator<unknown> | Iterator<unknown> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
}

/** Waits for what comes next, or for the signal if that fires first. */
async function nextOf(given: ReturnType<typeof iterator>, signal: AbortSignal | undefined) {
  checkSignal(signal)
  let fired = () => {}
  // Anew each time: a promise that outlived the race would hold all that ever came.
  const aborted = new Promise<void>((resolve) => (fired = resolve)).then(() => checkSignal(signal) as never)
  signal?.addEventListener('abort', fired)
  try {
    return await Promise.race([given.next(), aborted])
  } finally {
    signal?.removeEventListener('abort', fired)
  }
}

function iterableOf(source: object, expected: string): AsyncIterable<unknown> | Iterable<unknown> {
  if ('getReader' in source && typeof source.getReader === 'function') return read(source as Stream)
  if (Symbol.asyncIterator in source || Symbol.iterator in source) return source as AsyncIterable<unknown>
  if ('stream' in source && typeof source.stream === 'function') return read((source as BlobLike).stream())
  throw invalid(expected, { what: 'source' })
}

/** Not all browsers can iterate over a stream. */
async function* read(stream: Stream): AsyncGenerator<unknown> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/**
 * Takes bytes off a stream in the lengths in which they are asked for. Holds what was asked for and one piece, never
 * more.
 */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #piece: Uint8Array = new Uint8Array(0)
  /** How many bytes were taken. */
  taken = 0

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** The next `length` bytes; fewer where the stream ends. Room is made as they arrive, not as they are announced. */
  async take(length: number): Promise<Uint8Array> {
    const found: Uint8Array[] = []
    let missing = length
    while (missing > 0) {
      if (this.#piece.length === 0 && !(await this.#next())) break
      const part = this.#piece.subarray(0, missing)
      this.#piece = this.#piece.subarray(part.length)
      missing -= part.length
      found.push(part)
    }
    this.taken += length - missing
    return found.length === 1 ? found[0] : joinBytes(found)
  }

  /** The next bytes, without taking them: at least `length` where there are so many. */
  async peek(length: number): Promise<Uint8Array> {
    while (this.#piece.length < length) {
      const before = this.#piece
      if (!(await this.#next())) break
      this.#piece = joinBytes([before, this.#piece])
    }
    return this.#piece
  }

  /** What was not taken, in pieces. */
  async *rest(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#piece.length > 0) yield this.#piece
      if (!(await this.#next())) return
    }
  }

  /** Lets go of the source. */
  async end(): Promise<void> {
    await this.#pieces.return?.()
  }

  async #next(): Promise<boolean> {
    const { done, value } = await this.#pieces.next()
    if (done) return false
    this.#piece = value
    return true
  }
}
