import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandEnergies, chord, colourLayout, discs } from '../toys/senses.js'
import { openMemory } from './open.js'

const encoders = { image: colourLayout, audio: bandEnergies }

/** What Sarah said in two rooms, and what Tom did in one of them. */
async function rooms() {
  const db = await openMemory({ encoders })
  await db.observeMultimodal({ text: 'Sarah said that the lift is broken', image: discs(1) }, { id: 'lobby' })
  await db.observeMultimodal({ text: 'Sarah said that the rent is due', image: discs(2) }, { id: 'kitchen' })
  await db.observeMultimodal({ text: 'Tom watered the plants', image: discs(2), audio: chord(3) }, { id: 'plants' })
  return db
}

test('tells what each sense contributed, and the answer without one', async () => {
  const db = await rooms()
  const answer = await db.recall('what did Sarah say?', { image: discs(2, { noise: 50 }) })
  expect(answer.matches[0].id).toBe('kitchen')
  const { recall, without, matches } = await db.explain(answer.id, { without: 'image' })
  expect({ recall, without }).toEqual({ recall: answer.id, without: 'image' })
  expect(matches.map(({ id }) => id).slice(0, answer.matches.length)).toEqual(answer.matches.map(({ id }) => id))
  const [lobby, kitchen] = ['lobby', 'kitchen'].map((id) => matches.find((match) => match.id === id)!)
  expect(kitchen.whole!.rank).toBe(1)
  expect(kitchen.whole!.signals.image).toBeGreaterThan(0)
  expect(kitchen.without!.signals.image).toBeUndefined()
  // The picture is what tells the two apart.
  expect(kitchen.whole!.score - kitchen.without!.score).toBeGreaterThan(lobby.whole!.score - lobby.without!.score)
  const byPicture = await db.explain(answer.id, { without: 'text' })
  expect(byPicture.matches.find(({ id }) => id === 'plants')!.without!.rank).toBeLessThanOrEqual(2)
  await db.close()
})

test('without an option, or without a part that it does not have, it tells of the whole question alone', async () => {
  const db = await rooms()
  const { id, matches } = await db.recall('who watered the plants?')
  const plain = await db.explain(id)
  expect(plain).toEqual({
    recall: id,
    matches: matches.map(({ id, confidence, signals }, i) => ({
      id,
      whole: { rank: i + 1, score: expect.any(Number), confidence, signals },
    })),
  })
  const { matches: same } = await db.explain(id, { without: 'audio' })
  for (const { whole, without } of same) expect(without).toEqual(whole)
  await db.close()
})

test('an answer of neurosymbolicQuery is told of, also without its words', async () => {
  const db = await openMemory({ encoders })
  await db.observe('Sarah lives in Bandra', {
    id: 'home',
    triples: [{ subject: 'Sarah', predicate: 'lives in', object: 'Bandra' }],
  })
  await db.observe('The lift in Bandra is broken', { id: 'lift' })
  const answer = await db.neurosymbolicQuery({ structured: { subject: 'Sarah' }, fuzzyCue: 'a broken lift' })
  expect(answer.matches.map(({ id }) => id).sort()).toEqual(['home', 'lift'])
  const { recall, matches } = await db.explain(answer.id)
  expect(recall).toBe(answer.id)
  expect(matches.map(({ id, whole }) => [id, whole!.signals, whole!.confidence])).toEqual(
    answer.matches.map(({ id, signals, confidence }) => [id, signals, confidence]),
  )
  // Without its words the pattern alone is asked.
  const alone = await db.neurosymbolicQuery({ structured: { subject: 'Sarah' } })
  const less = await db.explain(answer.id, { without: 'text' })
  const ranked = less.matches.filter(({ without }) => without).sort((a, b) => a.without!.rank - b.without!.rank)
  expect(ranked.map(({ id }) => id)).toEqual(alone.matches.map(({ id }) => id))
  expect(less.matches.find(({ id }) => id === 'lift')!.without).toBeUndefined()
  await db.close()
})

test('of an answer to a pattern alone, and of one to words alone', async () => {
  const db = await rooms()
  const byPattern = await db.neurosymbolicQuery({ structured: { subject: 'Tom' } })
  expect((await db.explain(byPattern.id)).matches).toHaveLength(byPattern.matches.length)
  const byWords = await db.neurosymbolicQuery({ fuzzyCue: 'who watered the plants?' })
  expect((await db.explain(byWords.id)).matches[0].id).toBe('plants')
  await expect(db.explain(byWords.id, { without: 'text' })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  await db.close()
})

test('what follows a recall is told as it is now', async () => {
  const db = await rooms()
  const { id } = await db.recall('who watered the plants?')
  await db.unlearn({ episode: 'plants' }, 'a test')
  expect((await db.explain(id)).matches.map(({ id }) => id)).not.toContain('plants')
  await db.close()
})

test('refuses another id, a wrong part, and to leave out all that was asked', async () => {
  const db = await rooms()
  const { id } = await db.recall('lift')
  await expect(db.explain('rc_nothing')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  await expect(db.explain(id, { without: 'smell' as never })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  await expect(db.explain(id, { with: 'text' } as never)).rejects.toMatchObject({ code: 'AGIDB_UNKNOWN_OPTION' })
  await expect(db.explain(id, { without: 'text' })).rejects.toMatchObject({
    code: 'AGIDB_INVALID_ARGUMENT',
    message: expect.stringContaining('nothing is left to ask'),
  })
  const pattern = await db.recall('', { structured: { subject: 'Sarah' } })
  await expect(db.explain(pattern.id)).resolves.toMatchObject({ recall: pattern.id })
  await db.close()
})

test('only the newest recalls are kept', async () => {
  const db = await openMemory({ encoders, limits: { traces: 2 } })
  await db.observe('The lift is broken.')
  const ids = []
  for (const cue of ['lift', 'broken', 'the lift']) ids.push((await db.recall(cue)).id)
  await expect(db.explain(ids[0])).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  for (const id of ids.slice(1)) await expect(db.explain(id)).resolves.toMatchObject({ recall: id })
  await db.close()
})

test('whatever is asked, the explanation is that of the answer, and changes nothing', async () => {
  const db = await rooms()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('Sarah', 'the lift', 'plants and rent', 'nothing of this'),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      fc.constantFrom('text', 'image', 'audio', undefined),
      async (cue, picture, without) => {
        const options = picture === undefined ? {} : { image: discs(picture) }
        const answer = await db.recall(cue, options)
        if (without !== 'text' || picture !== undefined) {
          const { matches } = await db.explain(answer.id, { without })
          const whole = matches.filter(({ whole }) => whole !== undefined)
          expect(whole.map(({ id }) => id)).toEqual(answer.matches.map(({ id }) => id))
        }
        const { matches } = await db.recall(cue, options)
        expect(matches).toEqual(answer.matches)
      },
    ),
    { numRuns: 30 },
  )
  await db.close()
})
