import type { BeliefId } from '../../api/belief.js'
import type { BeliefTable } from './projection.js'
import type { Standing } from './standing.js'
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

function overlap(a: Standing, b: Standing): boolean {
  const end = ({ validTo }: Standing) => (validTo === undefined ? Infinity : Date.parse(validTo))
  return Math.max(Date.parse(a.validFrom), Date.parse(b.validFrom)) < Math.min(end(a), end(b))
}
