import { describe, expect, test } from 'vitest'
import type { Codebook } from '../../../../src/encoding/codebook/codebook.js'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { loadCodebook } from '../../../../src/encoding/codebook/load.js'
import { sectionEvidence, SECTION_SIGNALS } from '../../../../src/memory/documents/section-evidence.js'
import { rankBySection } from '../../../../src/memory/documents/section-ranking.js'
import { AROUND, Sections } from '../../../../src/memory/documents/section.js'
import { openMemory } from '../../engine/open.js'

/** Long enough that what comes next is an entry of its own. */
const MORE = 'It takes a while, and it is worth it. '.repeat(30)
const MANUAL = `# Boat manual

## Winter

Drain the water pump before the first frost. ${MORE}

\`\`\`sh
pump --drain --confirm
\`\`\`

Then cover the boat, and take the battery home. ${MORE}

### Battery

Charge it once a month.

## Summer

Uncover the boat and fill the tank.
`

async function manual(codebook?: Codebook) {
  const db = await openMemory({ extract: 'none', ...(codebook && { codebook }) })
  await db.entries.ingest(MANUAL, { source: 'manual.md' })
  const { indexes } = (await db.inside()).context
  const entries = (await db.entries.browse({ source: 'manual.md', limit: 100 })).filter(({ type }) => type === 'raw')
  const slotOf = (text: string) => indexes.catalog.slot(entries.find(({ content }) => content.includes(text))!.id)!
  const textOf = (slot: number) => entries.find(({ id }) => id === indexes.catalog.id(slot))!.content
  expect(slotOf('Drain')).not.toBe(slotOf('cover the boat, and'))
  return { db, indexes, slotOf, textOf }
}

describe('what stands around an entry', () => {
  test('is the heading of its section and the texts under it, without the sections in it', async () => {
    const { db, indexes, slotOf, textOf } = await manual()
    const sections = new Sections(indexes, () => true)
    const winter = ['Drain', 'cover the boat, and'].map(slotOf)
    for (const slot of winter) {
      const around = sections.around(slot)
      expect(around[0]).toBe(slot)
      expect(new Set(around).size).toBe(around.length)
      const texts = around.map(textOf).join('\n')
      for (const text of ['Drain', 'pump --drain', 'cover the boat, and']) expect(texts).toContain(text)
      expect(texts).not.toContain('Charge')
      expect(texts).not.toContain('Uncover')
    }
    await db.close()
  })

  test('is the entry alone where others may not be seen, and for one that stands in no document', async () => {
    const { db, indexes, slotOf } = await manual()
    const slot = slotOf('Drain')
    expect(new Sections(indexes, (other) => other === slot).around(slot)).toEqual([slot])
    const { id } = await db.entries.add('The harbour opens at six.')
    const alone = indexes.catalog.slot(id)!
    expect(new Sections(indexes, () => true).around(alone)).toEqual([alone])
    await db.close()
  })

  test('of a long section is no further than two screens', async () => {
    const db = await openMemory({ extract: 'none' })
    const paragraphs = Array.from(
      { length: 40 },
      (_, i) => `Paragraph ${i} of the log. ${'The sea was calm. '.repeat(40)}`,
    )
    await db.entries.ingest(`# Log\n\n${paragraphs.join('\n\n')}\n`, { source: 'log.md' })
    const { indexes } = (await db.inside()).context
    const { catalog, documents } = indexes
    const entries = await db.entries.browse({ source: 'log.md', limit: 1_000 })
    const slot = catalog.slot(entries.find(({ content }) => content.includes('Paragraph 20'))!.id)!
    const { start } = documents.facet(slot)!.places[0]
    const around = new Sections(indexes, () => true).around(slot)
    expect(around.length).toBeGreaterThan(3)
    expect(around.length).toBeLessThan(entries.length)
    for (const other of around) expect(Math.abs(documents.facet(other)!.places[0].start - start)).toBeLessThan(AROUND)
    await db.close()
  })
})

describe('evidence', () => {
  test('of a section is that of all its texts, of any of which it is asked', async () => {
    const { db, indexes, slotOf } = await manual(await loadCodebook(await readCodebook()))
    const slots = ['Drain', 'cover the boat, and', 'Charge', 'Uncover'].map(slotOf)
    const evidence = sectionEvidence(indexes, 'freeze the pump', slots, new Sections(indexes, () => true))
    for (const signal of SECTION_SIGNALS) {
      expect(evidence[signal].every(Number.isFinite)).toBe(true)
      // Sums of the same numbers in another order.
      expect(evidence[signal][0]).toBeCloseTo(evidence[signal][1], 6)
    }
    expect(evidence.words[0]).toBeGreaterThan(evidence.words[3])
    expect(evidence.pieces[0]).toBeGreaterThan(evidence.pieces[3])
    expect(evidence.meaning[0]).toBeGreaterThan(evidence.meaning[3])
    expect(new Set(evidence.document).size).toBe(1)
    expect(rankBySection(indexes, 'freeze the pump', [], new Sections(indexes, () => true))).toEqual([])
    await db.close()
  })

  test('of nothing is nothing: no entries, no words, an unknown word', async () => {
    const { db, indexes, slotOf } = await manual()
    const sections = new Sections(indexes, () => true)
    expect(rankBySection(indexes, 'pump', [], sections)).toEqual([])
    for (const query of ['', '…', 'xqzt']) {
      const { words } = sectionEvidence(indexes, query, [slotOf('Drain')], sections)
      expect(Array.from(words)).toEqual([0])
      const [one] = rankBySection(indexes, query, [{ slot: slotOf('Drain'), confidence: 0.4 }], sections)
      expect(one.similarity).toBeGreaterThan(0)
      expect(one.similarity).toBeLessThan(1)
    }
    await db.close()
  })
})

describe('a search', () => {
  test('prefers, of entries that fit alike, the one whose section has the words of the query', async () => {
    const { db, indexes, slotOf } = await manual()
    const entries = ['Uncover', 'Charge', 'cover the boat, and'].map((text) => ({
      slot: slotOf(text),
      confidence: 0.3,
    }))
    const sections = new Sections(indexes, () => true)
    const [best] = rankBySection(indexes, 'the pump and the frost', entries, sections)
    expect(best.found).toBe(entries[2])
    // Alone there is nothing that its section could be compared with.
    const alone = new Sections(indexes, (slot) => entries.some((entry) => entry.slot === slot))
    const [first] = rankBySection(indexes, 'the pump and the frost', entries, alone)
    expect(first.found).not.toBe(entries[2])
    await db.close()
  })

  test('answers from best to worst, each 0 to 1, and the same again', async () => {
    const { db } = await manual()
    const ask = () => db.entries.search('drain the pump before winter', { alpha: 0, perSection: 10, k: 10 })
    const first = await ask()
    const similarities = first.map(({ similarity }) => similarity)
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a))
    for (const one of similarities) expect(one > 0 && one < 1).toBe(true)
    expect((await ask()).map(({ similarity }) => similarity)).toEqual(similarities)
    await db.close()
  })

  test('is not changed by entries of a section that it may not see', async () => {
    const { db } = await manual()
    const hidden = (await db.entries.browse({ source: 'manual.md', limit: 100 })).find(({ content }) =>
      content.includes('pump --drain'),
    )!
    await db.entries.setVisibility(hidden.id, 'archived')
    const seen = await db.entries.search('confirm', { alpha: 0, perSection: 10 })
    expect(seen.every(({ entry }) => entry.id !== hidden.id)).toBe(true)
    const { indexes } = (await db.inside()).context
    const isShown = (slot: number) => indexes.documents.isShown(slot, Date.now())
    const slots = seen.map(({ entry }) => indexes.catalog.slot(entry.id)!)
    const { words } = sectionEvidence(indexes, 'confirm', slots, new Sections(indexes, isShown))
    expect(Array.from(words)).toEqual(slots.map(() => 0))
    await db.close()
  })
})
