import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Triple } from '../../../../src/api/episode.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { SIGNATURE_BYTES } from '../../../../src/kernel/port.js'
import { kernel } from '../../encoding/kernel.js'
import { NOW, openMemory } from '../../engine/open.js'

const SEED = 17
const PREDICATES = ['likes', 'knows', 'visited', 'works at', 'owns']
const CONCEPTS = Array.from({ length: 400 }, (_, i) => `Concept ${i}`)

/** A memory that knows the concepts and predicates above. */
async function knowing(): Promise<Engine> {
  const db = await openMemory({ extract: 'none' })
  const triples = CONCEPTS.map((subject, i) => ({
    subject,
    predicate: PREDICATES[i % PREDICATES.length],
    object: CONCEPTS[(7 * i + 1) % CONCEPTS.length],
  }))
  for (let from = 0; from < triples.length; from += 50)
    await db.observe(`Facts from ${from}.`, { triples: triples.slice(from, from + 50) })
  return db
}

const triple: fc.Arbitrary<Triple> = fc.record({
  subject: fc.constantFrom(...CONCEPTS),
  predicate: fc.constantFrom(...PREDICATES),
  object: fc.constantFrom(...CONCEPTS),
})
const keyOf = ({ subject, predicate, object }: Triple) => `${subject} ${predicate} ${object}`
const distinct = (most: number) =>
  fc.uniqueArray(triple, { minLength: 1, maxLength: most, selector: ({ subject }) => subject })
const noise = (seed: number) => kernel.fromName(`noise ${seed}`)

describe('statements and signatures', () => {
  let db: Engine
  beforeAll(async () => {
    db = await knowing()
  })

  test('what is bundled of up to 10 statements is read back, each with its own fillers', async () => {
    await fc.assert(
      fc.asyncProperty(distinct(10), async (triples) => {
        const found = await db.signatureToTriples(await db.tripleToSignature(triples), { k: 100 })
        expect(found.map(({ triple }) => keyOf(triple)).sort()).toEqual(triples.map(keyOf).sort())
      }),
      { seed: SEED, numRuns: 40 },
    )
  })

  test('the signature of statements does not depend on their order or spelling', async () => {
    await fc.assert(
      fc.asyncProperty(distinct(6), async (triples) => {
        const shouted = [...triples].reverse().map((one) => ({ ...one, subject: one.subject.toUpperCase() }))
        expect(await db.tripleToSignature(shouted)).toEqual(await db.tripleToSignature(triples))
      }),
      { seed: SEED, numRuns: 30 },
    )
  })

  test('a single statement is read back with similarity 1, and comes before what is less alike', async () => {
    const one = { subject: 'Concept 3', predicate: 'likes', object: 'Concept 5' }
    const [found] = await db.signatureToTriples(await db.tripleToSignature(one))
    expect(found).toMatchObject({ triple: one, similarity: 1 })
    expect(found.z).toBeGreaterThan(8)
  })

  test('noise has no statement', async () => {
    for (let seed = 0; seed < 50; seed++) expect(await db.signatureToTriples(noise(seed))).toEqual([])
  })

  test('a statement of names that the memory does not know is not read back', async () => {
    const signature = await db.tripleToSignature({ subject: 'Nobody', predicate: 'likes', object: 'Concept 5' })
    expect(await db.signatureToTriples(signature)).toEqual([])
  })

  test('k bounds how many are answered', async () => {
    const triples = CONCEPTS.slice(0, 5).map((subject) => ({ subject, predicate: 'likes', object: 'Concept 9' }))
    expect(await db.signatureToTriples(await db.tripleToSignature(triples), { k: 2 })).toHaveLength(2)
  })

  test('a statement that shares all its products with others is left out', async () => {
    const [a, b, c, d] = CONCEPTS
    const others = [
      { subject: a, predicate: 'likes', object: c },
      { subject: b, predicate: 'likes', object: d },
      { subject: a, predicate: 'knows', object: d },
    ]
    const found = await db.signatureToTriples(await db.tripleToSignature(others))
    expect(found.map(({ triple }) => keyOf(triple)).sort()).toEqual(others.map(keyOf).sort())
  })

  test('what is wrong with an argument is said', async () => {
    await expect(db.tripleToSignature([])).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await expect(db.tripleToSignature({ subject: 'a', predicate: 'b' } as Triple)).rejects.toThrow('object is missing')
    await expect(db.signatureToTriples(new Uint8Array(5))).rejects.toThrow('has 5 bytes')
    await expect(db.signatureToTriples('x' as never)).rejects.toThrow('is no Uint8Array')
    await expect(db.signatureToTriples(noise(1), { k: 0 })).rejects.toThrow('k is 0')
  })
})

test('what was forgotten is not read back from a signature any more', async () => {
  const db = await openMemory({ extract: 'none' })
  const triples = [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }]
  const id = await db.observe('Sarah recommended Bawri.', { triples })
  const signature = await db.tripleToSignature(triples)
  expect((await db.signatureToTriples(signature)).map(({ triple }) => triple)).toEqual(triples)
  await db.unlearn({ episode: id }, 'asked')
  expect(await db.signatureToTriples(signature)).toEqual([])
})

describe('cues', () => {
  test('the partial signature of a cue is like the statement that it asks for, and unlike others', async () => {
    const db = await knowing()
    const cue = await db.cueToPartialSignature('what does Concept 3 say, who likes Concept 5?')
    expect(cue).toHaveLength(SIGNATURE_BYTES)
    const asked = await db.tripleToSignature({ subject: 'Concept 3', predicate: 'likes', object: 'Concept 5' })
    const other = await db.tripleToSignature({ subject: 'Concept 8', predicate: 'owns', object: 'Concept 9' })
    expect(kernel.similarity(cue!, asked)).toBeGreaterThan(0.6)
    expect(kernel.similarity(cue!, other)).toBeLessThan(0.53)
  })

  test('a cue that names nothing known has none', async () => {
    const db = await knowing()
    expect(await db.cueToPartialSignature('what is the weather?')).toBeUndefined()
  })
})

describe('beliefs', () => {
  let db: Engine
  beforeAll(async () => {
    db = await knowing()
  })

  test('the statement and the confidence of a belief are read back from its signature', async () => {
    await fc.assert(
      fc.asyncProperty(triple, fc.integer({ min: 0, max: 20 }), async (statement, step) => {
        const signature = await db.beliefToSignature({ ...statement, confidence: step / 20 })
        const found = await db.signatureToBelief(signature)
        expect(found).toMatchObject({ triple: statement, confidence: step / 20, similarity: 1 })
      }),
      { seed: SEED, numRuns: 40 },
    )
  })

  test('the signature of a belief is like that of its statement, and of a belief of near confidence', async () => {
    const statement = { subject: 'Concept 3', predicate: 'likes', object: 'Concept 5' }
    const of = (confidence: number) => db.beliefToSignature({ ...statement, confidence })
    const [low, near, high] = [await of(0.1), await of(0.2), await of(0.9)]
    expect(kernel.similarity(low, await db.tripleToSignature(statement))).toBeGreaterThan(0.8)
    expect(kernel.similarity(low, near)).toBeGreaterThan(kernel.similarity(low, high))
  })

  test('a belief that is held is named, by statement or by claim', async () => {
    const memory = await knowing()
    const claim = await memory.assertBelief({ claim: 'The ferry to Elba leaves at noon.', confidence: 0.8 })
    const statement = { subject: 'Concept 3', predicate: 'likes', object: 'Concept 5' }
    const stated = await memory.assertBelief({ claim: 'So it is.', ...statement, confidence: 0.6 })
    expect(await memory.signatureToBelief(await memory.beliefToSignature(claim))).toEqual({
      claim: 'The ferry to Elba leaves at noon.',
      confidence: 0.8,
      belief: claim,
      similarity: 1,
    })
    expect(await memory.signatureToBelief(await memory.beliefToSignature(stated))).toMatchObject({
      triple: statement,
      confidence: 0.6,
      belief: stated,
    })
  })

  test('a statement that only a belief has is read back', async () => {
    const memory = await openMemory({ extract: 'none' })
    const id = await memory.assertBelief({ claim: 'x', subject: 'Tom', predicate: 'fears', object: 'Heights' })
    expect(await memory.signatureToBelief(await memory.beliefToSignature(id))).toMatchObject({
      triple: { subject: 'Tom', predicate: 'fears', object: 'Heights' },
      belief: id,
    })
  })

  test('noise is no belief, and the signature of a statement alone has no confidence', async () => {
    for (let seed = 0; seed < 20; seed++) expect(await db.signatureToBelief(noise(seed))).toBeUndefined()
    const statement = { subject: 'Concept 3', predicate: 'likes', object: 'Concept 5' }
    expect(await db.signatureToBelief(await db.tripleToSignature(statement))).toBeUndefined()
  })

  test('what is wrong with a belief is said', async () => {
    await expect(db.beliefToSignature('be_x')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(db.beliefToSignature({})).rejects.toThrow('neither a claim nor a statement')
    await expect(db.beliefToSignature({ subject: 'a' })).rejects.toThrow('subject, predicate and object, or none')
    await expect(db.beliefToSignature({ claim: 'a', confidence: 2 })).rejects.toThrow('belief.confidence is 2')
  })
})

describe('modalities', () => {
  test('the text of an episode is its modality text, and it has no other', async () => {
    const db = await openMemory({ extract: 'none' })
    const [one, other] = [await db.observe('Rain fell on the harbour.'), await db.observe('Nobody slept on Tuesday.')]
    const text = await db.extractModalitySignature(one, 'text')
    expect(text).toHaveLength(SIGNATURE_BYTES)
    expect(await db.extractModalitySignature(one, 'audio')).toBeUndefined()
    expect(kernel.similarity(text!, (await db.extractModalitySignature(other, 'text'))!)).toBeLessThan(0.6)
    await expect(db.extractModalitySignature('none', 'text')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(db.extractModalitySignature(one, 'smell' as never)).rejects.toThrow('modality is "smell"')
  })
})

describe('analogies', () => {
  test('what stands to c as b stands to a is found by synonyms and in both directions', async () => {
    const db = await openMemory({ extract: 'none' })
    const say = (subject: string, predicate: string, object: string) =>
      db.observe(`${subject} ${predicate} ${object}.`, { triples: [{ subject, predicate, object }] })
    await say('Paris', 'is the capital of', 'France')
    await say('Rome', 'is the capital of', 'Italy')
    await say('Rome', 'is larger than', 'Turin')
    await say('Sarah', 'works at', 'Initech')
    await say('Tom', 'is employed by', 'Globex')
    await say('Tom', 'does not work at', 'Hooli')
    expect((await db.analogy('France', 'Paris', 'Italy')).map(({ concept }) => concept)).toEqual(['Rome'])
    expect((await db.analogy('Paris', 'France', 'Rome')).map(({ concept }) => concept)).toEqual(['Italy'])
    expect((await db.analogy('Sarah', 'Initech', 'Tom')).map(({ concept }) => concept)).toEqual(['Globex'])
    expect(await db.analogy('Sarah', 'Paris', 'Tom')).toEqual([])
    expect(await db.analogy('Paris', 'France', 'Nobody')).toEqual([])
  })

  test('what is not true any more does not count', async () => {
    const db = await openMemory({ extract: 'none' })
    const at = (days: number) => NOW - days * 86_400_000
    await db.observe('Ann', { triples: [{ subject: 'Ann', predicate: 'lives in', object: 'Rome' }], at: at(9) })
    const old = await db.observe('Ben', {
      triples: [{ subject: 'Ben', predicate: 'lives in', object: 'Oslo' }],
      at: at(9),
    })
    const now = await db.observe('Ben', {
      triples: [{ subject: 'Ben', predicate: 'lives in', object: 'Bonn' }],
      at: at(5),
    })
    await db.supersede(old, now)
    expect(await db.analogy('Ann', 'Rome', 'Ben')).toEqual([{ concept: 'Bonn', similarity: 1 }])
  })
})
