import { HEAP, heapBytes, sampledBytes } from '../../base/heap-size.js'
import type { Modality, SensoryFrame, SensoryId } from '../../api/sensory.js'
import { type Hypervector, SIGNATURE_BYTES } from '../../kernel/port.js'
import type { NumberedFrame } from '../../records/kinds/sensory-frame.js'
import type { Keepsake } from '../translations/keepsake.js'
import type { Projection } from '../projection.js'

/** Frames that are kept, at most. */
export const CAPACITY = 1_000
/** Milliseconds that a frame is kept. */
export const WINDOW_MS = 60_000

/** Bytes of pictures and sounds that are kept for frames, at most; the oldest go first. */
export const MEDIA_BYTES = 1 << 24

/** A frame, where it is stored, and which it is of all that ever came, from 1. */
export interface Buffered {
  readonly slot: number
  readonly frame: SensoryFrame
  readonly number: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

/**
 * The frames that came last, in the order in which they came. The newest stays here when it is too old to be seen: it
 * says how many there were.
 */
export class SensoryBuffer implements Projection<NumberedFrame> {
  readonly #frames = new Map<SensoryId, Buffered>()
  /** Of the latents in the buffer, as far as they were asked for, by the modalities of each frame. */
  readonly #signatures = new Map<SensoryId, Map<Modality, Hypervector>>()
  /** What is kept of frames that may yet become episodes. It is in no row. */
  readonly #media = new Map<SensoryId, Keepsake>()
  #mediaBytes = 0
  #observed = 0

  /** All frames that ever came. */
  get observed(): number {
    return this.#observed
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const frames = sampledBytes(this.#frames.values(), this.#frames.size, (one) => heapBytes(one) + HEAP.entry)
    let signatures = 0
    for (const { size } of this.#signatures.values())
      signatures += HEAP.entry + HEAP.map + size * (HEAP.view + SIGNATURE_BYTES)
    return frames + this.#mediaBytes + signatures
  }

  has(id: SensoryId): boolean {
    return this.#frames.has(id)
  }

  /** Takes in the newest frame, another version of one that is here, or one that is back at its place. */
  apply({ frame, number }: NumberedFrame, slot: number): void {
    this.#observed = Math.max(this.#observed, number)
    const isBack = !this.#frames.has(frame.id) && this.all().some((other) => other.slot > slot)
    this.#frames.set(frame.id, { slot, frame, number, receivedAt: Date.parse(frame.receivedAt) })
    if (isBack) this.#order()
  }

  retract(frames: readonly NumberedFrame[]): void {
    for (const { frame } of frames) this.remove(frame.id)
    this.#observed = Math.max(0, ...Array.from(this.#frames.values(), ({ number }) => number))
  }

  /** Drops a frame that had its time; it counts among those that came. */
  remove(id: SensoryId): void {
    this.#frames.delete(id)
    this.#signatures.delete(id)
    this.keep(id, undefined)
  }

  /** Keeps pictures or sounds of a frame, in the place of those that it had. */
  keep(id: SensoryId, kept: Keepsake | undefined): void {
    this.#mediaBytes += (kept?.size ?? 0) - (this.#media.get(id)?.size ?? 0)
    this.#media.delete(id)
    if (kept !== undefined && kept.size > 0) this.#media.set(id, kept)
    for (const [oldest] of this.#media) {
      if (this.#mediaBytes <= MEDIA_BYTES) break
      this.keep(oldest, undefined)
    }
  }

  /** The pictures and sounds that are kept of a frame. */
  kept(id: SensoryId): Keepsake | undefined {
    return this.#media.get(id)
  }

  /** All frames, the oldest first. */
  all(): Buffered[] {
    return [...this.#frames.values()]
  }

  /** The signature of the latent that a frame has of a modality. */
  signature(id: SensoryId, modality: Modality, make: () => Hypervector): Hypervector {
    let own = this.#signatures.get(id)
    if (own === undefined) this.#signatures.set(id, (own = new Map()))
    let signature = own.get(modality)
    if (signature === undefined) own.set(modality, (signature = make()))
    return signature
  }

  /** A frame that can be seen at this time. */
  find(id: SensoryId, now: number): Buffered | undefined {
    const found = this.#frames.get(id)
    return found !== undefined && fresh(found, now) ? found : undefined
  }

  /** The frames that can be seen at this time, the oldest first. */
  seen(now: number): Buffered[] {
    return [...this.#frames.values()].filter((one) => fresh(one, now))
  }

  #order(): void {
    const frames = this.all().sort((a, b) => a.slot - b.slot)
    this.#frames.clear()
    for (const one of frames) this.#frames.set(one.frame.id, one)
  }

  /** The frames that go when another comes at this time. */
  leaving(now: number): Buffered[] {
    const over = this.seen(now).length - (CAPACITY - 1)
    let room = 0
    return [...this.#frames.values()].filter((one) => !fresh(one, now) || room++ < over)
  }
}

function fresh({ receivedAt }: Buffered, now: number): boolean {
  return now - receivedAt <= WINDOW_MS
}
