import { expect, test } from 'vitest'
import type { Statement } from '../../../../src/api/extractor.js'
import { lastingOf, namedBy, subjectKey, takesUp } from '../../../../src/extraction/lasting/reader.js'

type Said = readonly [subject: string, predicate: string, object: string]

/** An episode in whose text an extractor found statements. */
function episode(text: string, speaker: string, ...said: readonly Said[]) {
  const triples = said.map(([subject, predicate, object]) => ({ subject, predicate, object }))
  const span = { from: 0, to: text.length }
  const found: Statement[] = triples.map((triple) => {
    return { ...triple, polarity: 'positive', modality: 'asserted', confidence: 1, span }
  })
  const extraction = { extractor: 'rules', version: '1', given: 0, entities: [], times: [], triples: found }
  return { text, speaker, triples, extraction }
}

const cues = (...args: Parameters<typeof episode>) => lastingOf(episode(...args)).map(({ cue }) => cue)

test('Who or what somebody is, and what they are called, is taken up by their name.', () => {
  expect(cues('My sister Karla rang.', 'Ann', ['Ann', 'has sister', 'Karla'])).toEqual([{ name: 'karla' }])
  expect(cues("She's a nurse.", 'Ann', ['Karla', 'is', "children's nurse"])).toEqual([{ name: 'karla' }])
  expect(cues("She's thirty-six.", 'Ann', ['Karla', 'is', 'thirty-six'])).toEqual([{ name: 'karla' }])
  expect(cues('A nurse called Wendy.', 'Ann', ['nurse', 'is called', 'Wendy'])).toEqual([{ name: 'wendy' }])
})

test('What somebody is who speaks or is spoken to must be called so again: their name alone tells nothing.', () => {
  const librarian = { subject: 'ann', stem: 'librarian', isName: false }
  expect(cues("I'm a librarian now.", 'Ann', ['Ann', 'is', 'librarian'])).toEqual([librarian])
  expect(cues("You're a librarian now.", 'Tom', ['Ann', 'is', 'librarian'])).toEqual([librarian])
})

test('What somebody has, does, likes or has become is taken up by subject and object together.', () => {
  const text = 'We talked for long.'
  expect(cues(text, 'Ann', ['Ann', 'breaks', 'left wrist'])).toEqual([{ subject: 'ann', stem: 'wrist', isName: false }])
  expect(cues(text, 'Ann', ['Ann', 'moves in with', 'Leonie'])).toMatchObject([{ stem: 'leoni', isName: true }])
  expect(cues(text, 'Ann', ['Tom Oldfield', 'drives', 'school bus'])).toMatchObject([{ subject: 'tom', stem: 'bu' }])
  expect(cues(text, 'Ann', ['Ann', 'has', 'four cupboards of sheet music'])).toMatchObject([{ stem: 'cupboard' }])
})

test('What happened once, says too little, or is meant as praise is not lasting.', () => {
  const passing: readonly Said[] = [
    ['Ann', 'sees', 'heron'],
    ['Ann', 'has', 'tea'],
    ['Ann', 'runs out of', 'bread'],
    ['Ann', 'runs', 'eighteen kilometres'],
    ['Ann', 'is', 'best teacher'],
    ['Ann', 'is', 'puddle'],
    ['Ann', 'buys', 'Ruth'],
    ['man', 'is called', 'Rafe'],
    ['rest', 'is', 'nurse'],
    ['Ann', 'has', 'head'],
  ]
  for (const said of passing) expect(cues('So it is.', 'Ann', said), said.join(' ')).toEqual([])
  expect(cues('You may: we parted when Idris was two.', 'Ann', ['Idris', 'is', 'two'])).toEqual([])
})

test('Of two things with one name the name is that of the nearer one.', () => {
  const text = 'There was a stove, and a nurse called Wendy.'
  const found = lastingOf(episode(text, 'Ann', ['stove', 'is called', 'Wendy'], ['nurse', 'is called', 'Wendy']))
  expect(found.map(({ triple }) => triple.subject)).toEqual(['nurse'])
})

test('What callers gave is not looked at, and neither is a text that nobody read.', () => {
  const read = episode('My sister Karla rang.', 'Ann', ['Ann', 'has sister', 'Karla'])
  expect(lastingOf({ ...read, extraction: { ...read.extraction, given: 1 } })).toEqual([])
  expect(lastingOf({ ...read, extraction: undefined })).toEqual([])
})

test('A text takes up a thing in a sentence that is about its owner and denies nothing.', () => {
  const wrist = { subject: 'ann', stem: 'wrist', isName: false }
  const takes = (text: string, speaker?: string, addressee?: string) =>
    takesUp(namedBy(text, speaker, addressee), wrist)
  expect(takes('How is your wrist?', 'Tom', 'Ann')).toBe(true)
  expect(takes('How is your wrist?', 'Tom', 'Bob')).toBe(false)
  expect(takes('My wrist is fine.', 'Ann')).toBe(true)
  expect(takes('My wrist is fine.', 'Tom')).toBe(false)
  expect(takes("Ann's wrist is fine.", 'Tom')).toBe(true)
  expect(takes('I came home. The wrist is fine.', 'Ann')).toBe(false)
  expect(takes('I have no pain in the wrist.', 'Ann')).toBe(false)
  expect(takes('It rained, but I used the wrist again, not the arm.', 'Ann')).toBe(true)
  expect(takes('Look! [shares a photo of my wrist]', 'Ann')).toBe(false)
  expect(takes('Look! [shares my wrist [photo]] My wrist aches. [', 'Ann')).toBe(true)
  expect(takes('Look! [shares my wrist [photo]]', 'Ann')).toBe(false)
})

test('A long run of open brackets is read in time that grows with its length.', () => {
  const started = performance.now()
  expect(namedBy(`My wrist ${'['.repeat(100_000)}`, 'Ann', undefined).sentences).toHaveLength(1)
  expect(performance.now() - started).toBeLessThan(1000) // with the square of the length, many seconds
})

test('A name is taken up as it is written: with a capital, where the text has any.', () => {
  const names = (text: string) => takesUp(namedBy(text, undefined, undefined), { name: 'rose' })
  expect(names('I met Rose.')).toBe(true)
  expect(names("Rose's cat sleeps.")).toBe(true)
  expect(names('Prices rose again.')).toBe(false)
  expect(names('i met rose again')).toBe(true)
})

test('People are found by the name by which they are called, and kin by whose they are.', () => {
  expect(subjectKey('Tom Oldfield')).toBe('tom')
  expect(subjectKey('Mr Pell')).toBe('mr pell')
  expect(subjectKey("Colin Fraser's dad")).toBe("colin's dad")
  const dad = { subject: "colin's dad", stem: 'boat', isName: false }
  expect(takesUp(namedBy('My dad sold the boat.', 'Colin Fraser', undefined), dad)).toBe(true)
  expect(takesUp(namedBy('Your dad and the boat!', 'Ann', 'Colin Fraser'), dad)).toBe(true)
})
