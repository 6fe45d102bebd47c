import { describe, expect, it } from 'vitest'
import { reliabilityDiagram } from '../../bench/recall/diagram.js'
import { sit, type Contender, type Exam, type Hit } from '../../bench/recall/exam.js'
import { calibrationError, doubt, metrics, reliability } from '../../bench/recall/metrics.js'
import { readLocomo, readWithQuestions } from '../../bench/recall/locomo.js'
import { report } from '../../bench/recall/report.js'
import { withForeign } from '../../bench/recall/unanswerable.js'

const exam = (name: string, questions: Exam['questions'], unanswerable: Exam['unanswerable'] = []): Exam => ({
  name,
  observations: [{ text: 'zero' }, { text: 'one' }, { text: 'two' }],
  questions,
  unanswerable,
})
const question = (cue: string, gold: number[], kind = 'what') => ({ cue, gold, kind })

/** Answers each cue with the hits given for it. */
function answering(hits: Record<string, readonly Hit[]>): Contender {
  return {
    name: 'test',
    fill: async () => ({ rank: async (cue, k) => (hits[cue] ?? []).slice(0, k), close: async () => {} }),
  }
}

describe('the retrieval bench', () => {
  it('measures recall by the share of the gold and rank by its first', async () => {
    const hits = { a: [2, 0, 1].map((index) => ({ index, score: 1 - index / 10 })), b: [] }
    const results = await sit(answering(hits), exam('one', [question('a', [0, 1]), question('b', [2])]))
    const figures = metrics(results)
    expect(results[0].ranks).toEqual([1, 2])
    expect(figures['R@5']).toBe(0.5)
    expect(figures.MRR).toBe(0.25)
    expect(figures).not.toHaveProperty('ECE')
  })

  it('asks the questions of another folder instead, where it has a file of the same name', async () => {
    const folder = 'bench/data/varied-conversations'
    const exams = await readWithQuestions([folder], 'bench/data/rephrased-questions')
    const own = await readLocomo(folder)
    expect(exams.map(({ name }) => name)).toEqual(own.map(({ name }) => name))
    for (const [i, { observations, questions }] of exams.entries()) {
      expect(observations).toEqual(own[i].observations)
      expect(questions.length).toBeGreaterThan(70)
      const cues = new Set(own[i].questions.map(({ cue }) => cue))
      expect(questions.filter(({ cue }) => cues.has(cue))).toEqual([])
    }
    await expect(readWithQuestions([folder], 'bench/data/more-conversations')).rejects.toThrow(/no file in/)
  })

  it('measures calibration over the first ten', async () => {
    const hits = {
      a: [
        { index: 0, score: 0.9, confidence: 0.9 },
        { index: 1, score: 0.1, confidence: 0.1 },
      ],
      b: [{ index: 1, score: 0.9, confidence: 0.9 }],
    }
    const bins = reliability(await sit(answering(hits), exam('one', [question('a', [0]), question('b', [2])])))
    expect(bins[9]).toEqual({ count: 2, confidence: 0.9, right: 0.5 })
    expect(calibrationError(bins)).toBeCloseTo((2 * 0.4 + 0.1) / 3)
    const svg = reliabilityDiagram(bins, 'One & "two"', 0.3)
    expect(svg.match(/class="bar"/g)).toHaveLength(2)
    expect(svg).toContain('One &amp; &quot;two&quot;')
    expect(svg).not.toContain('NaN')
  })

  it('asks each conversation the questions of the next, which count for the doubt alone', async () => {
    const exams = withForeign([
      exam('one', [question('a', [0])], [question('n', [], 'none')]),
      exam('two', [question('b', [1])]),
    ])
    expect(exams.map(({ unanswerable }) => unanswerable.map(({ cue, gold }) => [cue, ...gold]))).toEqual([
      [['n'], ['b']],
      [['a']],
    ])
    const hit = (confidence: number, lowConfidence: boolean): Hit[] => [
      { index: 0, score: confidence, confidence, lowConfidence },
    ]
    const contender = answering({ a: hit(0.8, false), b: hit(0.3, true), n: hit(0.1, true) })
    const all = report(new Map([[exams[0], await sit(contender, exams[0])]]))
    expect(all.metrics.questions).toBe(1)
    expect(Object.keys(all.byKind)).toEqual(['what'])
    // Confidences of .8, .3 and .1, of which the first is right: (.2 + .3 + .1) / 3.
    const ECEOfAll = expect.closeTo(0.2, 9) as number
    expect(all.doubt).toEqual({
      answerable: 1,
      unanswerable: 2,
      AUROC: 1,
      answerableLow: 0,
      unanswerableLow: 1,
      ECEOfAll,
    })
  })

  it('counts a tie of answerable and unanswerable as half', async () => {
    const same = [{ index: 0, score: 0.5, confidence: 0.5, lowConfidence: false }]
    const results = await sit(answering({ a: same, b: same }), exam('one', [question('a', [0])], [question('b', [])]))
    expect(doubt(results).AUROC).toBe(0.5)
  })
})
