import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slices } from '../../../../src/base/slices.js'
import { textSignature } from '../../../../src/encoding/text.js'
import { termCounts, tokens } from '../../../../src/encoding/tokens.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { DIMENSION } from '../../../../src/kernel/port.js'
import type { MemoryContext } from '../../../../src/memory/context.js'
import { SimilarTexts } from '../../../../src/memory/knowledge/similar-texts.js'
import { runs } from '../../../runs.js'
import { kernel } from '../../encoding/kernel.js'
import { openMemory } from '../../engine/open.js'

const WORDS = ['oxygen', 'pressure', 'tank', 'falling', 'valve', 'is', 'not', '2', 'quickly', 'again']
const EVER = Number.MAX_SAFE_INTEGER

/** A memory, and the texts of it by their wordings. */
async function opened(): Promise<{ db: Engine; texts: SimilarTexts; context: MemoryContext }> {
  let context: MemoryContext | undefined
  const service = (of: MemoryContext) => {
    context = of
    return { projections: [] }
  }
  const db = await openMemory({ extensions: [{ service }] })
  return { db, texts: new SimilarTexts(context!), context: context! }
}

/** Whether two texts say the same in words, as `SimilarTexts` says it of its constants. */
function isAlike(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => new Set(termCounts(text).keys()))
  const shared = [...a].filter((term) => b.has(term)).length
  const details = (text: string) =>
    tokens(text)
      .filter((word) => word === 'not' || word === '2')
      .sort()
      .join(' ')
  const distance = kernel.hamming(textSignature(kernel, one), textSignature(kernel, other))
  return (
    details(one) === details(other) &&
    shared / (a.size + b.size - shared) >= 0.4 &&
    1 - (2 * distance) / DIMENSION >= 0.6
  )
}

test('finds the texts that comparing each with each finds, whatever comes and goes', async () => {
  const text = fc.array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 7 }).map((words) => words.join(' '))
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 4, maxLength: 20, size: 'max' }),
      fc.uniqueArray(fc.nat(19), { maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(19), text), { maxLength: 4 }),
      async (all, removed, updated) => {
        const { db, texts, context } = await opened()
        await db.observeMany(all.map((text, i) => ({ text, id: `e${i}`, speaker: ['Ann', 'Bob', 'Cy'][i % 3] })))
        await texts.readThrough(EVER, slices())
        const there = new Map(all.map((text, i) => [`e${i}`, text]))
        for (const [i, text] of updated) {
          if (i >= all.length) continue
          await db.update(`e${i}`, { text })
          there.set(`e${i}`, text)
          texts.doubt([context.indexes.catalog.slot(`e${i}`)!])
        }
        const gone = removed.filter((i) => i < all.length).map((i) => `e${i}`)
        if (gone.length > 0) await db.unlearn({ episode: gone }, 'r')
        for (const id of gone) there.delete(id)
        await texts.readThrough(EVER, slices())
        const telling = [...there].filter(([, text]) => termCounts(text).size >= 3)
        for (const [at, [id, text]] of telling.entries()) {
          const found = [...texts.before(context.indexes.catalog.slot(id)!)].map((slot) =>
            context.indexes.catalog.id(slot),
          )
          const wanted = telling.slice(0, at).filter(([, other]) => isAlike(text, other))
          expect(found.sort()).toEqual(wanted.map(([id]) => id).sort())
        }
        await db.close()
      },
    ),
    { numRuns: runs(40), ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
  )
})

test('takes no memory for texts that went', async () => {
  const { db, texts } = await opened()
  await texts.readThrough(EVER, slices())
  const empty = texts.bytes
  await db.observeMany(Array.from({ length: 100 }, (_, i) => ({ text: `oxygen tank ${i} leaks again`, id: `e${i}` })))
  await texts.readThrough(EVER, slices())
  expect(texts.bytes - empty).toBeGreaterThan(10_000)
  await db.unlearn({ episode: Array.from({ length: 100 }, (_, i) => `e${i}`) }, 'r')
  await texts.readThrough(EVER, slices())
  expect(texts.bytes).toBe(empty)
  await db.close()
})
