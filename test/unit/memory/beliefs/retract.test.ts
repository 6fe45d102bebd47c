import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../../src/api/learning.js'
import { relationOf } from '../../../../src/encoding/relation.js'
import { Claims } from '../../../../src/memory/beliefs/claims.js'
import { BeliefTable } from '../../../../src/memory/beliefs/projection.js'

const at = '2027-01-15T08:00:00.000Z'

test('a subject and relation have the predicate of the first belief that is left', () => {
  const first = { claim: 'Tom lives in Goa', subject: 'Tom', predicate: 'lives in', object: 'Goa' }
  const second = { claim: 'Tom resides in Pune', subject: 'Tom', predicate: 'resides in', object: 'Pune' }
  expect(relationOf(first.predicate).name).toBe(relationOf(second.predicate).name)
  const claims = new Claims()
  claims.add(0, first)
  claims.add(1, second)
  claims.remove(0, first, () => second.predicate)
  const rebuilt = new Claims()
  rebuilt.add(1, second)
  expect([...claims.of('tom')]).toEqual([...rebuilt.of('tom')])
  expect([...claims.of('tom')]).toHaveLength(1)
  expect(claims.bytes).toBe(rebuilt.bytes)
  claims.remove(1, second, () => '')
  expect(claims.bytes).toBe(new Claims().bytes)
})

test('a belief rests no more on an episode whose revision was retracted', () => {
  const provenance = { writer: 'test', episodes: [] }
  const asserted: LearningEvent<'beliefAsserted'> = {
    ...{ id: 'ev_1', at, kind: 'beliefAsserted', belief: 'be_1', claim: 'Tom is kind', confidence: 0.6 },
    ...{ evidence: [], validFrom: at, provenance },
  }
  const revised: LearningEvent<'beliefRevised'> = {
    ...{ id: 'ev_2', at, kind: 'beliefRevised', belief: 'be_1' },
    revision: {
      ...{ revision: 1, at, kind: 'revised', before: 0.6, after: 0.7, evidence: 'ep_1' },
      ...{ verdict: 'supports', reason: 'it says so', trust: 0.9 },
    },
  }
  const table = new BeliefTable({ fateOf: () => undefined, slotOf: () => undefined, hadEnded: () => false })
  table.apply(asserted, 0)
  const before = table.bytes
  table.apply(revised, 1)
  expect(table.restingOn('ep_1')).toEqual(['be_1'])
  expect(table.retract(revised)).toBe('be_1')
  expect(table.restingOn('ep_1')).toEqual([])
  expect(table.bytes).toBe(before)
})
