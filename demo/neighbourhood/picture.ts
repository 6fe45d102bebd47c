import cytoscape, { type Core, type StylesheetJson } from 'cytoscape'
import { LINE_KINDS, type Drawing, type LineKind } from './drawing.js'

/** Colours as the page resolved them for its scheme. */
export interface Colours {
  readonly ink: string
  readonly surface: string
  readonly node: string
  readonly path: string
  readonly lines: Readonly<Record<LineKind, string>>
}

/** Lines differ by more than their colour. */
const DASHES: Readonly<Record<LineKind, 'solid' | 'dashed' | 'dotted'>> = {
  forward: 'solid',
  backward: 'dashed',
  association: 'solid',
  entity: 'dotted',
  word: 'dotted',
  relation: 'dashed',
  pageRank: 'dotted',
}
const DIRECTED: readonly LineKind[] = ['forward', 'backward', 'relation', 'pageRank']

/**
 * The library puts a style sheet into the page unless it finds one with this id; the page's own policy forbids that,
 * and its style sheet has the rule already.
 */
const STYLE_ID = '__________cytoscape_stylesheet'

/** A drawing on a canvas. */
export class Picture {
  readonly #place: HTMLElement
  readonly #chosen: (id: string) => void
  #graph: Core | undefined

  /** @param chosen takes the node that was pressed */
  constructor(place: HTMLElement, chosen: (id: string) => void) {
    this.#place = place
    this.#chosen = chosen
    if (document.getElementById(STYLE_ID) === null)
      document.head.append(Object.assign(document.createElement('meta'), { id: STYLE_ID }))
  }

  /** Draws something else. */
  show(drawing: Drawing, labelOf: (id: string) => string, colours: Colours): void {
    this.#graph?.destroy()
    this.#graph = cytoscape({
      container: this.#place,
      elements: {
        nodes: drawing.points.map(({ id, x, y, isCentre, isEpisode, isPath }) => ({
          data: { id, label: labelOf(id) },
          position: { x, y },
          // Labels stand where there are no lines: outwards.
          classes: [
            isEpisode ? 'episode' : 'entity',
            isCentre ? 'centre' : '',
            isPath ? 'path' : '',
            y < 0 ? 'above' : '',
          ],
        })),
        edges: drawing.lines.map(({ id, from, to, kind, weight, isPath }) => ({
          data: { id, source: from, target: to, weight },
          classes: [kind, isPath ? 'path' : ''],
        })),
      },
      style: styles(colours),
      layout: { name: 'preset', fit: true, padding: 36 },
      minZoom: 0.2,
      maxZoom: 2,
      autoungrabify: true,
      boxSelectionEnabled: false,
    })
    this.#place.dataset['nodes'] = `${drawing.points.length}`
    this.#graph.on('tap', 'node', (event) => this.#chosen(event.target.id() as string))
  }

  /** Marks a node and the lines at it; nothing without an id. */
  mark(id?: string): void {
    const graph = this.#graph
    if (graph === undefined) return
    graph.elements().removeClass('marked')
    this.#place.dataset['marked'] = id ?? ''
    if (id !== undefined) graph.getElementById(id).addClass('marked').connectedEdges().addClass('marked')
  }

  /** Fits what is drawn into its place, whose size has changed. */
  fit(): void {
    this.#graph?.resize()
    this.#graph?.fit(undefined, 36)
  }

  close(): void {
    this.#graph?.destroy()
    this.#graph = undefined
  }
}

function styles({ ink, surface, node, path, lines }: Colours): StylesheetJson {
  return [
    {
      selector: 'node',
      style: {
        label: 'data(label)',
        color: ink,
        'font-size': 13,
        'text-wrap': 'wrap',
        'text-max-width': '130px',
        'text-valign': 'bottom',
        'text-margin-y': 5,
        'text-background-color': surface,
        'text-background-opacity': 0.85,
        'text-background-padding': '2px',
        'background-color': node,
        'border-width': 2,
        'border-color': surface,
        width: 18,
        height: 18,
      },
    },
    {
      selector: 'node.entity',
      style: { shape: 'round-diamond', 'background-color': lines.entity, width: 22, height: 22 },
    },
    { selector: 'node.centre', style: { width: 30, height: 30, 'background-color': ink, 'font-weight': 'bold' } },
    { selector: 'node.above', style: { 'text-valign': 'top', 'text-margin-y': -5 } },
    { selector: 'node.path', style: { 'border-color': path, 'border-width': 4 } },
    {
      selector: 'edge',
      style: { 'curve-style': 'bezier', width: 'mapData(weight, 0, 1, 1.5, 5)', 'target-arrow-shape': 'none' },
    },
    ...LINE_KINDS.map((kind) => ({
      selector: `edge.${kind}`,
      style: {
        'line-color': lines[kind],
        'line-style': DASHES[kind],
        'target-arrow-color': lines[kind],
        'target-arrow-shape': DIRECTED.includes(kind) ? ('triangle' as const) : ('none' as const),
      },
    })),
    {
      selector: 'edge.path',
      style: { 'underlay-color': path, 'underlay-opacity': 0.4, 'underlay-padding': 6 },
    },
    { selector: 'node.marked', style: { 'border-color': ink, 'border-width': 4 } },
    { selector: 'edge.marked', style: { width: 6 } },
  ]
}
