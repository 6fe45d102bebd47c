import type { EntrySource, EntryTree } from '../../api/entry.js'
import { button, type Child, element } from '../dom/element.js'
import { counted, short } from '../dom/format.js'
import { Paged } from '../dom/paged.js'
import { renew } from '../dom/renew.js'
import type { Desk, View } from '../view.js'

/** Entries of a section that are shown at once. */
const ENTRIES = 100

/** The documents, each with its outline. What is unfolded stays so when the documents change. */
export class Documents implements View {
  readonly name = 'Documents'
  readonly element = element('div', { class: 'page' })
  readonly #desk: Desk
  readonly #list = element('ul', { class: 'items', 'aria-label': 'Documents' })
  readonly #paged = new Paged(() => void this.#desk.act(() => this.show()))
  /** The keys of what is unfolded: documents and entries. */
  readonly #unfolded = new Set<string>()

  constructor(desk: Desk) {
    this.#desk = desk
    this.element.append(this.#list)
  }

  async show(): Promise<void> {
    const sources = await this.#desk.db.entries.sources()
    const shown = sources.slice(0, this.#paged.shown)
    const unfolded = shown.filter(({ source }) => this.#unfolded.has(documentKey(source)))
    const trees = new Map(
      await Promise.all(unfolded.map(async ({ source }) => [source, await this.#tree(source)] as const)),
    )
    const items = shown.map((source) => this.#document(source, trees.get(source.source)))
    const more = this.#paged.more(sources.length)
    renew(
      this.#list,
      ...(items.length === 0 ? [element('li', { class: 'nothing' }, 'There is no document.')] : items),
      more && element('li', {}, more),
    )
  }

  #tree(source: string): Promise<readonly EntryTree[]> {
    return this.#desk.db.entries.tree(source)
  }

  /** A document; its outline is asked for when it is unfolded, unless it is there. */
  #document({ source, entries }: EntrySource, trees?: readonly EntryTree[]): HTMLElement {
    const outline = element(
      'ul',
      { class: 'outline', 'aria-label': `Outline of ${source}` },
      ...(trees === undefined ? [] : this.#entries(trees)),
    )
    const note = element('span', { class: 'note' }, ` ${counted(entries, 'entry', 'entries')}`)
    const details = this.#details(documentKey(source), element('summary', {}, source, note), outline)
    const fill = async () => outline.replaceChildren(...this.#entries(await this.#tree(source)))
    if (trees === undefined)
      details.addEventListener('toggle', () => details.open && void this.#desk.act(fill), { once: true })
    return element('li', { class: 'item', 'data-item': source, tabindex: '-1' }, details)
  }

  #entries(trees: readonly EntryTree[], from = 0): Node[] {
    const items: Node[] = trees.slice(from, from + ENTRIES).map((tree) => element('li', {}, ...this.#entry(tree)))
    const left = trees.length - from - ENTRIES
    if (left <= 0) return items
    const more = element('li')
    more.append(
      button(`Show ${Math.min(left, ENTRIES)} more of ${left}`, `more ${from}`, () =>
        more.replaceWith(...this.#entries(trees, from + ENTRIES)),
      ),
    )
    return [...items, more]
  }

  /** An entry; what is below it is made when it is unfolded. */
  #entry({ entry, children }: EntryTree): Child[] {
    const { id, heading, content } = entry
    const open = (label: string) => button(label, `go ${id}`, () => this.#desk.open(id), { class: 'link' })
    if (children.length === 0) return [open(short(heading ?? content))]
    const list = element('ul')
    const key = `entry ${id}`
    const fill = () => list.replaceChildren(element('li', {}, open(short(content))), ...this.#entries(children))
    const isFilled = this.#unfolded.has(key)
    if (isFilled) fill()
    const details = this.#details(key, element('summary', {}, short(heading ?? content)), list)
    if (!isFilled) details.addEventListener('toggle', fill, { once: true })
    return [details]
  }

  /** Something that unfolds, as it was left. */
  #details(key: string, ...children: readonly Child[]): HTMLDetailsElement {
    const details = element('details', { 'data-key': key }, ...children)
    details.open = this.#unfolded.has(key)
    details.addEventListener('toggle', () => this.#unfolded[details.open ? 'add' : 'delete'](key))
    return details
  }
}

function documentKey(source: string): string {
  return `document ${source}`
}
