import { describe, expect, it } from 'vitest'
import type { ExtractionContext } from '../../../../src/api/extractor.js'
import { rulesExtractor } from '../../../../src/extraction/rules/extractor.js'

const extractor = await rulesExtractor()
const AT = '2024-03-15T10:00:00Z'

/** The statements of a text, as "subject | predicate | object", with a minus before what is denied. */
async function said(text: string, context: Partial<ExtractionContext> = {}): Promise<string[]> {
  const [{ triples }] = await extractor.extract([text], [{ at: AT, ...context }])
  return triples.map(({ subject, predicate, object, polarity, modality }) => {
    const meant = modality === 'asserted' ? '' : ` (${modality})`
    return `${polarity === 'negative' ? '- ' : ''}${subject} | ${predicate} | ${object}${meant}`
  })
}

describe('the extractor of rules', () => {
  it('takes the speaker for "I" and "my", and keeps "I" where nobody knows who speaks', async () => {
    expect(await said('I live in Graz.', { speaker: 'Ann' })).toEqual(['Ann | lives in | Graz'])
    expect(await said('My sister lives in Rome.', { speaker: 'Ann' })).toEqual(["Ann's sister | lives in | Rome"])
    expect(await said('I live in Graz.')).toEqual(['I | lives in | Graz'])
  })

  it('says of a move where somebody lives no more', async () => {
    expect(await said('I moved from New York to Boston.', { speaker: 'Ann' })).toEqual([
      '- Ann | lives in | New York',
      'Ann | moved to | Boston',
    ])
  })

  it('says nothing of a text that tells nothing', async () => {
    for (const text of ["Wow, that's great!", 'Haha thanks', 'Sorry, I was asleep.', '', '🎉🎉'])
      expect(await said(text, { speaker: 'Ann', others: ['Ben'] })).toEqual([])
  })

  it('reads words that its tagger knows no basic form of', async () => {
    expect(await said('You cannot.', { speaker: 'Ann' })).toEqual([])
    expect(await said('I live in Graz. You cannot.', { speaker: 'Ann' })).toEqual(['Ann | lives in | Graz'])
  })

  it('tells what is denied from what is said', async () => {
    const ann = { speaker: 'Ann' }
    expect(await said("I don't eat meat anymore, but I still like fish.", ann)).toEqual([
      '- Ann | eats | meat',
      'Ann | likes | fish',
    ])
    expect(await said('I no longer work at Siemens.', ann)).toEqual(['- Ann | works at | Siemens'])
    expect(await said('Steve has no siblings.')).toEqual(['- Steve | has | siblings'])
  })

  it('marks what is planned, wished, asked, reported and possible', async () => {
    const ann = { speaker: 'Ann', others: ['Ben'] }
    expect(await said('I will call the landlord.', ann)).toEqual(['Ann | calls | landlord (planned)'])
    expect(await said("I'd love to visit Japan someday!", ann)).toEqual(['Ann | visits | Japan (wished)'])
    expect(await said('Do you still live in Lyon?', ann)).toEqual(['Ben | lives in | Lyon (asked)'])
    expect(await said('Lisa said that Tom left Google.', ann)).toEqual(['Tom | left | Google (reported)'])
    expect(await said('Maybe Tom has a boat.', ann)).toEqual(['Tom | has | boat (possible)'])
    expect(await said("I'm flying to Oslo next week.", ann)).toEqual(['Ann | flies to | Oslo (planned)'])
  })

  it('makes a statement for each item of a list', async () => {
    expect(await said('Samsung, LG and Sony presented new televisions.')).toEqual([
      'Samsung | presents | new televisions',
      'LG | presents | new televisions',
      'Sony | presents | new televisions',
    ])
    expect(await said('I play the violin and the piano.', { speaker: 'Ann' })).toEqual([
      'Ann | plays | violin',
      'Ann | plays | piano',
    ])
  })

  it('reads what stands in apposition, and who somebody is to somebody', async () => {
    expect(await said('Sarah recommended Bawri, a thai place.')).toEqual([
      'Bawri | is | thai place',
      'Sarah | recommends | Bawri',
    ])
    expect(await said('My sister Lena is a nurse.', { speaker: 'Ann' })).toEqual([
      'Ann | has sister | Lena',
      'Lena | is | nurse',
    ])
    expect(await said("My sister's dog is called Rex.", { speaker: 'Ann' })).toEqual(["Ann's sister | has dog | Rex"])
  })

  it('makes the agent of a passive its subject', async () => {
    expect(await said('The novel was written by Jane Austen.')).toEqual(['Jane Austen | writes | novel'])
  })

  it('takes a pronoun for the only one whom it can mean, and drops the statement where there are two', async () => {
    expect(await said('Peter works as a teacher. He lives in Graz.')).toContain('Peter | lives in | Graz')
    expect(await said('Peter met Paul. He lives in Graz.')).toEqual(['Peter | meets | Paul'])
    const before = [{ speaker: 'Ben', text: 'My boyfriend Felix is a chef.' }]
    expect(await said('He grew up in Madrid.', { speaker: 'Ben', before })).toEqual(['Felix | grows up in | Madrid'])
  })

  it('says from when and until when something holds', async () => {
    const [{ triples }] = await extractor.extract(["I've owned a Vespa since 2021."], [{ at: AT, speaker: 'Max' }])
    expect(triples).toMatchObject([{ subject: 'Max', object: 'Vespa', validFrom: '2021-01-01T00:00:00.000Z' }])
  })

  it('looks ahead for the time of what is arranged', async () => {
    const [{ times }] = await extractor.extract(['The exam is on Monday.'], [{ at: AT }])
    expect(times).toMatchObject([{ text: 'Monday', start: '2024-03-18T00:00:00.000Z' }])
  })

  it('names people, places, organisations, dates and money', async () => {
    const text = 'Kate moved to Oslo in 2019 and works for Deloitte, where she makes 4,000 euros.'
    const [{ entities }] = await extractor.extract([text], [{ at: AT }])
    expect(entities.map((one) => `${one.text}: ${one.type}`)).toEqual([
      'Kate: person',
      'Oslo: place',
      '2019: date',
      'Deloitte: organisation',
      '4,000 euros: money',
    ])
  })

  describe('of runs of characters without a space that are longer than any name', () => {
    const address = `https://x.y/${'page/'.repeat(100)}`

    it('says the same of what stands before and after one, at the same offsets', async () => {
      const text = `See ${address}\nAnn lives in Graz. Tom likes tea. ${address}`
      const [{ triples, entities }] = await extractor.extract([text], [{ at: AT }])
      expect(triples.map(({ subject, predicate, object }) => [subject, predicate, object].join(' | '))).toEqual([
        'Ann | lives in | Graz',
        'Tom | likes | tea',
      ])
      expect(triples.map(({ span }) => text.slice(span.from, span.to))).toEqual([
        expect.stringContaining('Ann lives in Graz'),
        expect.stringContaining('Tom likes tea'),
      ])
      for (const { from, to, text: name } of entities) expect(text.slice(from, to)).toBe(name)
    })

    it('makes no statement of what stands before one and what stands after it', async () => {
      expect(await said(`Ann likes ${address} Tom.`)).toEqual([])
    })

    it('keeps the offsets behind one where words before it are spelled out', async () => {
      const text = `im fine, ${address} im fine, i like tea`
      const [{ triples }] = await extractor.extract([text], [{ at: AT, speaker: 'Ann' }])
      expect(triples).toMatchObject([{ subject: 'Ann', object: 'tea' }])
      expect(text.slice(triples[0].span.from, triples[0].span.to)).toContain('like tea')
    })
  })
})
