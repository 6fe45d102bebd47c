import { element } from './dom/element.js'
import type { View } from './view.js'

/** Tabs with their panels. The arrow keys go from tab to tab, and what is gone to is shown. */
export class Tabs {
  readonly list = element('div', { class: 'tabs', part: 'tabs', role: 'tablist', 'aria-label': 'Parts of the memory' })
  readonly panels: readonly HTMLElement[]
  readonly #views: readonly View[]
  readonly #tabs: readonly HTMLButtonElement[]
  readonly #shown: (view: View) => void
  #at = 0

  /** @param shown is told of the view that comes to sight. */
  constructor(views: readonly View[], shown: (view: View) => void) {
    this.#views = views
    this.#shown = shown
    this.#tabs = views.map(({ name }, i) => {
      const id = `tab-${i}`
      const tab = element(
        'button',
        { id, type: 'button', part: 'tab', role: 'tab', 'aria-controls': `panel-${i}` },
        name,
      )
      tab.addEventListener('click', () => this.choose(i))
      return tab
    })
    this.panels = views.map(({ element: content }, i) =>
      element(
        'div',
        { id: `panel-${i}`, class: 'panel', part: 'panel', role: 'tabpanel', 'aria-labelledby': `tab-${i}` },
        content,
      ),
    )
    this.list.append(...this.#tabs)
    this.list.addEventListener('keydown', (event) => {
      const to: Readonly<Record<string, number>> = {
        ArrowRight: (this.#at + 1) % views.length,
        ArrowLeft: (this.#at + views.length - 1) % views.length,
        Home: 0,
        End: views.length - 1,
      }
      if (!(event.key in to)) return
      event.preventDefault()
      this.choose(to[event.key])
      this.focus()
    })
    this.#mark()
  }

  /** The view that is in sight. */
  get view(): View {
    return this.#views[this.#at]
  }

  /** Gives the focus to the tab that is chosen. */
  focus(): void {
    this.#tabs[this.#at].focus()
  }

  /** Shows a view. */
  choose(which: number | View): void {
    const at = typeof which === 'number' ? which : this.#views.indexOf(which)
    if (at === this.#at) return
    this.#at = at
    this.#mark()
    this.#shown(this.view)
  }

  #mark(): void {
    this.#tabs.forEach((tab, i) => {
      const isChosen = i === this.#at
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      this.panels[i].hidden = !isChosen
      if (isChosen) tab.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
    })
  }
}
