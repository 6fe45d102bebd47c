import { describe, expect, it } from 'vitest'
import { readMultiHop, type HopExam, type HopQuestion } from '../../bench/graph/multi-hop.js'
import { line } from '../../bench/recall/exam.js'
import { termCounts } from '../../src/encoding/tokens.js'

const exams = await readMultiHop()
const all = exams.flatMap((exam) => exam.written.map((question) => ({ exam, question })))
const linked = all.filter(({ question }) => question.kind !== 'order')

const says = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase())
const linesOf = ({ observations }: HopExam) => observations.map(line)
const about = ({ id }: HopQuestion) => `question ${id}`

/** How many index terms a turn has in common with a question. */
function shared(question: string, turn: string): number {
  const terms = termCounts(turn)
  return [...termCounts(question).keys()].filter((term) => terms.has(term)).length
}

describe('the multi-hop set', () => {
  it('is 60 questions about three memories of 200 turns, 15 of them of order in time', () => {
    expect(exams.map(({ observations }) => observations.length)).toEqual([200, 200, 200])
    expect(exams.map(({ written }) => written.length)).toEqual([20, 20, 20])
    expect(all).toHaveLength(linked.length + 15)
    expect(new Set(all.map(({ question }) => question.id)).size).toBe(60)
  })

  it('has several speakers, and sessions of turns that follow each other in time', () => {
    for (const { observations } of exams) {
      const times = observations.map(({ at }) => Date.parse(String(at)))
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(new Set(observations.map(({ session }) => session)).size).toBeGreaterThanOrEqual(10)
      expect(new Set(observations.map(({ speaker }) => speaker)).size).toBeGreaterThanOrEqual(2)
    }
  })

  it('names turns that are there, each once, and the answer in one of them', () => {
    for (const { exam, question } of all) {
      const lines = linesOf(exam)
      expect(new Set(question.gold).size, about(question)).toBe(question.gold.length)
      for (const index of question.gold) expect(lines[index], about(question)).toBeTypeOf('string')
      const holders = question.gold.filter((index) => says(lines[index], question.answer))
      expect(holders.length, about(question)).toBeGreaterThanOrEqual(1)
      expect(says(question.question, question.answer), about(question)).toBe(false)
    }
  })

  it('needs every turn of the gold: each leads to the next by a name, and no shorter way has the same names', () => {
    for (const { exam, question } of linked) {
      const lines = linesOf(exam)
      const { gold, through, kind } = question
      expect(gold.length, about(question)).toBe(kind === 'two' ? 2 : 3)
      expect(through.length, about(question)).toBe(gold.length - 1)
      gold.forEach((index, i) => {
        const named = through.map((name) => says(lines[index], name))
        expect(named, about(question)).toEqual(through.map((_, j) => j === i - 1 || j === i))
      })
      const holders = gold.filter((index) => says(lines[index], question.answer))
      expect(holders, about(question)).toEqual([gold[gold.length - 1]])
    }
  })

  it('does not name in a question what leads from turn to turn', () => {
    for (const { question } of linked)
      for (const name of question.through) expect(says(question.question, name), about(question)).toBe(false)
  })

  it('has turns that share more words with a question than the turn with its answer', () => {
    for (const { exam, question } of linked) {
      const counts = linesOf(exam).map((turn) => shared(question.question, turn))
      const answer = counts[question.gold[question.gold.length - 1]]
      const nearer = counts.filter((count, index) => count > answer && !question.gold.includes(index))
      expect(nearer.length, about(question)).toBeGreaterThanOrEqual(2)
    }
  })
})
