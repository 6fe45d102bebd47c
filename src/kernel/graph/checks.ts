import { AgidbError } from '../../base/errors.js'
import { ENTITY_TYPES, RELATION_TYPES } from '../../api/graph.js'
import { checkName, refuse } from '../checks.js'
import { entityOfNode, MAX_HOPS, MAX_NODE, MAX_REACHED, MOST_WEIGHT, NO_NODE } from '../graph.js'
import type { AssociationWalk, EntityGraph, EntityWalk, PageRankOptions, TagLink } from '../graph.js'

/** What {@link Reached} can be asked for, as bits: episodes, entities. */
const ANSWERS = { episodes: 1, entities: 2, both: 3 }

export function checkNode(slot: number, what = 'slot'): void {
  if (!Number.isInteger(slot) || slot < 0 || slot > MAX_NODE) refuse(what, `an integer from 0 to ${MAX_NODE}`, slot)
}

/** A weight as the float32 that it is kept as. */
export function checkedWeight(weight: number, least = 0, most = MOST_WEIGHT): number {
  if (!(weight >= least && weight <= most)) refuse('weight', `a number from ${least} to ${most}`, weight)
  return Math.fround(weight)
}

export function checkFactor(factor: number): void {
  if (!(factor >= 0 && factor <= 1)) refuse('factor', 'a number from 0 to 1', factor)
}

export function checkRange(from: number, end: number): void {
  if (!Number.isInteger(from) || from < 0) refuse('from', 'an integer of 0 or more', from)
  if (!(end >= from)) refuse('end', `a number of ${from} or more`, end)
}

export function checkCount(count: number, what: string, most = NO_NODE): void {
  if (!Number.isInteger(count) || count < 0 || count > most) refuse(what, `an integer from 0 to ${most}`, count)
}

/** Seeds, and a strength for each. */
export function checkSeeds(seeds: Uint32Array, strengths: Float32Array): void {
  if (!(seeds instanceof Uint32Array) || seeds.length > MAX_REACHED)
    refuse('seeds', `a Uint32Array of length ${MAX_REACHED} or less`, seeds)
  if (!(strengths instanceof Float32Array) || strengths.length !== seeds.length)
    refuse('strengths', `a Float32Array of length ${seeds.length}`, strengths)
  const wrong = strengths.find((strength) => !(strength >= 0 && strength <= MOST_WEIGHT))
  if (wrong !== undefined) refuse('strengths', `numbers from 0 to ${MOST_WEIGHT}`, wrong)
}

export function checkSlotSeeds(seeds: Uint32Array, strengths: Float32Array): void {
  checkSeeds(seeds, strengths)
  const wrong = seeds.find((slot) => slot > MAX_NODE)
  if (wrong !== undefined) refuse('seeds', `slots from 0 to ${MAX_NODE}`, wrong)
}

export function checkEntity(graph: Pick<EntityGraph, 'has'>, entity: number, what = 'entity'): void {
  if (!Number.isInteger(entity) || entity < 0 || entity > MAX_NODE || !graph.has(entity))
    refuse(what, 'the number of an entity that is there', entity)
}

export function checkEntitySeeds(graph: Pick<EntityGraph, 'has'>, seeds: Uint32Array, strengths: Float32Array): void {
  checkSeeds(seeds, strengths)
  seeds.forEach((entity) => checkEntity(graph, entity, 'seeds'))
}

/** Seeds that may be slots and entities. */
export function checkNodeSeeds(graph: Pick<EntityGraph, 'has'>, seeds: Uint32Array, strengths: Float32Array): void {
  checkSeeds(seeds, strengths)
  for (const node of seeds) {
    if (node === NO_NODE || node === MAX_NODE + 1) refuse('seeds', 'slots, and nodes of entities', node)
    const entity = entityOfNode(node)
    if (entity !== undefined) checkEntity(graph, entity, 'seeds')
  }
}

export function checkEntityName(name: string): void {
  checkName(name)
  if (name === '') refuse('name', 'a string with a character', name)
}

export function checkEntityType(type: number): void {
  checkType(type, ENTITY_TYPES)
}

export function checkRelationType(type: number): void {
  checkType(type, RELATION_TYPES)
}

function checkType(type: number, types: readonly string[]): void {
  if (!Number.isInteger(type) || type < 0 || type >= types.length)
    refuse('type', `an integer from 0 to ${types.length - 1}`, type)
}

/** How to walk over associations, each option with its default. */
export function associationWalk({ depth = 2, most = 64, attenuation = 1 }: AssociationWalk = {}): WalkOptions {
  checkDepth(depth, 1, MAX_HOPS)
  checkCount(most, 'most')
  checkFactor(attenuation)
  return { depth, most, attenuation: Math.fround(attenuation) }
}

/** A walk with its defaults. */
export interface WalkOptions {
  readonly depth: number
  readonly most: number
  readonly attenuation: number
}

/** How to walk over entities, each option with its default. */
export function entityWalk(options: EntityWalk = {}): WalkOptions & { readonly fan: number; readonly answer: number } {
  const { depth = 2, most = 64, attenuation = 0.25, fan = 1000, answer = 'episodes' } = options
  checkDepth(depth, 0, MAX_HOPS - 1)
  checkCount(most, 'most')
  checkFactor(attenuation)
  checkCount(fan, 'fan')
  return { depth, most, attenuation: Math.fround(attenuation), fan, answer: answerBits(answer) }
}

/** How to rank, each option with its default; `answer` as bits. */
export type CheckedRank = Omit<Required<PageRankOptions>, 'answer'> & { readonly answer: number }

/** Checks how to rank, and fills in the defaults. */
export function pageRankWalk(options: PageRankOptions = {}): CheckedRank {
  const { iterations = 20, hops = 4, edges = 4000, fan = 1000, most = 64, answer = 'episodes' } = options
  const { damping = 0.5, epsilon = 2 ** -16, entity = 1, relation = 0.5 } = options
  const { association = 0.3, forward = 0.2, backward = 0.2 } = options
  checkFactor(damping)
  checkCount(iterations, 'iterations', 1000)
  checkFactor(epsilon)
  checkDepth(hops, 0, MAX_HOPS, 'hops')
  checkCount(edges, 'edges', 1_000_000)
  checkCount(fan, 'fan')
  checkCount(most, 'most')
  const numbers = { damping, epsilon, entity, relation, association, forward, backward }
  const weights = Object.entries(numbers).map(([name, weight]) => [name, checkedWeight(weight)] as const)
  const checked = Object.fromEntries(weights) as Record<keyof typeof numbers, number>
  return { ...checked, iterations, hops, edges, fan, most, answer: answerBits(answer) }
}

export function checkTagLink({ weight, count, atMs }: TagLink): void {
  checkedWeight(weight, 0, 1)
  checkCount(count, 'count')
  checkTime(atMs)
}

export function checkTime(atMs: number): void {
  if (!Number.isFinite(atMs)) refuse('atMs', 'a number of milliseconds', atMs)
}

/** Refuses to load into a graph that holds something. */
export function checkEmptyGraph(size: number): void {
  if (size > 0)
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', 'only an empty graph can be loaded; make a new one', { size })
}

function checkDepth(depth: number, least: number, most: number, what = 'depth'): void {
  if (!Number.isInteger(depth) || depth < least || depth > most)
    refuse(what, `an integer from ${least} to ${most}`, depth)
}

function answerBits(answer: keyof typeof ANSWERS): number {
  if (!Object.hasOwn(ANSWERS, answer)) refuse('answer', Object.keys(ANSWERS).join(', '), answer)
  return ANSWERS[answer]
}
