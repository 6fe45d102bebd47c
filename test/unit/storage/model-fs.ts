import { AgidbError } from '../../../src/base/errors.js'
import type { BlockFile } from '../../../src/storage/block/block-file.js'

/** What a disk writes whole. Smaller than a real sector, so that small workloads have many. */
const SECTOR = 64

/** What was done to a file. A truncation is done whole or not at all. */
type Operation =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly file: string; readonly length: number }
  | { readonly kind: 'flush'; readonly file: string }

/** Numbers from 0 to 1. */
export type Random = () => number

/** The content of files, by name. */
export type Disk = Map<string, Uint8Array>

/**
 * Files in main memory that remember what was done to them, and what a crash of the machine can leave of it: what was
 * flushed is there; of the rest any part may be, in any order.
 */
export class ModelFiles {
  readonly log: Operation[] = []
  /** Calls that change a file or read it, until one fails; -1: none does. */
  failIn = -1
  /** Whether calls after the one that failed fail, too. */
  keepsFailing = false
  /** Whether the call that fails does a part of what it should. */
  failsShort = false
  /** What a call that fails says. */
  failure: 'AGIDB_STORAGE' | 'AGIDB_QUOTA' = 'AGIDB_STORAGE'
  /** Bytes that all files may have together. */
  capacity = Infinity
  calls = 0
  readonly #disk: Disk

  constructor(disk: Disk = new Map()) {
    this.#disk = new Map(Array.from(disk, ([name, bytes]) => [name, bytes.slice()]))
    this.#start = this.disk()
  }

  readonly #start: Disk

  /** What is in the files now. */
  disk(): Disk {
    return new Map(Array.from(this.#disk, ([name, bytes]) => [name, bytes.slice()]))
  }

  file(name: string): BlockFile {
    const content = (): Uint8Array => this.#disk.get(name) ?? new Uint8Array(0)
    return {
      name,
      size: () => this.#call(() => content().length),
      read: (at, into) =>
        this.#call(() => {
          const found = content().subarray(at, at + into.length)
          into.set(found)
          return found.length
        }),
      write: (at, bytes) =>
        this.#call(
          () => {
            const others = [...this.#disk].reduce((sum, [other, { length }]) => sum + (other === name ? 0 : length), 0)
            const room = Math.max(0, Math.min(bytes.length, this.capacity - others - at))
            this.#do({
              kind: 'write',
              file: name,
              at,
              bytes: bytes.slice(0, Math.max(room, Math.min(bytes.length, content().length - at))),
            })
            if (room < bytes.length && at + bytes.length > content().length)
              throw new AgidbError('AGIDB_QUOTA', 'the disk in memory is full')
          },
          () => this.#do({ kind: 'write', file: name, at, bytes: bytes.slice(0, bytes.length >> 1) }),
        ),
      truncate: (length) => this.#call(() => this.#do({ kind: 'truncate', file: name, length })),
      flush: () => this.#call(() => this.#do({ kind: 'flush', file: name })),
      close: () => this.#call(() => {}),
    }
  }

  /**
   * What is on the disk when the machine crashes after the first `length` operations: `none` or `all` of what was not
   * flushed, `torn`: all, but of the last write only its first bytes; `random`: any sectors of any of it.
   */
  crash(length: number, how: 'none' | 'all' | 'torn' | 'random', random: Random): Disk {
    const disk: Disk = new Map(this.#start)
    const pending = new Map<string, Operation[]>()
    const settle = (file: string): void => {
      for (const operation of pending.get(file) ?? []) apply(disk, operation)
      pending.delete(file)
    }
    for (const operation of this.log.slice(0, length)) {
      if (operation.kind === 'flush') settle(operation.file)
      else pending.set(operation.file, [...(pending.get(operation.file) ?? []), operation])
    }
    if (how === 'none') return disk
    const last = this.log[length - 1]
    for (const [file, operations] of pending) {
      if (how === 'random') lose(disk, file, operations, random)
      else
        for (const operation of operations)
          apply(disk, how === 'torn' && operation === last ? torn(operation, random) : operation)
    }
    return disk
  }

  /**
   * The files as the process finds them that is started after one was killed after the first `length` operations: what
   * was not flushed is still at risk.
   */
  afterKill(length: number): ModelFiles {
    const files = new ModelFiles(this.#start)
    for (const operation of this.log.slice(0, length)) files.#do(operation)
    return files
  }

  #do(operation: Operation): void {
    this.log.push(operation)
    apply(this.#disk, operation)
  }

  #call<T>(work: () => T, short?: () => void): T {
    this.calls++
    const fails = this.failIn === 0
    if (this.failIn > 0 || (fails && !this.keepsFailing)) this.failIn--
    if (!fails) return work()
    if (this.failsShort) short?.()
    throw new AgidbError(this.failure, 'the disk in memory failed')
  }
}

function apply(disk: Disk, operation: Operation): void {
  if (operation.kind === 'flush') return
  const before = disk.get(operation.file) ?? new Uint8Array(0)
  if (operation.kind === 'truncate') {
    const after = new Uint8Array(operation.length)
    after.set(before.subarray(0, operation.length))
    disk.set(operation.file, after)
    return
  }
  const { at, bytes } = operation
  const after = new Uint8Array(Math.max(before.length, at + bytes.length))
  after.set(before)
  after.set(bytes, at)
  disk.set(operation.file, after)
}

/** The first bytes of a write; in half the cases the file has its length all the same, with zeros. */
function torn(operation: Operation, random: Random): Operation {
  if (operation.kind !== 'write') return operation
  const { at, bytes, file } = operation
  const kept = bytes.slice(0, Math.floor(random() * bytes.length))
  return { kind: 'write', file, at, bytes: kept }
}

/** Any sectors of any of the operations reach the disk; the length that a lost write gives a file may, with zeros. */
function lose(disk: Disk, file: string, operations: readonly Operation[], random: Random): void {
  const share = random()
  for (const operation of operations) {
    if (operation.kind !== 'write') {
      if (random() < share) apply(disk, operation)
      continue
    }
    const { at, bytes } = operation
    const reached = random() < 0.5 ? at + bytes.length : 0
    for (let start = at; start < at + bytes.length; ) {
      const end = Math.min(at + bytes.length, (Math.floor(start / SECTOR) + 1) * SECTOR)
      if (random() < share) apply(disk, { kind: 'write', file, at: start, bytes: bytes.subarray(start - at, end - at) })
      start = end
    }
    const { length } = disk.get(file) ?? []
    if (reached > (length ?? 0)) apply(disk, { kind: 'truncate', file, length: reached })
  }
}

/** A generator of numbers that depends on its seed alone: mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
