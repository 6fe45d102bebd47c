import { beforeAll, describe, expect, test } from 'vitest'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import type { Codebook } from '../../../../src/encoding/codebook/codebook.js'
import { loadCodebook } from '../../../../src/encoding/codebook/load.js'
import type { Observation } from '../../../../src/api/episode.js'
import { NOW, openMemory } from '../../engine/open.js'

const DAY = 86_400_000
type Statement = readonly [subject: string, predicate: string, object: string]

/** Three episodes that make the same statement, which is what an atom takes. */
const stated = ([subject, predicate, object]: Statement, at = NOW): Observation[] =>
  Array.from({ length: 3 }, () => ({
    text: `${subject} ${predicate} ${object}`,
    at,
    triples: [{ subject, predicate, object }],
  }))

/** The contradictions that a consolidation finds among statements, each said three times. */
async function found(statements: readonly Statement[], codebook?: Codebook): Promise<string[]> {
  const db = await openMemory({ codebook })
  await db.observeMany(statements.flatMap((statement) => stated(statement)))
  await db.consolidate()
  const atoms = await db.semanticAtoms({ limit: 1000 })
  const name = (id: string) => atoms.find((atom) => atom.id === id)!.statement
  const pairs = atoms.flatMap(({ id, contradictedBy }) =>
    contradictedBy.map((other) => [name(id), name(other)].sort().join(' | ')),
  )
  await db.close()
  return [...new Set(pairs)].sort()
}

const CONTRADICTORY: readonly (readonly [Statement, Statement])[] = [
  // Denied.
  [
    ['Ann', 'lives in', 'Rome'],
    ['Ann', 'does not live in', 'Rome'],
  ],
  [
    ['Ann', 'lives in', 'Rome'],
    ['ann', "doesn't live in", 'rome'],
  ],
  [
    ['Ann', 'lives in', 'Rome'],
    ['Ann', 'no longer lives in', 'Rome'],
  ],
  [
    ['Ann', 'likes', 'tea'],
    ['Ann', 'does not like', 'tea'],
  ],
  [
    ['Ann', 'plays', 'the violin'],
    ['Ann', 'never plays', 'the violin'],
  ],
  [
    ['valve 3', 'is', 'open'],
    ['valve 3', "isn't", 'open'],
  ],
  [
    ['the server', 'is running', 'Debian'],
    ['the server', 'is not running', 'Debian'],
  ],
  [
    ['Tom', 'owns', 'a boat'],
    ['Tom', 'does not own', 'a boat'],
  ],
  [
    ['Ann', 'eats', 'meat'],
    ['Ann', 'no longer eats', 'meat'],
  ],
  [
    ['Ann', 'smokes', 'cigars'],
    ['Ann', 'stopped smoking', 'cigars'],
  ],
  [
    ['the bus', 'stops at', 'the mill'],
    ['the bus', 'has ceased to stop at', 'the mill'],
  ],
  // In other words.
  [
    ['Ann', 'resides in', 'London'],
    ['Ann', 'lives in', 'Paris'],
  ],
  [
    ['Ann', 'is domiciled in', 'Oslo'],
    ['Ann', 'dwells in', 'Bergen'],
  ],
  [
    ['Ann', 'is employed by', 'Siemens'],
    ['Ann', 'works at', 'Bosch'],
  ],
  [
    ['Ann', 'works for', 'Siemens'],
    ['Ann', 'has a job at', 'Bosch'],
  ],
  [
    ['Ann', 'employer is', 'Siemens'],
    ['Ann', 'works for', 'Bosch'],
  ],
  [
    ['Ann', 'is married to', 'Bob'],
    ['Ann', 'spouse is', 'Carl'],
  ],
  [
    ['the ticket', 'costs', '10 euros'],
    ['the ticket', 'is priced at', '12 euros'],
  ],
  [
    ['the talk', 'starts at', '5 pm'],
    ['the talk', 'begins at', '6 pm'],
  ],
  [
    ['the form', 'is due on', '3 May'],
    ['the form', 'deadline is', '9 May'],
  ],
  [
    ['Ann', 'favourite colour is', 'red'],
    ['Ann', 'favorite color is', 'blue'],
  ],
  [
    ['Ann', 'dad is', 'Bob'],
    ['Ann', 'father is', 'Carl'],
  ],
  [
    ['Ann', 'occupation', 'nurse'],
    ['Ann', 'works as', 'a pilot'],
  ],
  [
    ['Acme', 'has its headquarters in', 'Ulm'],
    ['Acme', 'is headquartered in', 'Bonn'],
  ],
  // Denied in other words.
  [
    ['Ann', 'resides in', 'Rome'],
    ['Ann', 'does not live in', 'Rome'],
  ],
  [
    ['Ann', 'is no longer employed by', 'Siemens'],
    ['Ann', 'works at', 'Siemens'],
  ],
  [
    ['Ann', 'quit', 'Siemens'],
    ['Ann', 'works at', 'Siemens'],
  ],
  [
    ['Ann', 'hates', 'tea'],
    ['Ann', 'enjoys', 'tea'],
  ],
  [
    ['Ann', "can't stand", 'opera'],
    ['Ann', 'is fond of', 'opera'],
  ],
  [
    ['Ann', 'dislikes', 'opera'],
    ['Ann', 'loves', 'opera'],
  ],
  [
    ['Ann', 'is divorced from', 'Bob'],
    ['Ann', 'is married to', 'Bob'],
  ],
  [
    ['Ann', 'distrusts', 'Bob'],
    ['Ann', 'trusts', 'Bob'],
  ],
  [
    ['Ann', 'opposes', 'the plan'],
    ['Ann', 'supports', 'the plan'],
  ],
  [
    ['Ann', 'disagrees with', 'Bob'],
    ['Ann', 'agrees with', 'Bob'],
  ],
]

const COMPATIBLE: readonly (readonly [Statement, Statement])[] = [
  // Of these there are several.
  [
    ['Ann', 'likes', 'tea'],
    ['Ann', 'likes', 'coffee'],
  ],
  [
    ['Ann', 'enjoys', 'tea'],
    ['Ann', 'is fond of', 'coffee'],
  ],
  [
    ['Ann', 'speaks', 'French'],
    ['Ann', 'speaks', 'German'],
  ],
  [
    ['Ann', 'owns', 'a boat'],
    ['Ann', 'possesses', 'a car'],
  ],
  [
    ['Ann', 'manages', 'Bob'],
    ['Ann', 'supervises', 'Carl'],
  ],
  [
    ['Ann', 'visited', 'Rome'],
    ['Ann', 'visited', 'Oslo'],
  ],
  [
    ['Ann', 'moved to', 'Rome'],
    ['Ann', 'relocated to', 'Oslo'],
  ],
  // The same in other words.
  [
    ['Ann', 'resides in', 'Rome'],
    ['Ann', 'lives in', 'Rome'],
  ],
  [
    ['Ann', 'is employed by', 'Siemens'],
    ['Ann', 'works at', 'Siemens'],
  ],
  [
    ['Ann', 'does not reside in', 'Rome'],
    ['Ann', 'does not live in', 'Rome'],
  ],
  [
    ['Ann', 'hates', 'tea'],
    ['Ann', 'dislikes', 'tea'],
  ],
  [
    ['Ann', 'works as', 'a nurse'],
    ['Ann', 'job is', 'nurse'],
  ],
  [
    ['Ann', 'lives in', 'London'],
    ['Ann', 'resides in', 'London, England'],
  ],
  // Denied of another object, or of another subject, or another relation.
  [
    ['Ann', 'lives in', 'Rome'],
    ['Ann', 'does not live in', 'Oslo'],
  ],
  [
    ['Ann', 'lives in', 'Rome'],
    ['Bob', 'does not live in', 'Rome'],
  ],
  [
    ['Ann', 'lives in', 'Rome'],
    ['Ann', 'does not like', 'Rome'],
  ],
  [
    ['Ann', 'quit', 'Siemens'],
    ['Ann', 'works at', 'Bosch'],
  ],
  [
    ['Ann', 'likes', 'tea'],
    ['Ann', 'dislikes', 'coffee'],
  ],
  [
    ['Rome', 'does not live in', 'Ann'],
    ['Ann', 'lives in', 'Rome'],
  ],
  // Alike, and something else.
  [
    ['Ann', 'lives in', 'London'],
    ['Ann', 'works in', 'Paris'],
  ],
  [
    ['Ann', 'lives in', 'London'],
    ['Ann', 'lives at', '5 Elm Street'],
  ],
  [
    ['Ann', 'works at', 'Siemens'],
    ['Ann', 'works in', 'Munich'],
  ],
  [
    ['Ann', 'works at', 'Siemens'],
    ['Ann', 'works as', 'a nurse'],
  ],
  [
    ['Ann', 'was born in', 'London'],
    ['Ann', 'lives in', 'Paris'],
  ],
  [
    ['Ann', 'was born in', 'London'],
    ['Ann', 'was born in', '1990'],
  ],
  [
    ['Ann', 'mother is', 'Eve'],
    ['Ann', 'father is', 'Bob'],
  ],
  [
    ['the talk', 'starts at', '5 pm'],
    ['the talk', 'ends at', '6 pm'],
  ],
  [
    ['the talk', 'starts at', '5 pm'],
    ['the talk', 'starts at', 'the town hall'],
  ],
  [
    ['Ann', 'favourite book is', 'Emma'],
    ['Ann', 'favourite film is', 'Alien'],
  ],
  [
    ['Ann', 'first name', 'Ann'],
    ['Ann', 'last name', 'Lee'],
  ],
  [
    ['Ann', 'height', '170 cm'],
    ['Ann', 'weight', '60 kg'],
  ],
  [
    ['Ann', 'lives in', 'London'],
    ['Ann', 'used to live in', 'Paris'],
  ],
  // What is not loved may be liked, and what is not hated need not be.
  [
    ['Ann', 'likes', 'tea'],
    ['Ann', 'does not love', 'tea'],
  ],
  [
    ['Ann', 'dislikes', 'tea'],
    ['Ann', 'does not hate', 'tea'],
  ],
  [
    ['Ann', 'does not like', 'tea'],
    ['Ann', 'does not hate', 'tea'],
  ],
]

describe.each(['without a codebook', 'with the codebook'])('two atoms, %s,', (which) => {
  let codebook: Codebook | undefined
  beforeAll(async () => {
    codebook = which === 'with the codebook' ? (await loadCodebook(await readCodebook()))! : undefined
  })

  test.each(CONTRADICTORY)('contradict: %j and %j', async (a, b) => {
    expect(await found([a, b], codebook)).toHaveLength(1)
  })

  test.each(COMPATIBLE)('do not contradict: %j and %j', async (a, b) => {
    expect(await found([a, b], codebook)).toEqual([])
  })
})

test('A predicate that no table knows is compared by the codebook, and its function words count.', async () => {
  const codebook = (await loadCodebook(await readCodebook()))!
  const db = await openMemory({ codebook })
  const statements: Statement[] = [
    ['Ann', 'has moved to', 'Rome'],
    ['Ann', 'has not relocated to', 'Rome'],
    ['Ann', 'has not moved from', 'Rome'],
  ]
  await db.observeMany(statements.flatMap((statement) => stated(statement)))
  const { contradictions } = await db.consolidate()
  expect(contradictions.map(({ objects }) => objects)).toEqual([['Rome', 'Rome']])
  await db.close()
})

test('Among many atoms of one subject only pairs that cannot both be true contradict.', async () => {
  const statements: Statement[] = [
    ['Ann', 'lives in', 'Rome'],
    ['Ann', 'resides in', 'Oslo'],
    ['Ann', 'does not live in', 'Rome'],
    ['Ann', 'likes', 'Rome'],
    ['Ann', 'likes', 'Oslo'],
    ['Ann', 'dislikes', 'Oslo'],
  ]
  expect(await found(statements)).toEqual([
    'Ann dislikes Oslo | Ann likes Oslo',
    'Ann does not live in Rome | Ann lives in Rome',
    'Ann lives in Rome | Ann resides in Oslo',
  ])
})

test('A statement that had ended before it was denied is not contradicted.', async () => {
  const db = await openMemory()
  const before = await db.observeMany(stated(['Ann', 'lives in', 'Rome'], NOW - 9 * DAY))
  const [after] = await db.observeMany(stated(['Ann', 'does not live in', 'Rome'], NOW - 2 * DAY))
  for (const id of before) await db.supersede(id, after)
  expect((await db.consolidate()).contradictions).toEqual([])
  await db.close()
})

test('A predicate that the caller names as having one object at a time has it in all its synonyms.', async () => {
  const db = await openMemory()
  await db.observeMany([
    ...stated(['Ann', 'speaks', 'French']),
    ...stated(['Ann', 'manages', 'Bob']),
    ...stated(['Ann', 'supervises', 'Carl']),
  ])
  expect((await db.consolidate()).contradictions).toEqual([])
  const { contradictions } = await db.consolidate({ functionalPredicates: ['manages'] })
  expect(contradictions.map(({ objects }) => [...objects].sort())).toEqual([['Bob', 'Carl']])
  await db.close()
})
