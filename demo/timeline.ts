import type { Match } from '../src/runtimes/browser/index.js'
import { byId, element } from './element.js'
import { counted, time } from './format.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The distances that two ticks may have. */
const STEPS = [
  HOUR / 12,
  HOUR / 4,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  30 * DAY,
  91 * DAY,
  365 * DAY,
]
const BINS = 160
/** A tick label takes about this many pixels. */
const LABEL_WIDTH = 84

/** The strip that shows how the memories lie in time, and where in it the matches are. */
export class Timeline {
  readonly #section = byId('timeline', HTMLElement)
  readonly #strip = this.#section.querySelector<HTMLElement>('.strip')!
  readonly #path = this.#section.querySelector('path')!
  readonly #stems = this.#section.querySelector<HTMLElement>('.stems')!
  readonly #ticks = this.#section.querySelector<HTMLElement>('.ticks')!
  #times: number[] = []
  #matches: readonly Match[] = []
  #frame = 0
  #start = 0
  #end = 0

  constructor() {
    new ResizeObserver(() => this.#drawTicks()).observe(this.#strip)
  }

  /** Whether no times have been taken yet. */
  get empty(): boolean {
    return this.#times.length === 0
  }

  set hidden(hidden: boolean) {
    this.#section.hidden = hidden
  }

  /** Takes the times of all memories, in epoch milliseconds. */
  set(times: readonly number[]): void {
    this.#times = [...times]
    this.#changed()
  }

  /** Takes the times of more memories. */
  add(times: readonly number[]): void {
    for (const at of times) this.#times.push(at)
    this.#changed()
  }

  show(matches: readonly Match[]): void {
    this.#matches = matches
    this.#changed()
  }

  /** Sets the stem of one match apart from the others. */
  point(id: string | undefined): void {
    for (const stem of this.#stems.children)
      stem.classList.toggle('pointed', (stem as HTMLElement).dataset['id'] === id)
  }

  /** Draws before the next picture of the browser, once for all that changes until then. */
  #changed(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#draw())
  }

  #draw(): void {
    this.#section.hidden = this.#times.length < 2
    if (this.#section.hidden) return
    // A match may lie outside of the times that are known so far.
    this.#start = Infinity
    this.#end = -Infinity
    for (const at of [this.#times, this.#matches.map((match) => Date.parse(match.at))].flat()) {
      this.#start = Math.min(this.#start, at)
      this.#end = Math.max(this.#end, at)
    }
    this.#end = Math.max(this.#end, this.#start + 1)
    const bins = new Uint32Array(BINS)
    for (const at of this.#times) bins[Math.min(BINS - 1, Math.floor(this.#share(at) * BINS))]++
    const highest = bins.reduce((a, b) => Math.max(a, b))
    const width = 1000 / BINS
    const bars = Array.from(bins, (size, i) => {
      if (size === 0) return ''
      const height = 4 + 96 * Math.sqrt(size / highest) // the root keeps quiet hours visible
      return `M${(i * width).toFixed(2)} 100v${(-height).toFixed(2)}h${(width * 0.72).toFixed(2)}v${height.toFixed(2)}z`
    })
    this.#path.setAttribute('d', bars.join(''))
    this.#drawTicks()
    this.#drawMatches()
  }

  #drawMatches(): void {
    this.#stems.replaceChildren(
      ...this.#matches
        .map((match) => {
          const stem = element('span', { 'data-id': match.id })
          stem.style.insetInlineStart = `${this.#share(Date.parse(match.at)) * 100}%`
          stem.style.blockSize = `${35 + 60 * match.confidence}%`
          return stem
        })
        .reverse(),
    )
    this.#strip.setAttribute('aria-label', this.#describe())
  }

  #drawTicks(): void {
    if (this.#section.hidden || this.#times.length < 2) return
    const span = this.#end - this.#start
    const most = Math.max(2, Math.floor(this.#strip.clientWidth / LABEL_WIDTH))
    const step = STEPS.find((candidate) => span / candidate <= most) ?? Math.ceil(span / most / DAY) * DAY
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'UTC',
      ...(step < DAY
        ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
        : { day: 'numeric', month: 'short', ...(span > 300 * DAY && { year: '2-digit' }) }),
    })
    const ticks: HTMLElement[] = []
    const last = this.#end - (span * LABEL_WIDTH) / this.#strip.clientWidth / 2
    for (let at = Math.ceil(this.#start / step) * step; at <= last; at += step) {
      const tick = element('span', {}, format.format(at))
      tick.style.insetInlineStart = `${this.#share(at) * 100}%`
      ticks.push(tick)
    }
    this.#ticks.replaceChildren(...ticks)
  }

  #describe(): string {
    const range =
      `${counted(this.#times.length, 'memory', 'memories')} from ${this.#iso(this.#start)} to ` +
      `${this.#iso(this.#end)}`
    const times = this.#matches.map((match) => Date.parse(match.at))
    if (times.length === 0) return `${range}.`
    return `${range}. The matches lie from ${this.#iso(Math.min(...times))} to ${this.#iso(Math.max(...times))}.`
  }

  #iso(at: number): string {
    return time(new Date(at).toISOString())
  }

  #share(at: number): number {
    return (at - this.#start) / (this.#end - this.#start)
  }
}
