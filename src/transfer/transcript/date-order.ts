/** The three numbers of a written date, as they stand. */
export type WrittenDate = readonly [first: number, second: number, third: number]

/** Year, month (1 to 12) and day. */
export type PlainDate = readonly [year: number, month: number, day: number]

type Order = 'day-first' | 'month-first'

/**
 * Finds out whether a chat writes the day or the month first. A year with four digits at the beginning is no question.
 * Otherwise the first date with a number over 12 settles it for the whole chat. When there is none, the order in which
 * the dates go backwards less often is taken; when both are equal, month first for a 12-hour clock with slashes (as in
 * the United States), else day first.
 */
export class DateOrder {
  #order: Order | undefined
  readonly #open: { readonly date: WrittenDate; readonly minute: number }[] = []
  #american = false

  /** True once it is known. */
  get settled(): boolean {
    return this.#order !== undefined
  }

  /**
   * Takes notice of a date. `minute` is the minute of the day, `american` whether it stands with slashes and AM or PM.
   */
  note(date: WrittenDate, minute: number, american: boolean): void {
    if (this.#order !== undefined || date[0] > 31) return
    const dayFirst = isDate(read(date, 'day-first'))
    const monthFirst = isDate(read(date, 'month-first'))
    if (dayFirst !== monthFirst) this.#settle(dayFirst ? 'day-first' : 'month-first')
    else if (dayFirst) {
      this.#american = american
      this.#open.push({ date, minute })
    }
  }

  /** Decides by the dates seen, when none of them settled it. */
  decide(): void {
    if (this.#order !== undefined) return
    const dayFirst = this.#stepsBack('day-first')
    const monthFirst = this.#stepsBack('month-first')
    const usual = this.#american ? 'month-first' : 'day-first'
    this.#settle(dayFirst === monthFirst ? usual : dayFirst < monthFirst ? 'day-first' : 'month-first')
  }

  /** The date that is meant; `undefined` when there is no such date. Only after it is settled. */
  dateOf(written: WrittenDate): PlainDate | undefined {
    const date = read(written, this.#order ?? 'day-first')
    return isDate(date) ? date : undefined
  }

  #settle(order: Order): void {
    this.#order = order
    this.#open.length = 0
  }

  #stepsBack(order: Order): number {
    let before = -Infinity
    let steps = 0
    for (const { date, minute } of this.#open) {
      const [year, month, day] = read(date, order)
      const now = Date.UTC(year, month - 1, day, 0, minute)
      if (now < before) steps++
      before = now
    }
    return steps
  }
}

function read([a, b, c]: WrittenDate, order: Order): PlainDate {
  if (a > 31) return [a, b, c]
  const year = c < 100 ? 2000 + c : c
  return order === 'day-first' ? [year, b, a] : [year, a, b]
}

function isDate([year, month, day]: PlainDate): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
