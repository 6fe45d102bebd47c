import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extractiveSummarizer } from '../../../src/summaries/extractive.js'
import { sentencesOf } from '../../../src/summaries/sentences.js'

const TEXTS = [
  'The journal is flushed before a write is acknowledged. Nobody likes Mondays at all.',
  'Acknowledged writes are in the journal, so a crash loses none of them.',
  'After a crash the journal is read again, and every acknowledged write is there.',
]

test('sentences end at stops, and neither at abbreviations nor at decimals', () => {
  expect(sentencesOf('Use e.g. 3.5 litres. Boil it! "Really?" he asked.')).toEqual([
    'Use e.g. 3.5 litres.',
    'Boil it!',
    '"Really?"',
    'he asked.',
  ])
  expect(sentencesOf('水を沸かす。冷ます。')).toEqual(['水を沸かす。', '冷ます。'])
})

test('a sentence that ends with an abbreviation goes on, however long it is', () => {
  const long = 'The kettle boils for many minutes, '
  expect(sentencesOf(`${long}approx. ten. Then etc. It ends.`)).toEqual([`${long}approx. ten.`, 'Then etc. It ends.'])
  expect(sentencesOf(`${long}nonapprox. Ten.`)).toEqual([`${long}nonapprox.`, 'Ten.'])
})

test('a long run of full stops is read in time that grows with its length', () => {
  const started = performance.now()
  expect(sentencesOf(`${'.'.repeat(100_000)}a`)).toHaveLength(1)
  expect(performance.now() - started).toBeLessThan(1000) // with the square of the length, many seconds
})

test('code, tables and headings are no sentences, and items of a list are', () => {
  const text = '# Title.\n\nOne line\ncontinued.\n\n```\ncode. here.\n```\n| a. | b. |\n- first item\n- second item\n'
  expect(sentencesOf(text)).toEqual(['One line continued.', 'first item', 'second item'])
})

test('the summary is made of the sentences that say what others say, too', () => {
  const summary = extractiveSummarizer.summarize({ texts: TEXTS, maxCharacters: 160 }) as string
  expect(summary).toContain('journal')
  expect(summary).not.toContain('Mondays')
  expect(summary.length).toBeLessThanOrEqual(160)
})

test('there is no summary of texts without sentences', () => {
  expect(extractiveSummarizer.summarize({ texts: ['```\nx\n```', '', 'Yes.'], maxCharacters: 500 })).toBeUndefined()
})

// A sentence that ends like an abbreviation, "Ut sed, a.", would go on in the summary.
const text = fc.lorem({ mode: 'sentences', maxCount: 8 }).map((sentences) => sentences.replaceAll(/\ba\./g, 'ac.'))

test('whatever the texts are, each sentence of the summary stands in them once, and it is as short as asked', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), fc.integer({ min: 40, max: 400 }), (texts, most) => {
      const summary = extractiveSummarizer.summarize({ texts, maxCharacters: most }) as string | undefined
      expect(extractiveSummarizer.summarize({ texts, maxCharacters: most })).toBe(summary)
      if (summary === undefined) return
      expect(summary.length).toBeLessThanOrEqual(most)
      const all = texts.flatMap((text) => sentencesOf(text))
      const chosen = sentencesOf(summary)
      for (const sentence of chosen) expect(all).toContain(sentence)
      expect(new Set(chosen).size).toBe(chosen.length)
    }),
  )
})
