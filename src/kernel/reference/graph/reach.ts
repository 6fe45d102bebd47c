import { MAX_HOPS, MAX_REACHED, NO_NODE, type Reached } from '../../graph.js'

/** No node gave it its activation: it is a seed. */
const SEED = -1

/** Orders nodes. */
export type CompareNodes = (a: number, b: number) => number

/** What a walk reached so far, each node with what gave it most. Nodes are numbered as they are reached. */
export class Reach {
  readonly nodes: number[] = []
  readonly activations: number[] = []
  readonly hops: number[] = []
  readonly #through: number[] = []
  readonly #most: number[] = []
  readonly #numbers = new Map<number, number>()

  constructor(private readonly compare: CompareNodes) {}

  /** Seeds in order, those with a strength of 0 left out; of one that comes twice the larger strength counts. */
  seed(seeds: Uint32Array, strengths: Float32Array): void {
    const strongest = new Map<number, number>()
    seeds.forEach((node, i) => {
      if (strengths[i] > (strongest.get(node) ?? 0)) strongest.set(node, strengths[i])
    })
    for (const node of [...strongest.keys()].sort(this.compare)) this.add(node, strongest.get(node) as number, SEED, 0)
  }

  /** The number of a node; `undefined` where it was not reached. */
  numberOf(node: number): number | undefined {
    return this.#numbers.get(node)
  }

  /** The numbers of the nodes that are so many steps from a seed, in order. */
  level(hops: number): number[] {
    const numbers = this.nodes.map((_, number) => number).filter((number) => this.hops[number] === hops)
    return numbers.sort((a, b) => this.compare(this.nodes[a], this.nodes[b]))
  }

  /** Adds to the activation of a node that is `hops` steps from a seed, and to no other. */
  give(node: number, activation: number, through: number, hops: number): void {
    const number = this.#numbers.get(node)
    if (number === undefined) {
      this.add(node, activation, through, hops)
    } else if (this.hops[number] === hops) {
      this.activations[number] = Math.fround(this.activations[number] + activation)
      this.through(number, activation, through)
    }
  }

  /** Adds to the activation of a node wherever it is; it is a step after what gives it most. */
  giveAny(node: number, activation: number, through: number): void {
    const number = this.#numbers.get(node)
    if (number === undefined) {
      this.add(node, activation, through, this.hops[through] + 1)
    } else {
      this.activations[number] = Math.fround(this.activations[number] + activation)
      this.through(number, activation, through)
    }
  }

  /** Adds a node, unless there are {@link MAX_REACHED}. */
  add(node: number, activation: number, through: number, hops: number): void {
    if (this.nodes.length >= MAX_REACHED) return
    this.#numbers.set(node, this.nodes.length)
    this.nodes.push(node)
    this.activations.push(activation)
    this.hops.push(hops)
    this.#through.push(through)
    this.#most.push(activation)
  }

  /** Notes that one node gives another so much: the one that gives most, the first of them, is on its path. */
  through(number: number, activation: number, through: number): void {
    if (!(activation > this.#most[number])) return
    this.#most[number] = activation
    this.#through[number] = through
    this.hops[number] = this.hops[through] + 1
  }

  /** The best of the nodes that `wanted` accepts by number. */
  answer(most: number, wanted: (number: number) => boolean): Reached {
    const numbers = this.nodes.map((_, number) => number).filter(wanted)
    numbers.sort((a, b) => this.activations[b] - this.activations[a] || this.compare(this.nodes[a], this.nodes[b]))
    const best = numbers.slice(0, most)
    const paths = new Uint32Array(best.length * (MAX_HOPS + 1)).fill(NO_NODE)
    best.forEach((number, i) => {
      for (let at = number; at !== SEED; at = this.#through[at])
        paths[i * (MAX_HOPS + 1) + this.hops[at]] = this.nodes[at]
    })
    return {
      nodes: Uint32Array.from(best, (number) => this.nodes[number]),
      activations: Float32Array.from(best, (number) => this.activations[number]),
      hops: Uint32Array.from(best, (number) => this.hops[number]),
      paths,
    }
  }
}
