import type { ApplyReport, VersionVector } from '../../api/sync.js'
import type { SyncMethods } from '../../api/methods/sync.js'
import { checkKeys } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import { encodeFrame, FrameReader } from './frames.js'

/** A way to another device, as a `WebSocketStream`, a bidirectional stream of WebTransport or a `Deno.Conn` is one. */
export interface SyncStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
}

/** Options of {@link sync}. */
export interface SyncOptions {
  /** About how many bytes of changes are sent at a time. Default 8 MiB. */
  readonly maxBytes?: number
  /** Ends the exchange; what was applied by then stays. */
  readonly signal?: AbortSignal
}

/** What an exchange did. */
export interface SyncReport extends ApplyReport {
  /** Records, supersessions and unlearnings that were sent. */
  readonly sent: number
}

/** Kinds of frames: what the device has received, as JSON; changes; that there are no more. */
const KIND = { vector: 1, changes: 2, end: 3 } as const

/**
 * Exchanges changes with another device that does the same at the other end of the streams: each tells what it has
 * received, sends what the other lacks, and applies what comes. Then both hold the same, but for what was written
 * meanwhile. The streams are used up. They carry what the memories hold, so they are to be encrypted, and to lead to
 * whom the program has recognised.
 *
 * @throws AgidbError what `changes` and `apply` throw; `AGIDB_SYNC` where the stream ends too early or carries
 * something else; `AGIDB_ABORTED`. What was applied by then stays, and the next exchange goes on from there.
 */
export async function sync(
  db: SyncMethods,
  { readable, writable }: SyncStream,
  options: SyncOptions = {},
): Promise<SyncReport> {
  checkKeys('sync', options, ['maxBytes', 'signal'])
  const { maxBytes, signal } = options
  const reader = readable.getReader()
  const writer = writable.getWriter()
  const frames = new FrameReader(reader)
  const write = (kind: number, content: Uint8Array = new Uint8Array(0)) => writer.write(encodeFrame({ kind, content }))
  const fail = (error: unknown): void => {
    void reader.cancel(error).catch(() => {})
    void writer.abort(error).catch(() => {})
  }
  const abort = (): void => fail(aborted())
  signal?.addEventListener('abort', abort)
  /** What the other device has received by now, and what it sent itself. */
  let theirs: VersionVector = {}
  let sent = 0
  const report = { added: 0, updated: 0, removed: 0 }

  const send = async (): Promise<void> => {
    for (let more = true; more; ) {
      const changes = await db.changes(theirs, maxBytes === undefined ? {} : { maxBytes })
      theirs = later(theirs, changes.vector)
      more = changes.more
      if (changes.count > 0) await write(KIND.changes, changes.bytes)
      sent += changes.count
    }
    await write(KIND.end)
    await writer.close()
  }
  const receive = async (): Promise<void> => {
    for (;;) {
      const { kind, content } = await frames.next()
      if (kind === KIND.end) return
      if (kind !== KIND.changes) throw unexpected(kind)
      const applied = await db.apply(content)
      report.added += applied.added
      report.updated += applied.updated
      report.removed += applied.removed
    }
  }

  try {
    if (signal?.aborted) throw aborted()
    const own = await db.versionVector()
    const [{ kind, content }] = await Promise.all([frames.next(), write(KIND.vector, encodeUtf8(JSON.stringify(own)))])
    if (kind !== KIND.vector) throw unexpected(kind)
    theirs = vectorOf(content)
    await Promise.all([send(), receive()])
    return { ...report, sent, vector: await db.versionVector() }
  } catch (error) {
    fail(error)
    throw signal?.aborted ? aborted(error) : error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Checked by `changes`, which is the first to use it. */
function vectorOf(content: Uint8Array): VersionVector {
  try {
    return JSON.parse(decodeUtf8(content)) as VersionVector
  } catch (cause) {
    throw new AgidbError('AGIDB_SYNC', 'the other device tells in no known way what it has received', {}, { cause })
  }
}

/** Of each device the greater of two counts. */
function later(a: VersionVector, b: VersionVector): VersionVector {
  const all = { ...a }
  for (const [device, count] of Object.entries(b)) all[device] = Math.max(all[device] ?? 0, count)
  return all
}

function unexpected(kind: number): AgidbError {
  return new AgidbError('AGIDB_SYNC', `the stream carries a frame of kind ${kind}, which has no place here`, { kind })
}

function aborted(cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_ABORTED', 'the exchange was aborted; what was applied by then stays', {}, { cause })
}
