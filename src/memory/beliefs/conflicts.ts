import type { BeliefId } from '../../api/belief.js'
import { turn } from '../../base/event-loop-turn.js'
import type { BeliefTable } from './projection.js'
import type { Held, Standing } from './standing.js'
import type { RelevantItems } from '../relevant-items.js'

/**
 * The other beliefs that are held and cannot be true beside one, at some time of which both are held to be true, by id,
 * sorted: they deny it, or state another object of a relation that has one object at a time. None of a withdrawn
 * belief.
 */
export async function conflicts(
  belief: Standing,
  table: BeliefTable,
  bearing: RelevantItems,
  { now, known }: { readonly now: number; readonly known?: number },
): Promise<BeliefId[]> {
  if (belief.withdrawn !== undefined) return []
  const found: BeliefId[] = []
  for (const held of await bearing.beside(belief, now)) {
    if (held.id === belief.id) continue
    const other = table.stands(held, { now, known })
    if (other === undefined || other.withdrawn !== undefined || !overlap(belief, other)) continue
    if (await bearing.oppose(belief, other, now)) found.push(other.id)
  }
  return found.sort()
}

/** Beliefs that are compared before other calls have their turn. */
const AT_A_TIME = 16

/**
 * Pairs of beliefs that are both held to be true of a time and cannot be, each once.
 *
 * @param among those of which one must be, in the order in which pairs are answered.
 * @param times `valid`: of which time, `now`: when it is asked, epoch milliseconds.
 * @param limit pairs, at most.
 */
export async function conflictingPairs(
  among: Iterable<Held>,
  table: BeliefTable,
  bearing: RelevantItems,
  times: { readonly now: number; readonly valid: number },
  limit: number,
): Promise<(readonly [Standing, Standing])[]> {
  const found = new Map<string, readonly [Standing, Standing]>()
  let looked = 0
  for (const held of among) {
    if (++looked % AT_A_TIME === 0) await turn()
    const belief = table.holds(held, times)
    if (belief === undefined) continue
    for (const beside of await bearing.beside(belief, times.now)) {
      const key = [belief.id, beside.id].sort().join(' ')
      const other = beside.id === belief.id || found.has(key) ? undefined : table.holds(beside, times)
      if (other === undefined || !(await bearing.oppose(belief, other, times.now))) continue
      found.set(key, [belief, other])
      if (found.size === limit) return [...found.values()]
    }
  }
  return [...found.values()]
}

function overlap(a: Standing, b: Standing): boolean {
  const end = ({ validTo }: Standing) => (validTo === undefined ? Infinity : Date.parse(validTo))
  return Math.max(Date.parse(a.validFrom), Date.parse(b.validFrom)) < Math.min(end(a), end(b))
}
