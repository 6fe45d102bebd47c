/** Digits of a stamp: 12 of milliseconds and 4 of a counter, both hexadecimal, then those of the device. */
const TIME_DIGITS = 12
const COUNT_DIGITS = 4
/** Hexadecimal digits of a device. */
export const DEVICE_DIGITS = 16
const MAX_COUNT = 0xffff

/**
 * When and where something happened: the time of a hybrid logical clock, then the device, as text that sorts as it
 * counts. No two things have one stamp.
 */
export type Stamp = string

/**
 * A hybrid logical clock (Kulkarni, Demirbas, Madappa, Avva and Leone 2014): as near to physical time as it can be, and
 * always later than all that was seen before. A counter orders what happens in one millisecond.
 */
export class HybridClock {
  #time: number
  #count: number

  /** @param last the last stamp, or the digits of its time; empty for none. */
  constructor(
    readonly device: string,
    last = '',
  ) {
    this.#time = last === '' ? 0 : timeOf(last)
    this.#count = last === '' ? 0 : countOf(last)
  }

  /** The time of the last stamp as digits. */
  get last(): string {
    return digits(this.#time, TIME_DIGITS) + digits(this.#count, COUNT_DIGITS)
  }

  /** A stamp for what happened at a time, epoch milliseconds: later than all before it. */
  tick(time: number): Stamp {
    if (time > this.#time) [this.#time, this.#count] = [time, 0]
    else if (this.#count === MAX_COUNT) [this.#time, this.#count] = [this.#time + 1, 0]
    else this.#count++
    return this.last + this.device
  }

  /** Has all later stamps be after one that came from another device. */
  see(stamp: Stamp): void {
    if (stamp.slice(0, TIME_DIGITS + COUNT_DIGITS) <= this.last) return
    this.#time = timeOf(stamp)
    this.#count = countOf(stamp)
  }
}

/** Whether text is a stamp. */
export function isStamp(text: unknown): text is Stamp {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text)
}

/** The physical part of a stamp, epoch milliseconds. */
export function timeOf(stamp: Stamp): number {
  return parseInt(stamp.slice(0, TIME_DIGITS), 16)
}

/** The device of a stamp. */
export function deviceOf(stamp: Stamp): string {
  const begin = TIME_DIGITS + COUNT_DIGITS
  return stamp.slice(begin, begin + DEVICE_DIGITS)
}

function countOf(stamp: Stamp): number {
  return parseInt(stamp.slice(TIME_DIGITS, TIME_DIGITS + COUNT_DIGITS), 16)
}

function digits(value: number, length: number): string {
  return value.toString(16).padStart(length, '0')
}
