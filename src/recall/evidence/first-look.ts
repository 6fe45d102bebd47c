import { SPACES } from '../../encoding/spaces/spaces.js'
import type { FetchSignatures } from '../../indexes/signatures.js'
import { type Query, SIGNATURE_BYTES } from '../../kernel/port.js'
import type { CandidateQuery } from '../candidates/candidates.js'
import type { Cue } from '../query/cue.js'
import { seen, type CandidateSet } from './candidate-set.js'
import { deviationsOf, highest } from './evidence.js'
import { REACH } from '../candidates/neighbours.js'
import { withScorers } from './scores.js'

/**
 * How much lower than its score says a deviation is estimated: of thousands of candidates those that look best have
 * mostly erred upwards. Set by hand, by the answers to questions about a million grown turns.
 */
export const CAUTION = 1.3

/**
 * Session neighbours of each candidate on either side at which a closer look is taken. With none R@10 of 1,129
 * questions about 38 conversations in one memory is .662 instead of .665.
 */
const LOOKED_REACH = 1

/**
 * What a first look at all candidates and their neighbours asks of signatures, by the signal of a space.
 *
 * A question has some 1,600 candidates and neighbours. To score all their signatures takes longer than a scan, and
 * where rows are not kept they would have to be read from the storage. What the scan asked at the heaviest dimensions
 * it has counted for all slots, so a first look asks the same again, which takes no time to speak of. Its standard
 * deviations are estimates with an error of about two; signals that no scan asks for it leaves out. Only those that it
 * finds best are looked at closer. Whether there is a first look depends on the question and on how many episodes the
 * memory has, not on where it runs, and all scores are whole numbers: so all places give one answer.
 */
export function firstLook({ queries }: Cue, asked: readonly CandidateQuery[]): Cue['queries'] {
  const first: Record<string, Query | undefined> = { ...queries }
  for (const { kind, weigh } of SPACES) {
    const scanned = asked.find(({ space, dimensions }) => space === kind && dimensions !== undefined)
    if (scanned === undefined) continue
    const [searched, ...others] = weigh.signals
    first[searched.name] = { ...scanned.query, norm: CAUTION * normAt(scanned) }
    for (const { name } of others) first[name] = undefined
  }
  return first
}

/**
 * By what the score at the heaviest dimensions is divided to estimate the deviations at all of them: where a signature
 * agrees with a query of magnitudes m in proportion to m, as one in which it is bundled does, the sum of m at these
 * dimensions over √Σm² of all.
 */
function normAt({ query, exact }: CandidateQuery): number {
  const chosen = query.planes!
  return highest({ ...exact, planes: exact.planes!.map((bits, at) => bits & chosen[at % SIGNATURE_BYTES]) })
}

/**
 * Asks of the candidates that are to be ranked, and of their neighbours, all that the cue asks of signatures.
 *
 * @param wide all candidates, as the first look saw them.
 * @param list the numbers of those that are to be ranked.
 */
export async function lookCloser(
  fetch: FetchSignatures | undefined,
  wide: CandidateSet,
  list: readonly number[],
): Promise<CandidateSet> {
  const { indexes, cue, evidence, rows: candidates, before, after } = wide
  const bySlot = (a: number, b: number) => evidence.slots[a] - evidence.slots[b]
  const chosen = list.map((i) => candidates[i]).sort(bySlot)
  const near = new Set<number>()
  for (const i of list)
    for (const side of [before, after])
      for (const row of side.subarray(i * REACH, i * REACH + LOOKED_REACH)) if (row >= 0) near.add(row)
  for (const row of chosen) near.delete(row)
  const rows = [...chosen, ...[...near].sort(bySlot)]
  const slots = Uint32Array.from(rows, (row) => evidence.slots[row])
  const places = new Map(Array.from(slots, (slot, i) => [slot, i]))
  return withScorers(
    indexes,
    fetch,
    slots,
    (slot) => places.get(slot)!,
    (scorers) => {
      const deviations = deviationsOf(cue.queries, slots.length, scorers, chosen.length)
      const exact = Object.entries(deviations).map(([name, values]) => {
        const all = evidence.deviations[name].slice()
        rows.forEach((row, i) => (all[row] = values[i]))
        return [name, all] as const
      })
      return {
        ...wide,
        ...seen(indexes, cue, wide, { ...evidence, deviations: Object.fromEntries(exact) }, candidates),
      }
    },
  )
}
