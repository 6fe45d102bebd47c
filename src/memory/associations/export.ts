import type { GraphFormat } from '../../api/graph.js'
import { encodeUtf8 } from '../../base/utf8.js'
import { turn } from '../../base/event-loop-turn.js'
import type { GraphSources } from './sources.js'
import type { EntityList } from './entity-list.js'
import { rootsOf } from './steps.js'

/** Bytes of a piece of the stream, about. */
const PIECE = 1 << 16

/** What a node or an edge has beside its ends. */
type Attributes = Readonly<Record<string, string | number | undefined>>

/** Writes one format. */
interface Format {
  readonly head: string
  readonly node: (id: string, attributes: Attributes, isFirst: boolean) => string
  readonly between: string
  readonly edge: (from: string, to: string, attributes: Attributes, isFirst: boolean) => string
  readonly tail: string
}

const FORMATS: Readonly<Record<GraphFormat, Format>> = {
  json: {
    head: '{"nodes":[',
    node: (id, attributes, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify({ id, ...attributes })}`,
    between: '\n],"edges":[',
    edge: (from, to, attributes, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify({ from, to, ...attributes })}`,
    tail: '\n]}\n',
  },
  graphml: {
    head: graphmlHead(),
    node: (id, attributes) => `<node id="${escaped(id)}">${dataOf('node', attributes)}</node>\n`,
    between: '',
    edge: (from, to, attributes) =>
      `<edge source="${escaped(from)}" target="${escaped(to)}"${
        attributes['kind'] === 'association' ? ' directed="false"' : ''
      }>${dataOf('edge', attributes)}</edge>\n`,
    tail: '</graph>\n</graphml>\n',
  },
}

/**
 * All nodes and edges of the graphs, piece by piece. Entities have `entity:` before the roots of their names, so that
 * none has the id of an episode.
 */
export function exported(context: GraphSources, list: EntityList, format: GraphFormat): ReadableStream<Uint8Array> {
  const pieces = piecesOf(context, list, FORMATS[format])
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = pieces.next()
        if (done) controller.close()
        else controller.enqueue(encodeUtf8(value))
        await turn()
      },
      async cancel() {
        pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

function* piecesOf(context: GraphSources, list: EntityList, format: Format): Generator<string> {
  let piece = format.head
  let isFirst = true
  const told: Told = { slots: new Set(), roots: new Set() }
  for (const [id, attributes] of nodesOf(context, list, told)) {
    piece += format.node(id, attributes, isFirst)
    isFirst = false
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  piece += format.between
  isFirst = true
  for (const [from, to, attributes] of edgesOf(context, told)) {
    piece += format.edge(from, to, attributes, isFirst)
    isFirst = false
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece + format.tail
}

/** The nodes that are told. What comes while the stream is read has no node, so that no edge may lead there. */
interface Told {
  readonly slots: Set<number>
  readonly roots: Set<string>
}

function* nodesOf({ indexes }: GraphSources, list: EntityList, told: Told): Generator<[id: string, Attributes]> {
  const { catalog } = indexes
  for (const slot of [...catalog.slots()]) {
    if (!catalog.has(slot)) continue // forgotten meanwhile
    told.slots.add(slot)
    const session = catalog.sessions.name(catalog.session(slot))
    const at = new Date(catalog.validFrom(slot)).toISOString()
    yield [catalog.id(slot)!, { kind: 'episode', at, session, speaker: catalog.speaker(slot) }]
  }
  for (const root of [...list.all()].sort()) {
    told.roots.add(root)
    const { name, type } = list.tell(root)
    yield [entityId(root), { kind: 'entity', name, type }]
  }
}

function* edgesOf({ indexes }: GraphSources, told: Told): Generator<[from: string, to: string, Attributes]> {
  const { catalog, associations, timeline, entities, conceptNames } = indexes
  const has = (slot: number) => told.slots.has(slot) && catalog.has(slot)
  for (const slot of told.slots) {
    if (!has(slot)) continue // forgotten meanwhile
    const id = catalog.id(slot)!
    const { slots, weights } = associations.graph.neighbours(slot)
    for (let i = 0; i < slots.length; i++)
      if (slots[i] > slot && has(slots[i]))
        yield [id, catalog.id(slots[i])!, { kind: 'association', weight: weights[i] }]
    const next = timeline.next(slot)
    if (has(next)) yield [id, catalog.id(next)!, { kind: 'forward' }]
    for (const root of rootsOf(indexes, slot)) if (told.roots.has(root)) yield [id, entityId(root), { kind: 'entity' }]
  }
  for (const name of entities.relations.names().sort()) {
    const edge = entities.relations.named(name)
    const weight = edge === undefined ? 0 : entities.relations.weight(edge)
    if (edge === undefined || weight <= 0) continue
    const { from, type, to } = entities.relations.edge(edge)
    const [subject, object] = [conceptNames.rootOf(from), conceptNames.rootOf(to)]
    if (told.roots.has(subject) && told.roots.has(object))
      yield [entityId(subject), entityId(object), { kind: 'relation', type, weight }]
  }
}

function entityId(root: string): string {
  return `entity:${root}`
}

/** GraphML (Brandes et al. 2002) with the keys that nodes and edges have. */
function graphmlHead(): string {
  const key = (name: string, of: string, type = 'string') =>
    `<key id="${of}-${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>\n`
  const nodes = ['kind', 'at', 'session', 'speaker', 'name', 'type'].map((name) => key(name, 'node'))
  const edges = [key('kind', 'edge'), key('type', 'edge'), key('weight', 'edge', 'double')]
  const start = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
  return `${start}${nodes.join('')}${edges.join('')}<graph edgedefault="directed">\n`
}

function dataOf(of: 'node' | 'edge', attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<data key="${of}-${name}">${escaped(String(value))}</data>`)
    .join('')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as XML 1.0 has it: characters that it does not allow are left out. */
function escaped(text: string): string {
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"]/g, (char) => ENTITIES[char])
}
