/** A date and time of day as a clock on the wall shows them, in no zone yet. */
export interface WallTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i
const OFFSET = /^([+-])(\d\d)(?::?(\d\d))?$/
const HOUR = 3_600_000

/** The zone that times without one are read in. */
export class TimeZone {
  readonly #fixed: number | undefined
  readonly #format: Intl.DateTimeFormat | undefined
  readonly #offsets = new Map<number, number>()

  /**
   * @param name `UTC`, an offset such as `+05:30`, or a name of the IANA time zone database such as `Asia/Kolkata`.
   * @throws RangeError for a name that the runtime does not know.
   */
  constructor(readonly name: string) {
    this.#fixed = /^(utc|z)$/i.test(name) ? 0 : offsetOf(name)
    if (this.#fixed === undefined) {
      this.#format = new Intl.DateTimeFormat('en-US', {
        timeZone: name,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      })
    }
  }

  /**
   * The instant at which a clock in this zone shows `wall`, as ISO 8601 in UTC; `undefined` when there is no such
   * date. Where clocks are set back and the hour comes twice, the zone's offset before the change is taken.
   */
  instant(wall: WallTime): string | undefined {
    const asUtc = epochOf(wall)
    if (asUtc === undefined) return undefined
    const before = this.#offset(asUtc - 24 * HOUR)
    const after = this.#offset(asUtc + 24 * HOUR)
    const early = asUtc - before
    const late = asUtc - after
    return isoOf(this.#offset(early) !== before && this.#offset(late) === after ? late : early)
  }

  /** Milliseconds by which the zone is ahead of UTC at an instant. Offsets change on full quarter hours only. */
  #offset(epoch: number): number {
    if (this.#fixed !== undefined) return this.#fixed
    const quarter = Math.floor(epoch / (HOUR / 4))
    let offset = this.#offsets.get(quarter)
    if (offset === undefined) {
      offset = this.#measure(quarter * (HOUR / 4))
      if (this.#offsets.size >= 4096) this.#offsets.clear()
      this.#offsets.set(quarter, offset)
    }
    return offset
  }

  #measure(epoch: number): number {
    const part: Record<string, number> = {}
    for (const { type, value } of this.#format!.formatToParts(epoch)) part[type] = Number(value)
    const wall = Date.UTC(
      part['year']!,
      part['month']! - 1,
      part['day']!,
      part['hour']!,
      part['minute']!,
      part['second']!,
    )
    return Number.isFinite(wall) ? wall - epoch : 0
  }
}

/**
 * Reads an ISO 8601 date or date and time (a space may stand for the `T`). A time without a zone is a time in `zone`.
 * Returns ISO 8601 in UTC, or `undefined` when it is no such time or no such date.
 */
export function readIso(value: string, zone: TimeZone): string | undefined {
  const found = ISO.exec(value.trim())
  if (!found) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', written] = found
  const wall: WallTime = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
  }
  if (written === undefined) return zone.instant(wall)
  const epoch = epochOf(wall)
  const offset = /^z$/i.test(written) ? 0 : offsetOf(written)
  return epoch === undefined || offset === undefined ? undefined : isoOf(epoch - offset)
}

/** Epoch milliseconds as ISO 8601 in UTC; `undefined` outside the years 0 to 9999. */
export function isoOf(epoch: number): string | undefined {
  const date = new Date(Math.round(epoch))
  if (Number.isNaN(date.getTime())) return undefined
  const iso = date.toISOString()
  return iso.length === 24 ? iso : undefined
}

/** The wall time read as UTC; `undefined` when there is no such date or time. */
function epochOf(wall: WallTime): number | undefined {
  const { year, month, day, hour, minute, second, millisecond } = wall
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.setUTCHours(hour, minute, second, millisecond)
}

/** An offset such as `+05:30` in milliseconds. */
function offsetOf(written: string): number | undefined {
  const found = OFFSET.exec(written)
  if (!found) return undefined
  const hours = Number(found[2])
  const minutes = Number(found[3] ?? '0')
  if (hours > 23 || minutes > 59) return undefined
  return (found[1] === '-' ? -1 : 1) * (hours * HOUR + minutes * 60_000)
}
