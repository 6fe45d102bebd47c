import { type Child, element } from './element.js'

/** What a list needs to know of its items. */
export interface ListOptions<T> {
  readonly label: string
  /** What an item is found by when the list changes. */
  keyOf(item: T): string
  contents(item: T): Child[]
  open(item: T, by: 'keyboard' | 'pointer'): void
  /** Called when places up to `end` are seen for which there are no items yet. */
  need(end: number): void
}

/** Rows beyond the visible ones that are there, so that scrolling shows no gaps. */
const BEYOND = 6
/** Places at most: a browser has no element that is higher than some ten million pixels. */
const MOST = 200_000

/**
 * A list of any length of which only the rows that are seen are elements. All rows are of one height. It is a listbox:
 * it has the focus itself, and says which row is the active one, which may be anywhere in it.
 */
export class VirtualList<T> {
  readonly element: HTMLElement
  readonly #options: ListOptions<T>
  readonly #sizer = element('div', { role: 'presentation', class: 'sizer' })
  /** A row that nobody sees: its height is that of all. */
  readonly #probe = element('div', { class: 'row probe', 'aria-hidden': 'true' })
  readonly #rows = new Map<number, HTMLElement>()
  readonly #shown = new WeakMap<HTMLElement, unknown>()
  #items: readonly T[] = []
  #total = 0
  #active = -1
  #selected: string | undefined
  #frame = 0
  #isPressed = false

  constructor(options: ListOptions<T>) {
    this.#options = options
    this.element = element(
      'div',
      { class: 'list', part: 'list', role: 'listbox', tabindex: '0', 'aria-label': options.label, 'data-key': 'list' },
      this.#sizer,
    )
    this.element.addEventListener('scroll', () => this.#soon(), { passive: true })
    this.element.addEventListener('keydown', (event) => this.#press(event))
    // A press gives the list the focus before it is a click: nothing may move in between.
    this.element.addEventListener('pointerdown', () => (this.#isPressed = true))
    this.element.addEventListener('focus', () => {
      if (!this.#isPressed && this.#active < 0 && this.#total > 0)
        this.#activate(Math.max(0, this.#placeOf(this.#selected)))
    })
    this.element.addEventListener('click', ({ target }) => {
      this.#isPressed = false
      const row = (target as Element).closest<HTMLElement>('.row')
      const place = row === null ? -1 : Number(row.dataset['place'])
      const item = this.#items[place]
      if (item === undefined) return
      this.#activate(place)
      options.open(item, 'pointer')
    })
    new ResizeObserver(() => this.#soon()).observe(this.element)
  }

  /**
   * Shows items.
   *
   * @param total places that there are, some of them without an item yet.
   */
  set(items: readonly T[], total = items.length): void {
    const active = this.#items[this.#active]
    this.#items = items
    this.#total = Math.min(MOST, Math.max(total, items.length))
    if (active !== undefined) this.#active = this.#placeOf(this.#options.keyOf(active), this.#active)
    this.#active = Math.min(this.#active, this.#total - 1)
    this.#draw()
  }

  /** Keeps what is seen in its place, where so many items come before all others. */
  shift(places: number): void {
    if (this.element.scrollTop > 0) this.element.scrollTop += places * this.#height
  }

  /** Begins at the first row. */
  toStart(): void {
    this.#active = -1
    this.element.scrollTop = 0
    this.element.removeAttribute('aria-activedescendant')
  }

  /** Marks the item that is open. */
  select(key: string | undefined): void {
    this.#selected = key
    this.#draw()
  }

  get #height(): number {
    if (!this.#probe.isConnected) this.#sizer.append(this.#probe)
    return this.#probe.offsetHeight || 1
  }

  #placeOf(key: string | undefined, guess = -1): number {
    const { keyOf } = this.#options
    const guessed = this.#items[guess]
    if (guessed !== undefined && keyOf(guessed) === key) return guess
    return key === undefined ? -1 : this.#items.findIndex((item) => keyOf(item) === key)
  }

  #soon(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#draw())
  }

  #draw(): void {
    const height = this.#height
    const { scrollTop, clientHeight } = this.element
    this.#sizer.style.blockSize = `${this.#total * height}px`
    if (clientHeight === 0) return
    const first = Math.max(0, Math.floor(scrollTop / height) - BEYOND)
    const end = Math.min(this.#total, Math.ceil((scrollTop + clientHeight) / height) + BEYOND)
    const places = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
    // The active row stays, since the list names it.
    if (this.#active >= 0 && (this.#active < first || this.#active >= end)) places.push(this.#active)
    const isSame = places.length === this.#rows.size && places.every((place) => this.#rows.has(place))
    for (const place of this.#rows.keys()) if (!places.includes(place)) this.#rows.delete(place)
    const rows = places.sort((a, b) => a - b).map((place) => this.#row(place, height))
    if (!isSame) this.#sizer.replaceChildren(this.#probe, ...rows)
    if (end > this.#items.length && this.#items.length < this.#total) this.#options.need(end)
  }

  #row(place: number, height: number): HTMLElement {
    const item = this.#items[place]
    let row = this.#rows.get(place)
    if (row === undefined) {
      row = element('div', { id: `row-${place}`, class: 'row', part: 'row', role: 'option', 'data-place': `${place}` })
      this.#rows.set(place, row)
    }
    if (!this.#shown.has(row) || this.#shown.get(row) !== item) {
      this.#shown.set(row, item)
      row.replaceChildren(
        ...(item === undefined ? ['…'] : this.#options.contents(item)).filter((one) => one !== undefined),
      )
    }
    row.style.transform = `translateY(${place * height}px)`
    row.setAttribute('aria-posinset', `${place + 1}`)
    row.setAttribute('aria-setsize', `${this.#total}`)
    const isSelected = item !== undefined && this.#options.keyOf(item) === this.#selected
    row.setAttribute('aria-selected', String(isSelected))
    row.classList.toggle('active', place === this.#active)
    return row
  }

  #activate(place: number): void {
    this.#active = place
    const height = this.#height
    const { scrollTop, clientHeight } = this.element
    if (place * height < scrollTop) this.element.scrollTop = place * height
    else if ((place + 1) * height > scrollTop + clientHeight)
      this.element.scrollTop = (place + 1) * height - clientHeight
    this.#draw()
    this.element.setAttribute('aria-activedescendant', `row-${place}`)
  }

  #press(event: KeyboardEvent): void {
    this.#isPressed = false
    if (this.#total === 0 || event.ctrlKey || event.altKey || event.metaKey) return
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#height) - 1)
    const to: Readonly<Record<string, number>> = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + page,
      PageUp: this.#active - page,
      Home: 0,
      End: this.#total - 1,
    }
    if (event.key in to) {
      event.preventDefault()
      this.#activate(Math.max(0, Math.min(this.#total - 1, to[event.key])))
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      const item = this.#items[this.#active]
      if (item !== undefined) this.#options.open(item, 'keyboard')
    }
  }
}
