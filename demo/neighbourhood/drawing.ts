import type { GraphNeighbour, WhyStep } from '../../src/runtimes/browser/index.js'

/** The kinds of lines; what leads from one entity to another is a `relation`. */
export const LINE_KINDS = ['forward', 'backward', 'association', 'entity', 'word', 'relation', 'pageRank'] as const
export type LineKind = (typeof LINE_KINDS)[number]

const UNDIRECTED: readonly LineKind[] = ['association', 'entity', 'word']

/** A line of the drawing. */
export interface Line {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly kind: LineKind
  /** 0 to 1. */
  readonly weight: number
  /** Whether it belongs to the path by which the match was found. */
  readonly isPath: boolean
}

/** An episode or an entity of the drawing. */
export interface Point {
  /** The id of the episode, or the name of the entity. */
  readonly id: string
  readonly isCentre: boolean
  readonly isEpisode: boolean
  readonly isPath: boolean
  readonly x: number
  readonly y: number
}

export interface Drawing {
  readonly points: readonly Point[]
  readonly lines: readonly Line[]
}

/** From one ring to the next. */
const RING = 150
/** Between neighbours on a ring, at least: where there are more, the ring is wider. */
const GAP = 58

/**
 * A drawing of the neighbourhood of an episode: it stands in the middle, what is one line away on a ring around it, and
 * so on; what hangs on one thing stands side by side. The same neighbourhood is always drawn alike.
 *
 * @param path how a recall came to the episode; empty where none is known
 * @param isEpisode whether an end of a step is an episode
 */
export function drawing(
  centre: string,
  neighbours: readonly Pick<GraphNeighbour, 'why'>[],
  path: readonly WhyStep[],
  isEpisode: (id: string) => boolean,
): Drawing {
  const lines = new Map<string, Line>()
  for (const step of path) add(lines, step, true)
  for (const { why } of neighbours) for (const step of why) add(lines, step, false)
  const onPath = new Set(path.flatMap(({ from, to }) => [from, to]))
  const places = rings(centre, [...lines.values()])
  return {
    points: Array.from(places, ([id, place]) => ({
      id,
      isCentre: id === centre,
      isEpisode: isEpisode(id),
      isPath: onPath.has(id),
      ...place,
    })),
    lines: [...lines.values()],
  }
}

function add(lines: Map<string, Line>, { from, edge, weight, to }: WhyStep, isPath: boolean): void {
  const kind = LINE_KINDS.find((one) => one === edge) ?? 'relation'
  // What has no direction is the same line from both of its ends; what comes next is the other's before.
  const [a, b] = kind === 'backward' || (UNDIRECTED.includes(kind) && from > to) ? [to, from] : [from, to]
  const id = JSON.stringify([a, kind === 'backward' ? 'forward' : edge, b])
  if (!lines.has(id)) lines.set(id, { id, from, to, kind, weight, isPath })
}

interface Place {
  readonly x: number
  readonly y: number
}

/** Places by node: a tree of shortest ways from the centre, each branch with as much of the circle as it has leaves. */
function rings(centre: string, lines: readonly Line[]): Map<string, Place> {
  const beside = new Map<string, Set<string>>()
  const besides = (id: string) => beside.get(id) ?? beside.set(id, new Set()).get(id)!
  for (const { from, to } of lines) {
    besides(from).add(to)
    besides(to).add(from)
  }
  const children = new Map<string, string[]>([[centre, []]])
  const levels = [[centre]]
  for (let level = levels[0]; level.length > 0; level = levels[levels.length - 1]) {
    const next: string[] = []
    for (const id of level)
      for (const other of besides(id)) {
        if (children.has(other)) continue
        children.set(other, [])
        children.get(id)!.push(other)
        next.push(other)
      }
    levels.push(next)
  }
  const radii = radiiOf(levels)
  const places = new Map<string, Place>()
  const place = (id: string, depth: number, from: number, turn: number) => {
    const angle = from + turn / 2
    places.set(id, { x: Math.round(radii[depth] * Math.cos(angle)), y: Math.round(radii[depth] * Math.sin(angle)) })
    const all = leaves(id, children)
    let start = from
    for (const child of children.get(id)!) {
      const share = (turn * leaves(child, children)) / all
      place(child, depth + 1, start, share)
      start += share
    }
  }
  place(centre, 0, -Math.PI, 2 * Math.PI)
  return places
}

function leaves(id: string, children: ReadonlyMap<string, readonly string[]>): number {
  const own = children.get(id)!
  return own.length === 0 ? 1 : own.reduce((sum, child) => sum + leaves(child, children), 0)
}

function radiiOf(levels: readonly (readonly string[])[]): number[] {
  const radii: number[] = []
  for (const { length } of levels)
    radii.push(radii.length === 0 ? 0 : Math.max(radii[radii.length - 1] + RING, (length * GAP) / (2 * Math.PI)))
  return radii
}
