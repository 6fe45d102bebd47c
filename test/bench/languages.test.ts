import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readLocomo } from '../../bench/recall/locomo.js'
import { languageNamed, termOf, type Language } from '../../bench/recall/peers/languages.js'

const FOLDER = fileURLToPath(new URL('../../bench/data/languages/', import.meta.url))

interface Conversation extends Record<string, unknown> {
  readonly licence: string
  readonly language: string
  readonly qa: readonly { readonly question: string; readonly evidence: readonly string[]; readonly category: number }[]
}

it('each conversation in another language is CC0 and has questions of every kind about turns that exist', async () => {
  const all = await conversations()
  expect(all.map(({ language }) => language)).toEqual(['french', 'german', 'italian', 'portuguese', 'spanish'])
  for (const { licence, language, qa, ...sessions } of all) {
    expect(licence, language).toBe('CC0-1.0')
    const turns = turnsOf(sessions)
    for (const { question, evidence, category } of qa) {
      expect(evidence.length, question).toBeGreaterThan(category === 1 ? 1 : 0)
      for (const id of evidence) expect(turns.get(id), `${question} ${id}`).toBeTypeOf('string')
    }
    expect(new Set(qa.map(({ question }) => question)).size, language).toBe(qa.length)
    for (const category of [1, 2]) {
      expect(qa.filter((asked) => asked.category === category).length, language).toBeGreaterThan(5)
    }
  }
})

it('no question in another language repeats more than half of the content words of its evidence', async () => {
  for (const { language: name, qa, ...sessions } of await conversations()) {
    const language = languageNamed(name)
    const turns = turnsOf(sessions)
    for (const { question, evidence } of qa) {
      const asked = contentOf(language, question)
      for (const id of evidence) {
        const told = contentOf(language, turns.get(id) ?? '')
        const repeated = [...told].filter((term) => asked.has(term))
        expect(repeated.length, `${question} repeats ${repeated.join()}`).toBeLessThanOrEqual(told.size / 2)
      }
    }
  }
})

it('an exam names the language of its conversation, by which the peer stems', async () => {
  const exams = await readLocomo(FOLDER)
  expect(exams.map(({ language }) => language)).toEqual(['french', 'german', 'italian', 'portuguese', 'spanish'])
  expect(termOf(languageNamed('german'), 'Häuser')).toBe(termOf(languageNamed('german'), 'Hauses'))
  expect(termOf(languageNamed('french'), 'Dans')).toBeNull()
  expect(() => languageNamed('klingon')).toThrow('no stemmer of klingon')
})

async function conversations(): Promise<Conversation[]> {
  const files = (await readdir(FOLDER)).sort()
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(FOLDER + file, 'utf8')) as Conversation))
}

function turnsOf(sessions: Record<string, unknown>): ReadonlyMap<string, string> {
  const turns = Object.values(sessions).filter(Array.isArray).flat() as { dia_id: string; text: string }[]
  return new Map(turns.map(({ dia_id, text }) => [dia_id, text]))
}

/** Stems of the words of a text that are not stop words. */
function contentOf(language: Language, text: string): Set<string> {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.map((word) => termOf(language, word)).filter((term) => term !== null))
}
