import { expect, test } from 'vitest'
import type { Triple } from '../../../../src/api/triple.js'
import { openMemory } from '../../engine/open.js'

const ONTOLOGY = {
  inverse: [['supplies', 'is supplied by']] as [string, string][],
  symmetric: ['allied with'],
  oneAtATime: ['team is', 'allied with'],
  synonyms: [['likes', 'digs']],
}

const triple = (subject: string, predicate: string, object: string): Triple => ({ subject, predicate, object })

/** What a statement does to a belief in another. */
async function changed(held: Triple, said: Triple, ontology = ONTOLOGY): Promise<string> {
  const db = await openMemory({ ontology })
  const { subject, predicate, object } = held
  const id = await db.assertBelief({ claim: `${subject} ${predicate} ${object}`, ...held, confidence: 0.6 })
  await db.observe('so it is', { triples: [said] })
  const { confidence } = (await db.getBelief(id))!
  await db.close()
  return confidence === 0.6 ? 'nothing' : confidence > 0.6 ? 'supports' : 'contradicts'
}

test('a belief is compared with statements by synonyms, inverse and symmetric relations', async () => {
  expect(await changed(triple('Ann', 'likes', 'jazz'), triple('Ann', 'digs', 'jazz'))).toBe('supports')
  expect(await changed(triple('Ann', 'likes', 'jazz'), triple('Ann', 'does not dig', 'jazz'))).toBe('contradicts')
  expect(await changed(triple('Mars', 'is supplied by', 'the ship'), triple('the ship', 'supplies', 'Mars'))).toBe(
    'supports',
  )
  expect(await changed(triple('Tom', 'works for', 'Siemens'), triple('Siemens', 'employs', 'Tom'))).toBe('supports')
  expect(await changed(triple('Bawri', 'recommended by', 'Ann'), triple('Ann', 'recommended', 'Bawri'))).toBe(
    'supports',
  )
  expect(await changed(triple('Rome', 'allied with', 'Gaul'), triple('Gaul', 'allied with', 'Rome'))).toBe('supports')
})

test('of a relation with one object at a time another object contradicts, in either order', async () => {
  expect(await changed(triple('Ann', 'team is', 'red'), triple('Ann', 'team is', 'blue'))).toBe('contradicts')
  expect(await changed(triple('Tom', 'works for', 'Siemens'), triple('Bosch', 'employs', 'Tom'))).toBe('contradicts')
  expect(await changed(triple('Siemens', 'employs', 'Tom'), triple('Siemens', 'employs', 'Ann'))).toBe('nothing')
  expect(await changed(triple('Rome', 'allied with', 'Gaul'), triple('Pontus', 'allied with', 'Rome'))).toBe(
    'contradicts',
  )
  expect(await changed(triple('Rome', 'knows', 'Gaul'), triple('Rome', 'knows', 'Pontus'))).toBe('nothing')
})

test('the same claim is one belief by its inverse, and beliefs conflict by it', async () => {
  const db = await openMemory({ ontology: ONTOLOGY })
  const one = await db.assertBelief({ claim: 'a', ...triple('the ship', 'supplies', 'Mars') })
  expect(await db.assertBelief({ claim: 'b', ...triple('Mars', 'is supplied by', 'the ship') })).toBe(one)
  const siemens = await db.assertBelief({ claim: 'c', ...triple('Tom', 'works for', 'Siemens') })
  const bosch = await db.assertBelief({ claim: 'd', ...triple('Bosch', 'employs', 'Tom') })
  expect((await db.getBelief(siemens))!.conflictsWith).toEqual([bosch])
  await db.close()
})

test('atoms of synonyms are one, and contradict by relations of the application', async () => {
  const db = await openMemory({ ontology: ONTOLOGY })
  for (const [i, predicate] of ['likes', 'likes', 'digs'].entries())
    await db.observe(`so it is ${i}`, { triples: [triple('Ann', predicate, 'jazz')] })
  for (const object of ['red', 'red', 'blue', 'blue'])
    await db.observe(`her team: ${object}`, { triples: [triple('Ann', 'team is', object)] })
  const { contradictions } = await db.consolidate({ minSupport: 2 })
  const atoms = await db.semanticAtoms()
  expect(atoms.map(({ statement, support }) => [statement, support])).toContainEqual(['Ann likes jazz', 3])
  expect(contradictions.map(({ objects }) => [...objects].sort())).toEqual([['blue', 'red']])
  await db.close()
})
