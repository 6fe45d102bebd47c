import type { EntrySource, EntryTree } from '../../api/entry.js'
import { button, type Child, element } from '../dom/element.js'
import { counted, short } from '../dom/format.js'
import { Paged } from '../dom/paged.js'
import { renew, unfoldedIn } from '../dom/renew.js'
import type { Desk, View } from '../view.js'

/** Entries of a section that are shown at once. */
const ENTRIES = 100

/** The keys of what was unfolded. */
type Unfolded = ReturnType<typeof unfoldedIn>

/** The documents, each with its outline. */
export class Documents implements View {
  readonly name = 'Documents'
  readonly element = element('div', { class: 'page' })
  readonly #desk: Desk
  readonly #list = element('ul', { class: 'items', 'aria-label': 'Documents' })
  readonly #paged = new Paged(() => void this.#desk.act(() => this.show()))

  constructor(desk: Desk) {
    this.#desk = desk
    this.element.append(this.#list)
  }

  async show(): Promise<void> {
    const sources = await this.#desk.db.entries.sources()
    const shown = sources.slice(0, this.#paged.shown)
    // What is unfolded is made at once: it can only stay so if it is there.
    const open = unfoldedIn(this.#list)
    const trees = new Map<string, readonly EntryTree[]>()
    for (const { source } of shown) if (open.has(documentKey(source))) trees.set(source, await this.#tree(source))
    const unfolded = unfoldedIn(this.#list)
    const items = shown.map((source) => this.#document(source, unfolded, trees.get(source.source)))
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
  #document({ source, entries }: EntrySource, unfolded: Unfolded, trees?: readonly EntryTree[]): HTMLElement {
    const outline = element(
      'ul',
      { class: 'outline', 'aria-label': `Outline of ${source}` },
      ...(trees === undefined ? [] : this.#entries(trees, unfolded)),
    )
    const details = element(
      'details',
      { 'data-key': documentKey(source) },
      element('summary', {}, source, element('span', { class: 'note' }, ` ${counted(entries, 'entry', 'entries')}`)),
      outline,
    )
    const fill = async () => outline.replaceChildren(...this.#entries(await this.#tree(source), unfolded))
    if (trees === undefined)
      details.addEventListener('toggle', () => details.open && void this.#desk.act(fill), { once: true })
    return element('li', { class: 'item', 'data-item': source, tabindex: '-1' }, details)
  }

  #entries(trees: readonly EntryTree[], unfolded: Unfolded, from = 0): Node[] {
    const items: Node[] = trees
      .slice(from, from + ENTRIES)
      .map((tree) => element('li', {}, ...this.#entry(tree, unfolded)))
    const left = trees.length - from - ENTRIES
    if (left <= 0) return items
    const more = element('li')
    more.append(
      button(`Show ${Math.min(left, ENTRIES)} more of ${left}`, `more ${from}`, () =>
        more.replaceWith(...this.#entries(trees, unfolded, from + ENTRIES)),
      ),
    )
    return [...items, more]
  }

  /** An entry; what is below it is made when it is unfolded, unless it was before. */
  #entry({ entry, children }: EntryTree, unfolded: Unfolded): Child[] {
    const { id, heading, content } = entry
    const open = (label: string) => button(label, `go ${id}`, () => this.#desk.open(id), { class: 'link' })
    if (children.length === 0) return [open(short(heading ?? content))]
    const list = element('ul')
    const key = `entry ${id}`
    const details = element('details', { 'data-key': key }, element('summary', {}, short(heading ?? content)), list)
    const fill = () =>
      list.replaceChildren(element('li', {}, open(short(content))), ...this.#entries(children, unfolded))
    if (unfolded.has(key)) fill()
    else details.addEventListener('toggle', fill, { once: true })
    return [details]
  }
}

function documentKey(source: string): string {
  return `document ${source}`
}
