import { expect, test } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import { openMemory } from '../../engine/open.js'

const SAID = [
  ['Ann', 'has sister', 'Karla'],
  ['Karla', 'lives in', 'Lisbon'],
  ['Karla', 'plays', 'the cello'],
  ['Tom', 'lives in', 'Oslo'],
  ['Lisbon', 'is the capital of', 'Portugal'],
] as const

async function believing(): Promise<{ db: Engine; ids: Map<string, string> }> {
  const db = await openMemory()
  const ids = new Map<string, string>()
  for (const [subject, predicate, object] of SAID) {
    const claim = `${subject} ${predicate} ${object}`
    ids.set(claim, await db.assertBelief({ claim, subject, predicate, object, confidence: 0.9 }))
  }
  return { db, ids }
}

const recalled = async (db: Engine, cue: string, options = {}) =>
  (await db.recall(cue, options)).beliefs.map(({ claim, through }) => [claim, through])

test('a cue leads from a belief that names somebody to what is believed of them', async () => {
  const { db, ids } = await believing()
  const first = ids.get('Ann has sister Karla')
  const found = await recalled(db, "Where does Ann's sister live?")
  expect(found[0]).toEqual(['Ann has sister Karla', undefined])
  expect(found).toContainEqual(['Karla lives in Lisbon', first])
  expect(found.map(([claim]) => claim)).not.toContain('Karla plays the cello')
  expect(found.map(([claim]) => claim)).not.toContain('Lisbon is the capital of Portugal')
  const other = await recalled(db, "What does Ann's sister play?")
  expect(other.map(([claim]) => claim)).toEqual(['Ann has sister Karla', 'Karla plays the cello'])
  await db.close()
})

test('what bears on the cue itself comes first and is more relevant than what it leads to', async () => {
  const { db } = await believing()
  const { beliefs } = await db.recall("Where does Ann's sister live?")
  const led = beliefs.findIndex(({ through }) => through !== undefined)
  expect(beliefs.slice(led).every(({ through }) => through !== undefined)).toBe(true)
  const [first] = beliefs
  expect(beliefs[led]!.relevance).toBeGreaterThan(0)
  expect(beliefs[led]!.relevance).toBeLessThanOrEqual(first!.relevance)
  await db.close()
})

test('a belief that is not held, and one whose first is withdrawn, is led to by no cue', async () => {
  const { db, ids } = await believing()
  await db.withdrawBelief(ids.get('Karla lives in Lisbon')!, 'she moved')
  const cue = "Where does Ann's sister live?"
  expect((await recalled(db, cue)).map(([claim]) => claim)).not.toContain('Karla lives in Lisbon')
  await db.withdrawBelief(ids.get('Ann has sister Karla')!, 'a cousin')
  expect((await recalled(db, "What does Ann's sister play?")).filter(([, through]) => through)).toEqual([])
  await db.close()
})
