import { expect } from 'vitest'
import type { ParsedDocument } from '../../../src/api/document-parser.js'

/** What holds of every document: pieces in order, none empty or blank at its ends, each after the one that it is in. */
export function expectOutline({ text, pieces }: ParsedDocument): void {
  let last = 0
  for (const [i, { start, end, parent, level }] of pieces.entries()) {
    const content = text.slice(start, end)
    expect(content.trim()).toBe(content)
    expect(content).not.toBe('')
    expect(start).toBeGreaterThanOrEqual(last)
    last = end
    if (parent === undefined) continue
    expect(parent).toBeLessThan(i)
    expect(pieces[parent].level).toBeLessThan(level)
  }
  for (const content of pieces.map(({ start, end }) => text.slice(start, end)))
    expect(/\p{Surrogate}/u.test(content)).toBe(false)
}
