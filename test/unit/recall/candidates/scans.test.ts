import { expect, test } from 'vitest'
import { arenaSearch, searchArenas } from '../../../../src/recall/candidates/vector-search.js'
import { heaviest } from '../../../../src/encoding/heaviest.js'
import { scanTraces } from '../../../../src/recall/candidates/scans.js'
import { exact, memory } from './named-signatures.js'

test('The trace of a scan at the heaviest dimensions says what share of the exact best it found.', async () => {
  const indexes = memory(600)
  for (const [dimensions, depth] of [
    [512, 100],
    [64, 10],
    [8, 10],
  ]) {
    const questions = [{ space: 'text' as const, query: heaviest(exact, dimensions), dimensions, exact }]
    const [trace] = await scanTraces(
      arenaSearch(indexes),
      questions,
      searchArenas(indexes, questions, depth),
      undefined,
    )
    const found = new Set(indexes.text.scan(questions[0].query, depth).slots)
    const best = [...indexes.text.scan(exact, 10).slots]
    expect(trace).toEqual({
      signatures: 'text',
      dimensions,
      recall: best.filter((slot) => found.has(slot)).length / 10,
    })
    if (dimensions === 512) expect(trace.recall).toBe(1)
    if (dimensions === 8) expect(trace.recall).toBeLessThan(1)
  }
  indexes.free()
})

test('The trace counts what the question may see, and leaves out scans that were exact.', async () => {
  const indexes = memory(100)
  const questions = [{ space: 'text' as const, query: heaviest(exact, 512), dimensions: 512, exact }]
  const traced = (asked: Parameters<typeof scanTraces>[1], mask: Uint32Array) =>
    scanTraces(arenaSearch(indexes), asked, searchArenas(indexes, asked, 10, mask), mask)
  const mask = Uint32Array.of(0b111)
  expect(await traced(questions, mask)).toEqual([{ signatures: 'text', dimensions: 512, recall: 1 }])
  expect((await traced(questions, Uint32Array.of(0)))[0].recall).toBe(1)
  expect(await traced([{ space: 'text', query: exact, exact }], mask)).toEqual([])
  indexes.free()
})
