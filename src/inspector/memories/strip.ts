import type { Filter } from '../../api/filter.js'
import type { Database } from '../../api/scope.js'
import { element } from '../dom/element.js'
import { count, counted, day } from '../dom/format.js'
import { density, type Density } from './density.js'

const BINS = 60

/** How the memories lie in time, as a picture. Who presses a bar looks at that time alone; the fields do the same. */
export class Strip {
  readonly element = element('div', { class: 'strip', part: 'strip', role: 'img' })
  readonly #db: Database
  #shown: Density | undefined
  #counting = 0

  /** @param choose is told of the days of a bar that was pressed, in epoch milliseconds. */
  constructor(db: Database, choose: (from: number, to: number) => void) {
    this.#db = db
    this.element.hidden = true
    this.element.addEventListener('click', ({ target }) => {
      const bar = (target as Element).closest<HTMLElement>('[data-bin]')
      if (bar === null || this.#shown === undefined) return
      const { from, to } = this.#shown
      const edge = (bin: number) => from + ((to - from) * bin) / BINS
      choose(edge(Number(bar.dataset['bin'])), edge(Number(bar.dataset['bin']) + 1) - 1)
    })
  }

  /** Counts anew. A later call takes over. */
  async show(filter: Filter | undefined): Promise<void> {
    const counting = ++this.#counting
    const found = await density(this.#db, filter, BINS)
    if (counting !== this.#counting) return
    this.#shown = found
    this.element.hidden = found === undefined
    if (found === undefined) return
    const { from, to, counts } = found
    const most = Math.max(...counts)
    const total = counts.reduce((sum, one) => sum + one, 0)
    const told = `${counted(total, 'memory', 'memories')} from ${day(from)} to ${day(to - 1)}`
    this.element.setAttribute('aria-label', `How they lie in time: ${told}`)
    const bars = counts.map((many, bin) => {
      const at = from + ((to - from) * bin) / BINS
      const bar = element('span', { class: 'column', 'data-bin': `${bin}`, title: `${day(at)}: ${count(many)}` })
      const fill = element('span')
      // The root keeps quiet times visible.
      fill.style.blockSize = many === 0 ? '0' : `${6 + 94 * Math.sqrt(many / most)}%`
      bar.append(fill)
      return bar
    })
    this.element.replaceChildren(
      element('div', { class: 'columns' }, ...bars),
      element('div', { class: 'ends' }, element('span', {}, day(from)), element('span', {}, day(to - 1))),
    )
  }
}
