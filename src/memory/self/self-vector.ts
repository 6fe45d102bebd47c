import type { LearningEvent } from '../../api/learning.js'
import { HEAP } from '../../base/heap-size.js'
import { type MadeEvent, ofEvents, type Projection, type Service } from '../projection.js'

/** How much of the mean an epoch replaces at least: the 20th replaces a twentieth of it, and each one after that. */
const ALPHA = 0.05
/** Epochs that all count alike, in a running mean. */
const ALIKE = Math.round(1 / ALPHA)

/** A stored epoch: when it was taken in, and the bundle of what it learned. */
interface Epoch {
  /** By which it is retracted. */
  readonly event: LearningEvent | undefined
  /** Epoch milliseconds. */
  readonly at: number
  readonly bundle: Uint8Array
  /** By these two it is ordered: one that was rederived is stored later than it was learned. */
  readonly number: number
  readonly slot: number
}

/**
 * A slowly moving mean over what was learned: a real number per dimension, of which epoch n replaces the share α =
 * max(1/20, 1/n) by the signs of its bundle, `mean ← (1 − α)·mean + α·b`. So the first 20 epochs count alike, and from
 * then on each replaces a twentieth. A binary vector could not move so slowly: a twentieth of a bit never changes it.
 * What is shown are the signs. The first 20 epochs are summed in whole numbers, so that what cancels out is exactly
 * zero; later sums are rounded to 32 bits at every step. The same epochs give the same vector everywhere.
 */
export class SelfVector implements Projection, Service {
  readonly projections = [ofEvents(this)]
  /** The hypervector whose bits stand where the mean is zero: everywhere before the first epoch. */
  readonly #tie: Uint8Array
  readonly #mean: Float32Array
  #epochs: Epoch[] = []
  /** The signs after each epoch. */
  #snapshots: Uint8Array[] = []
  /** Whether the epochs are to be sorted and summed anew before they are read. */
  #isStale = false

  constructor(tie: Uint8Array) {
    this.#tie = tie
    this.#mean = new Float32Array(8 * tie.length)
  }

  /** The vector before the first epoch. */
  blank(): SelfVector {
    return new SelfVector(this.#tie)
  }

  /** The bundle of a stored epoch; `undefined` where it is not one. Not to be changed. */
  bundleOf(event: LearningEvent): Uint8Array | undefined {
    return this.#epochs.find((epoch) => epoch.event === event)?.bundle
  }

  /** Epochs taken in. */
  get epochs(): number {
    return this.#epochs.length
  }

  /** Bytes of memory: the mean, and of each epoch the bundle and the signs after it. */
  get bytes(): number {
    return this.#mean.byteLength + this.#epochs.length * 2 * (HEAP.view + this.#tie.length)
  }

  apply(event: LearningEvent, slot: number, signature?: Uint8Array): void {
    if (event.kind !== 'selfVectorUpdated' || signature === undefined) return
    const epoch = { event, at: Date.parse(event.at), bundle: signature.slice(), number: event.epoch, slot }
    const last = this.#epochs.at(-1)
    if (last !== undefined && inOrder(last, epoch) > 0) this.#isStale = true
    this.#epochs.push(epoch)
    if (!this.#isStale) this.#add(epoch)
  }

  /** Takes the epochs in again that are left: a later one cannot be undone by itself. */
  retract(events: readonly LearningEvent[]): void {
    const gone = new Set<LearningEvent | undefined>(events)
    const left = this.#epochs.filter(({ event }) => event === undefined || !gone.has(event))
    if (left.length === this.#epochs.length) return
    this.#epochs = left
    this.#isStale = true
  }

  /** Takes the bundle of an epoch in, after all others. */
  take(bundle: Uint8Array, at: number): void {
    this.#settle()
    const { number, slot } = this.#epochs.at(-1) ?? { number: 0, slot: -1 }
    const epoch = { event: undefined, at, bundle: bundle.slice(), number: number + 1, slot }
    this.#epochs.push(epoch)
    this.#add(epoch)
  }

  #settle(): void {
    if (!this.#isStale) return
    this.#isStale = false
    this.#epochs.sort(inOrder)
    this.#snapshots = []
    this.#mean.fill(0)
    for (const epoch of this.#epochs) this.#add(epoch)
  }

  #add({ bundle }: Epoch): void {
    step(this.#mean, bundle, this.#snapshots.length + 1)
    this.#snapshots.push(this.#signs(this.#mean))
  }

  /** The signs now. Not to be changed. */
  get now(): Uint8Array {
    this.#settle()
    return this.#snapshots.at(-1) ?? this.#tie
  }

  /** The signs if this bundle were taken in next. */
  after(bundle: Uint8Array): Uint8Array {
    this.#settle()
    const mean = this.#mean.slice()
    step(mean, bundle, this.#epochs.length + 1)
    return this.#signs(mean)
  }

  /** The signs if stored epochs went and others came. */
  replaced(gone: readonly LearningEvent[], made: readonly MadeEvent[]): Uint8Array {
    const taken = new Set<LearningEvent | undefined>(gone)
    const left = this.#epochs.filter(({ event }) => event === undefined || !taken.has(event))
    const come = made.filter(({ event, signature }) => event.kind === 'selfVectorUpdated' && signature !== undefined)
    if (left.length === this.#epochs.length && come.length === 0) return this.now
    const vector = this.blank()
    for (const { event, slot, bundle } of left) if (event !== undefined) vector.apply(event, slot, bundle)
    come.forEach(({ event, signature }, i) => vector.apply(event, Number.MAX_SAFE_INTEGER - come.length + i, signature))
    return vector.now
  }

  /** The signs of the epochs up to a time, epoch milliseconds, inclusive. Not to be changed. */
  at(time: number): Uint8Array {
    this.#settle()
    const known = this.#epochs.filter(({ at }) => at <= time)
    if (known.length === 0) return this.#tie
    if (known.at(-1) === this.#epochs[known.length - 1]) return this.#snapshots[known.length - 1]
    // The clock went back between epochs, so those known are not the first ones.
    const mean = new Float32Array(this.#mean.length)
    known.forEach(({ bundle }, i) => step(mean, bundle, i + 1))
    return this.#signs(mean)
  }

  #signs(mean: Float32Array): Uint8Array {
    const signs = new Uint8Array(this.#tie.length)
    for (let d = 0; d < mean.length; d++) {
      const bit = mean[d] === 0 ? (this.#tie[d >> 3] >> (d & 7)) & 1 : Number(mean[d] > 0)
      signs[d >> 3] |= bit << (d & 7)
    }
    return signs
  }
}

function inOrder(a: Epoch, b: Epoch): number {
  return a.number - b.number || a.slot - b.slot
}

/**
 * Takes in the epoch of a number, from 1. Up to {@link ALIKE} the numbers are sums, whose signs are those of the mean.
 */
function step(mean: Float32Array, bundle: Uint8Array, number: number): void {
  for (let d = 0; d < mean.length; d++) {
    const sign = (bundle[d >> 3] >> (d & 7)) & 1 ? 1 : -1
    if (number <= ALIKE) mean[d] += sign
    else mean[d] = (1 - ALPHA) * mean[d] + ALPHA * sign
    if (number === ALIKE) mean[d] /= ALIKE
  }
}
