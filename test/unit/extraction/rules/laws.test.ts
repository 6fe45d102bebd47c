import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExtractionContext } from '../../../../src/api/extractor.js'
import { rulesExtractor } from '../../../../src/extraction/rules/extractor.js'

const extractor = await rulesExtractor()
const AT = '2024-03-15T10:00:00Z'
const RUNS = { seed: 17, numRuns: 200 }

const WORDS = (
  "I you he she it we they Ann Tom Boston Siemens my her his sister dog Rex is was isn't don't lives moved to in " +
  "from the a nurse called who that and , . ? ! ; not never will I'm it's Tom's likes hiking yesterday on Friday " +
  '2 May 7 pm $ 40 % 🎉 José 東京 no longer used because if maybe said'
).split(' ')
/** Texts of words that the rules look for, in any order, and any Unicode. */
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
)
const anyContext = fc.record(
  {
    at: fc.constant(AT),
    speaker: fc.constantFrom('Ann', 'Ben', ''),
    others: fc.array(fc.constantFrom('Ben', 'Cleo'), { maxLength: 2 }),
    before: fc.array(fc.record({ speaker: fc.constantFrom('Ann', 'Ben'), text: anyText }), { maxLength: 2 }),
  },
  { requiredKeys: ['at'] },
) as fc.Arbitrary<ExtractionContext>

async function extract(text: string, context: ExtractionContext = { at: AT, speaker: 'Ann', others: ['Ben'] }) {
  const [found] = await extractor.extract([text], [context])
  return found
}

describe('the laws of the extractor of rules', () => {
  it('never throws, and every offset slices the text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyContext, async (text, context) => {
        const { entities, triples, times } = await extract(text, context)
        for (const one of [...entities, ...times]) expect(text.slice(one.from, one.to)).toBe(one.text)
        for (const { span, subject, predicate, object, confidence } of triples) {
          expect(0 <= span.from && span.from < span.to && span.to <= text.length).toBe(true)
          expect([subject, predicate, object].every((filler) => filler.trim() !== '')).toBe(true)
          expect(confidence > 0 && confidence <= 1).toBe(true)
        }
      }),
      RUNS,
    )
  })

  it('finds in each of several texts what it finds in it alone, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyText, anyContext), { maxLength: 5 }), async (items) => {
        const together = await extractor.extract(
          items.map(([text]) => text),
          items.map(([, context]) => context),
        )
        for (const [i, [text, context]] of [...items.entries()].reverse())
          expect(await extract(text, context)).toEqual(together[i])
      }),
      RUNS,
    )
  })

  it('reads curly apostrophes as straight ones', async () => {
    const curl = (text: string) => text.replaceAll("'", '’')
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const straight = await extract(text)
        const curly = await extract(curl(text))
        const triples = curly.triples.map((one) => ({ ...one, object: one.object.replaceAll('’', "'") }))
        expect(
          triples.map(({ predicate, object, polarity, modality, span }) => [
            predicate,
            object,
            polarity,
            modality,
            span,
          ]),
        ).toEqual(
          straight.triples.map(({ predicate, object, polarity, modality, span }) => [
            predicate,
            object.replaceAll('’', "'"),
            polarity,
            modality,
            span,
          ]),
        )
        expect(curly.entities.map(({ from, to, type }) => [from, to, type])).toEqual(
          straight.entities.map(({ from, to, type }) => [from, to, type]),
        )
      }),
      RUNS,
    )
  })

  it('reads every prefix of a long conversation without an error', async () => {
    const text =
      "My sister's dog, who isn't called Rex, moved from New York to St. Mary's Hospital, didn't he? ".repeat(3)
    for (let end = 0; end <= text.length; end++) await extract(text.slice(0, end))
  })
})
