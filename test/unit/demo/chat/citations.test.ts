import { Window } from 'happy-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cite } from '../../../../demo/chat/citations.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import type { RecallWithPrompt } from '../../../../src/api/recall.js'

let window: Window
let db: Agidb
let found: RecallWithPrompt
beforeEach(async () => {
  window = new Window({ url: 'https://app.example/' })
  vi.stubGlobal('document', window.document)
  db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
  await db.observe('Sarah recommended Bawri, a thai place in Bandra.', { speaker: 'Tom', at: '2026-05-01T19:00:00Z' })
  await db.observe('Soy is a thai place, too. <b>Really</b>.')
  found = await db.recall('which thai place?', { budgetTokens: 1_000 })
})
afterEach(async () => {
  await db.close()
  vi.unstubAllGlobals()
  await window.happyDOM.close()
})

/** A text with its links as `<n>`. */
const shown = (text: readonly (Node | string)[]) =>
  text.map((piece) => (typeof piece === 'string' ? piece : `<${piece.textContent}>`)).join('')

test('numbers of memories become links, others stay text', () => {
  const { text, ids } = cite('It was Bawri [1], not Soy [2]. See [3], [0] and a[1.5].', found, 1)
  expect(shown(text)).toBe('It was Bawri <1>, not Soy <2>. See [3], [0] and a[1.5].')
  expect(ids).toEqual(found.prompt.ids)
})

test('a memory that is cited twice has one card, and cards stand in the order of their numbers', () => {
  const { cards, ids } = cite('[2] and [1], once more [2]', found, 7)
  expect(cards.map(({ id }) => id)).toEqual(['cited-7-1', 'cited-7-2'])
  expect(cards.map((card) => card.dataset['id'])).toEqual(ids)
})

test('a card says who said it, when, and how sure it is, and shows markup as text', () => {
  const { cards } = cite('[1] [2]', found, 1)
  const card = cards.find(({ textContent }) => textContent.includes('Bawri'))!
  expect(card.querySelector('strong')?.textContent).toBe('Tom')
  expect(card.querySelector('time')?.getAttribute('datetime')).toBe('2026-05-01T19:00:00.000Z')
  expect(card.textContent).toMatch(/confidence \d+/)
  const other = cards.find(({ textContent }) => textContent.includes('Soy'))!
  expect(other.querySelector('blockquote')?.textContent).toBe('Soy is a thai place, too. <b>Really</b>.')
  expect(other.querySelector('b')).toBeNull()
})

test('a click on a link opens the sources and moves the focus to the card', () => {
  const { text, cards } = cite('It was Bawri [1].', found, 1)
  const sources = document.createElement('details')
  sources.append(...cards)
  document.body.append(...text, sources)
  document.querySelector<HTMLElement>('a.citation')!.click()
  expect(sources.open).toBe(true)
  expect(document.activeElement?.id).toBe('cited-1-1')
})

test('an answer without memories is text alone', () => {
  expect(cite('As [1] says.', undefined, 1)).toEqual({ text: ['As ', '[1]', ' says.'], cards: [], ids: [] })
})
