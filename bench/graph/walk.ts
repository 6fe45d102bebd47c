/** An edge of a graph by the number of the node that it leads to. */
export interface Edge {
  readonly to: number
  readonly weight: number
}

/** Edges by node, both ways. */
export class Edges {
  readonly #rows: Edge[][]

  constructor(readonly nodes: number) {
    this.#rows = Array.from({ length: nodes }, () => [])
  }

  link(a: number, b: number, weight: number): void {
    this.#rows[a].push({ to: b, weight })
    this.#rows[b].push({ to: a, weight })
  }

  of(node: number): readonly Edge[] {
    return this.#rows[node]
  }
}

/** The part of its rank that a node hands on: as HippoRAG 2 has it (Gutiérrez et al. 2025). */
const DAMPING = 0.5
const ITERATIONS = 50
const CHANGE = 1e-9

/**
 * Personalised PageRank by power iteration (Haveliwala 2002).
 *
 * @param seeds by node; they are divided by their sum
 * @returns by node; the sum is 1
 */
export function pageRank(edges: Edges, seeds: Float64Array): Float64Array {
  const sum = seeds.reduce((a, b) => a + b, 0)
  const start = seeds.map((seed) => seed / sum)
  let rank = start.slice()
  for (let i = 0; i < ITERATIONS; i++) {
    const next = start.map((seed) => seed * (1 - DAMPING))
    let stranded = 0
    for (let node = 0; node < edges.nodes; node++) {
      const row = edges.of(node)
      const total = row.reduce((weight, edge) => weight + edge.weight, 0)
      if (total === 0) stranded += rank[node]
      else for (const { to, weight } of row) next[to] += (DAMPING * rank[node] * weight) / total
    }
    start.forEach((seed, node) => (next[node] += DAMPING * stranded * seed))
    const change = next.reduce((all, value, node) => all + Math.abs(value - rank[node]), 0)
    rank = next
    if (change < CHANGE) break
  }
  return rank
}
