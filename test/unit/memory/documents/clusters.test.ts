import { describe, expect, test } from 'vitest'
import type { Summarizer, SummaryInput } from '../../../../src/api/summarizer.js'
import { parseCodebook } from '../../../../src/encoding/codebook/codebook.js'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { openMemory } from '../../engine/open.js'

const codebook = parseCodebook(await readCodebook())
const ABOUT = {
  brake: ['worn brake disc', 'brake pad of the bus', 'hand brake of the bus', 'brake hose', 'brake fluid'],
  bread: ['dough of the bread', 'loaf of rye bread', 'yeast for the bread', 'flour of the baker', 'oven for bread'],
  whale: ['whale and its calf', 'song of the whale', 'whale in the cold sea', 'humpback whale', 'pod of whales'],
}
/** A flat text: paragraphs about three things by turns, each long enough to be a passage. */
const FLAT = Array.from({ length: 30 }, (_, i) => {
  const things = Object.values(ABOUT)[i % 3]
  const said = Array.from({ length: 16 }, (_, j) => `We looked at the ${things[(i + j) % things.length]} once more.`)
  return `On day ${i + 1} it was about the ${things[i % 5]}. ${said.join(' ')}`
}).join('\n\n')

const open = (options: Partial<EngineOptions> = {}) => openMemory({ extract: 'none', codebook, ...options })

describe('the parts of a long document', () => {
  test('are clustered by what they are about, and each cluster has a summary', async () => {
    const db = await open()
    await db.entries.ingest(FLAT, { source: 'flat.txt' })
    const entries = await db.entries.browse({ limit: 1_000 })
    const parts = entries.filter(({ type }) => type === 'raw')
    expect(parts).toHaveLength(30)
    for (const { clusters } of parts) expect(clusters.length).toBeGreaterThan(0)
    for (const { clusters } of parts)
      expect(clusters.reduce((sum, { probability }) => sum + probability, 0)).toBeLessThanOrEqual(1 + 1e-9)
    const surest = ({ clusters }: (typeof parts)[number]) =>
      clusters.reduce((best, one) => (one.probability > best.probability ? one : best)).cluster
    const aboutOf = (content: string) => Object.keys(ABOUT).find((word) => content.includes(word))
    // A cluster is about one thing: what its surest members are about.
    const about = new Map<string, Set<string | undefined>>()
    for (const part of parts) about.set(surest(part), (about.get(surest(part)) ?? new Set()).add(aboutOf(part.content)))
    expect([...about.values()].every(({ size }) => size === 1)).toBe(true)
    await db.close()
  })

  test('have one summary above all, at the top of the outline', async () => {
    const db = await open()
    await db.entries.ingest(FLAT, { source: 'flat.txt' })
    const [first] = await db.entries.tree('flat.txt')
    expect(first.entry).toMatchObject({ type: 'summary', madeBy: 'extractive/1' })
    const above = (await db.entries.browse({ limit: 1_000 })).filter(({ type, relations }) => {
      return type === 'summary' && relations.every(({ kind }) => kind !== 'summarized_by')
    })
    expect(above).toHaveLength(1)
    await db.close()
  })

  test('leave nothing behind when one is forgotten: no summary rests on it, and the others are made anew', async () => {
    const db = await open()
    await db.entries.ingest(FLAT, { source: 'flat.txt' })
    const [gone] = (await db.entries.browse({ limit: 1_000 })).filter(({ content }) => content.includes('On day 17 '))
    await db.entries.remove(gone.id)
    const left = await db.entries.browse({ limit: 1_000 })
    expect(left.filter(({ content }) => content.includes('On day 17 '))).toEqual([])
    expect(left.filter(({ summarizes }) => summarizes.includes(gone.id))).toEqual([])
    expect(left.filter(({ type }) => type === 'raw').every(({ clusters }) => clusters.length > 0)).toBe(true)
    await db.close()
  })

  test('are the same whoever stores them, and cost nothing when they are stored again', async () => {
    const [one, other] = [await open(), await open()]
    for (const db of [one, other]) await db.entries.ingest(FLAT, { source: 'flat.txt' })
    expect(await other.entries.browse({ limit: 1_000 })).toEqual(await one.entries.browse({ limit: 1_000 }))
    expect(await one.entries.ingest(`${FLAT}\n\nThe end.`, { source: 'flat.txt' })).toMatchObject({ superseded: 0 })
    await Promise.all([one.close(), other.close()])
  })
})

describe('the option summarizer', () => {
  const step = (i: number) => `## Step ${i}\n\n${'What is done in this step is told here. '.repeat(10)}`
  const LONG = `# Plan\n\n${[0, 1, 2, 3, 4, 5].map(step).join('\n\n')}`

  /** Summarizes by the number of texts, and notes what it was asked. */
  const counting = (asked: SummaryInput[], id = 'counting/1'): Summarizer => ({
    id,
    summarize: (input) => {
      asked.push(input)
      return `${id}: ${input.texts.length} texts under ${input.heading}`
    },
  })

  test('makes the summaries, and replaces those of another one when the document changes', async () => {
    const asked: SummaryInput[] = []
    const db = await open({ summarizer: counting(asked) })
    expect(await db.entries.ingest(LONG, { source: 'plan.md' })).toMatchObject({ summaries: 1 })
    expect(asked).toMatchObject([{ heading: 'Plan', maxCharacters: 600 }])
    const next = await open({ summarizer: counting([], 'counting/2') })
    await next.import(await db.export())
    await db.close()
    await next.entries.ingest(`${LONG}\n\nOne more line.`, { source: 'plan.md' })
    const now = (await next.entries.browse({ limit: 100 })).filter(({ type }) => type === 'summary')
    expect(now.map(({ madeBy }) => madeBy)).toEqual(['counting/2'])
    await next.close()
  })

  test('makes none with none', async () => {
    const db = await open({ summarizer: 'none' })
    expect(await db.entries.ingest(LONG, { source: 'plan.md' })).toMatchObject({ summaries: 0 })
    await db.close()
  })

  test.each<[string, Summarizer['summarize']]>([
    ['throws', () => Promise.reject(new Error('no network'))],
    ['answers with a number', (() => 7) as never],
    ['answers with a book', () => 'x'.repeat(100_000)],
  ])('that %s leaves the document stored, and the same document makes the summaries later', async (_, summarize) => {
    let fails = true
    const good = counting([])
    const db = await open({
      summarizer: { id: 'odd', summarize: (input) => (fails ? summarize(input) : good.summarize(input)) },
    })
    await expect(db.entries.ingest(LONG, { source: 'plan.md' })).rejects.toMatchObject({ code: 'AGIDB_SUMMARIZER' })
    expect((await db.entries.tree('plan.md')).length).toBeGreaterThan(0)
    fails = false
    expect(await db.entries.ingest(LONG, { source: 'plan.md' })).toMatchObject({ added: 0, summaries: 1 })
    fails = true
    const [step] = (await db.entries.browse({ limit: 100 })).filter(({ type }) => type === 'raw')
    await db.entries.remove(step.id)
    expect(await db.entries.get(step.id)).toBeUndefined()
    await db.close()
  })

  test.each([null, 'llm', {}, { id: '', summarize: () => '' }, { id: 'x' }])('refuses %j', async (summarizer) => {
    await expect(open({ summarizer: summarizer as never })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})
