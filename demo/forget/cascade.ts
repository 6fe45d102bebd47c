import { element } from '../element.js'
import { count, counted } from '../format.js'
import type { Fold, FoldedCascade } from './fold.js'
import { fateOf, kindName, kindWords } from './words.js'

/** Heights in CSS pixels: of a node, and of the space below it. `forget.css` has the same. */
const NODE = 54
const GAP = 8
/** The space between the sides, in units of its width. */
const WIDTH = 100

/** Names that a sentence has at most. */
const NAMED = 3

/** A node that is drawn. */
interface Drawn {
  readonly fold: Fold
  /** Its name, or how many things it stands for. */
  readonly name: string
  /** Whether it is to be forgotten itself, and does not only rest on what is. */
  readonly isGiven: boolean
  readonly element: HTMLElement
  /** The nodes at the other side that it is connected with. */
  readonly connected: Map<Drawn, Connection>
}

interface Connection {
  /** How many single edges it stands for. */
  readonly edges: number
  readonly path: SVGPathElement
}

/** What rests on what, as a picture: what is to be forgotten at the left, what rests on it at the right. */
export class Cascade {
  readonly element: HTMLElement
  readonly #graph = element('div', {
    class: 'cascade',
    role: 'listbox',
    tabindex: '0',
    'aria-label': 'What depends on what. The arrow keys go from one to the next.',
  })
  readonly #detail = element('p', { class: 'detail' })
  readonly #list = element('ul')
  #given: Drawn[] = []
  #dependents: Drawn[] = []
  #chosen: Drawn | undefined

  constructor() {
    this.element = element(
      'div',
      { class: 'cascade-view' },
      this.#graph,
      this.#detail,
      element('details', { class: 'past' }, element('summary', {}, 'The same as a list'), this.#list),
    )
    for (const kind of ['pointermove', 'click'] as const)
      this.#graph.addEventListener(kind, ({ target }) => {
        const node = (target as Element).closest('.node')
        const drawn = [...this.#given, ...this.#dependents].find((one) => one.element === node)
        if (drawn !== undefined) this.#choose(drawn)
      })
    this.#graph.addEventListener('keydown', (event) => this.#step(event))
  }

  /** Draws a cascade. `nameOf` gives the name of each fold. */
  show({ given, dependents, edges }: FoldedCascade, nameOf: (fold: Fold) => string): void {
    this.#given = given.map((fold, i) => nodeOf(`given-${i}`, fold, nameOf(fold), true))
    this.#dependents = dependents.map((fold, i) => nodeOf(`dependent-${i}`, fold, nameOf(fold), false))
    const rows = Math.max(given.length, dependents.length)
    const svg = vector('svg', {
      viewBox: `0 0 ${WIDTH} ${heightOf(rows)}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    })
    svg.style.blockSize = `${heightOf(rows)}px`
    for (const edge of edges) {
      const from = this.#given[edge.given]
      const to = this.#dependents[edge.dependent]
      const y1 = middleOf(edge.given, given.length, rows)
      const y2 = middleOf(edge.dependent, dependents.length, rows)
      const path = vector('path', { d: `M0 ${y1}C${WIDTH / 2} ${y1} ${WIDTH / 2} ${y2} ${WIDTH} ${y2}` })
      path.style.strokeWidth = `${1 + Math.min(5, Math.log2(edge.edges))}px`
      svg.append(path)
      from.connected.set(to, { edges: edge.edges, path })
      to.connected.set(from, { edges: edge.edges, path })
    }
    this.#graph.replaceChildren(
      side('What is forgotten', this.#given),
      svg,
      dependents.length === 0
        ? element('p', { class: 'note' }, 'Nothing rests on it.')
        : side('What rests on it', this.#dependents),
    )
    this.#list.replaceChildren(...[...this.#given, ...this.#dependents].map((node) => element('li', {}, tell(node))))
    this.#choose(this.#given[0])
  }

  #step(event: KeyboardEvent): void {
    const chosen = this.#chosen
    if (chosen === undefined) return
    const own = chosen.isGiven ? this.#given : this.#dependents
    const place = own.indexOf(chosen)
    const [across] = chosen.connected.keys()
    const to: Readonly<Record<string, Drawn | undefined>> = {
      ArrowUp: own[place - 1],
      ArrowDown: own[place + 1],
      ArrowLeft: !chosen.isGiven ? (across ?? this.#given[0]) : undefined,
      ArrowRight: chosen.isGiven ? (across ?? this.#dependents[0]) : undefined,
      Home: own[0],
      End: own.at(-1),
    }
    if (!(event.key in to)) return
    event.preventDefault()
    const next = to[event.key]
    if (next !== undefined) this.#choose(next)
  }

  /** Shows what a node is and what it is connected with. */
  #choose(chosen: Drawn | undefined): void {
    this.#chosen = chosen
    for (const node of [...this.#given, ...this.#dependents]) {
      node.element.setAttribute('aria-selected', String(node === chosen))
      node.element.classList.toggle('connected', chosen?.connected.has(node) ?? false)
      for (const { path } of node.connected.values()) path.classList.remove('connected')
    }
    if (chosen === undefined) return
    for (const { path } of chosen.connected.values()) path.classList.add('connected')
    this.#graph.setAttribute('aria-activedescendant', chosen.element.id)
    this.#detail.textContent = tell(chosen)
  }
}

function nodeOf(id: string, fold: Fold, name: string, isGiven: boolean): Drawn {
  const { kind, becomes, ids } = fold
  const what = ids.length === 1 ? `${kindName(kind)}, ` : ''
  const fate = fateOf(kind, becomes)
  const node = element(
    'div',
    {
      id: `cascade-${id}`,
      class: `node ${becomes}`,
      role: 'option',
      'aria-selected': 'false',
      'aria-label': `${name}: ${what}${fate}`,
    },
    element('span', { class: 'name' }, name),
    element('span', { class: 'fate' }, element('span', { class: 'kind' }, what), fate),
  )
  return { fold, name, isGiven, element: node, connected: new Map() }
}

function side(label: string, nodes: readonly Drawn[]): HTMLElement {
  return element('div', { class: 'side', role: 'group', 'aria-label': label }, ...nodes.map((node) => node.element))
}

/** What a node is, what becomes of it and what it is connected with. */
function tell({ fold, name, isGiven, connected }: Drawn): string {
  const { kind, becomes, ids } = fold
  const isOne = ids.length === 1
  const what = `${quoted({ fold, name })}${isOne ? ` (${kindName(kind)})` : ''}: ${fateOf(kind, becomes)}.`
  if (isGiven) {
    const names = Array.from(connected.keys(), quoted)
    const more = names.length > NAMED ? ` and ${count(names.length - NAMED)} more` : ''
    const on = isOne ? 'it' : 'them'
    return names.length === 0
      ? `${what} Nothing rests on ${on}.`
      : `${what} What rests on ${on}: ${names.slice(0, NAMED).join('; ')}${more}.`
  }
  if (becomes === 'revived') return `${what} What replaced ${isOne ? 'it' : 'them'} is forgotten.`
  const others = new Set(Array.from(connected.keys(), ({ fold }) => fold.kind))
  const edges = [...connected.values()].reduce((sum, connection) => sum + connection.edges, 0)
  const on = others.size === 1 ? kindWords([...others][0], edges) : counted(edges, 'thing', 'things')
  return isOne ? `${what} It rests on ${on} of these.` : `${what} They rest on these, in ${count(edges)} ways.`
}

/** A name in quotes, or how many things there are. */
function quoted({ fold, name }: Pick<Drawn, 'fold' | 'name'>): string {
  return fold.ids.length === 1 ? `“${name}”` : name
}

const heightOf = (rows: number): number => Math.max(1, rows) * (NODE + GAP) - GAP

/** Where the middle of a node is, of a side that is centred. */
function middleOf(place: number, rows: number, most: number): number {
  return (heightOf(most) - heightOf(rows)) / 2 + place * (NODE + GAP) + NODE / 2
}

function vector<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[K] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}
