import { describe, expect, it } from 'vitest'
import type { Model } from '../../../src/api/ranker.js'
import { checkRanker } from '../../../src/recall/ranking/check.js'
import { Forest, logistic } from '../../../src/recall/ranking/forest.js'
import { BOOST, boost } from '../../../src/training/boost.js'
import { answered, difference, heldBack } from '../../../src/training/held-back.js'
import { trainModel, type Example } from '../../../src/training/train.js'
import { CANDIDATES, COLUMNS, numbers, planted } from './random.js'

/** Right is what has the one or the other, but not both: no weighted sum of the two tells. */
const EITHER = (words: number, text: number) => (words > 0.7 !== text > 0.7 ? 0.45 : 0.01)
const SETTINGS = { trees: 40 }

const firstRight = (examples: readonly Example[], all: readonly Float64Array[]) => {
  const able = examples
    .map((example, i) => ({ example, scores: all[i] }))
    .filter(({ example }) => example.right.includes(1))
  return able.reduce((sum, { example, scores }) => sum + answered(example, scores, 1).reciprocal, 0) / able.length
}
const scored = (model: Model, examples: readonly Example[]) => {
  const forest = new Forest('', model, COLUMNS)
  return examples.map(({ features, right }) => forest.scores(features, right.length))
}
/** Mean confidence of the first candidate of each question, and how often it is right. */
function firstConfidence(model: Model, examples: readonly Example[]) {
  const { inputs, weights, intercept } = model.calibration
  let confidence = 0
  let right = 0
  scored(model, examples).forEach((found, q) => {
    const best = found.indexOf(Math.max(...found))
    const special: Record<string, number> = { score: found[best], gap: 0, rank: 0 }
    confidence += logistic(
      intercept +
        inputs.reduce(
          (sum, name, i) =>
            sum + weights[i] * (special[name] ?? examples[q].features[best * COLUMNS.length + COLUMNS.indexOf(name)]),
          0,
        ),
    )
    right += examples[q].right[best]
  })
  return { confidence: confidence / examples.length, right: right / examples.length }
}

describe('trainModel', () => {
  const seen = planted(150, EITHER, 11)
  const unseen = planted(100, EITHER, 12)
  const model = trainModel(seen, { columns: COLUMNS, boost: SETTINGS })

  it('learns a rule that no weighted sum can tell, and uses it on questions that it has not seen', () => {
    const ideal = unseen.map(({ features }) =>
      Float64Array.from({ length: CANDIDATES }, (_, i) => EITHER(features[i * 4 + 1], features[i * 4 + 2])),
    )
    const summed = unseen.map(({ features }) =>
      Float64Array.from({ length: CANDIDATES }, (_, i) => features[i * 4 + 1] + features[i * 4 + 2]),
    )
    const [learned, best, sum] = [scored(model, unseen), ideal, summed].map((all) => firstRight(unseen, all))
    expect(learned).toBeGreaterThan(sum + 0.15)
    expect(learned).toBeGreaterThan(best - 0.1)
  })

  it('makes the same model of the same questions', () => {
    expect(JSON.stringify(trainModel(planted(150, EITHER, 11), { columns: COLUMNS, boost: SETTINGS }))).toBe(
      JSON.stringify(model),
    )
    const other = trainModel(seen, { columns: COLUMNS, boost: { ...SETTINGS, seed: 2 } })
    expect(JSON.stringify(other)).not.toBe(JSON.stringify(model))
  })

  it('makes what open accepts, before and after JSON', () => {
    const ranker = {
      format: 'agidb-ranker',
      version: 1,
      name: 'planted',
      trainedOn: 'a rule',
      licence: 'CC0-1.0',
      models: { plain: model },
    }
    expect(checkRanker(JSON.parse(JSON.stringify(ranker)), COLUMNS)).toEqual(ranker)
  })

  it('stands on the scale of the fusion: the best about 1.5 above the median', () => {
    const apart = scored(model, seen).map((found) => {
      const sorted = found.slice().sort()
      return sorted[CANDIDATES - 1] - sorted[CANDIDATES >> 1]
    })
    expect(apart.reduce((a, b) => a + b) / apart.length).toBeCloseTo(1.5, 1)
  })

  it('is as confident as it is right', () => {
    const { confidence, right } = firstConfidence(model, unseen)
    expect(Math.abs(confidence - right)).toBeLessThan(0.12)
  })

  it('is not confident of what it has only learned by heart', () => {
    const noise = planted(80, () => 0.1, 21)
    const fresh = planted(80, () => 0.1, 22)
    const settings = { columns: COLUMNS, boost: { ...SETTINGS, leafRows: 2, penalty: 0.1, rate: 0.2 } }
    const heldOut = firstConfidence(trainModel(noise, settings), fresh)
    const byHeart = firstConfidence(trainModel(noise, { ...settings, folds: 1 }), fresh)
    expect(heldOut.confidence).toBeLessThan(0.25)
    expect(byHeart.confidence).toBeGreaterThan(heldOut.confidence + 0.3)
  })
})

describe('boost', () => {
  const warped = (examples: readonly Example[]) =>
    examples.map(({ features, right, answerable }) => ({
      right,
      answerable,
      features: features.map((value, at) =>
        at % COLUMNS.length === 1 ? Math.exp(3 * value) : at % COLUMNS.length === 2 ? -1 / (value + 0.1) : value,
      ),
    }))
  const asModel = (trees: Model['trees']): Model => ({
    features: COLUMNS,
    trees,
    scale: 1,
    calibration: { inputs: [], weights: [], intercept: 0, answered: 0 },
  })

  it('ranks the same when a feature is measured on another scale', () => {
    const examples = planted(60, EITHER, 31)
    const straight = scored(asModel(boost(examples, COLUMNS.length, { ...BOOST, ...SETTINGS })), examples)
    const bent = warped(examples).map((question) => ({ ...question, group: '' }))
    const again = scored(asModel(boost(bent, COLUMNS.length, { ...BOOST, ...SETTINGS })), bent)
    expect(again).toEqual(straight)
    expect(new Set(straight[0]).size).toBeGreaterThan(5)
  })

  it('tells how far it is', () => {
    const seen: number[] = []
    boost(planted(10, EITHER, 1), COLUMNS.length, {
      ...BOOST,
      trees: 5,
      columns: 1,
      onProgress: ({ done, total }) => seen.push(done / total),
    })
    expect(seen).toEqual([0.2, 0.4, 0.6, 0.8, 1])
  })

  it('grows nothing where nothing is right', () => {
    expect(
      boost(
        planted(10, () => 0, 1),
        COLUMNS.length,
        BOOST,
      ),
    ).toEqual([])
  })
})

describe('heldBack', () => {
  it('scores each question by a model that has not seen its group', () => {
    // Learned by heart it would be perfect; of other groups there is nothing to learn.
    const noise = planted(40, () => 0.1, 41)
    const random = numbers(5)
    const guessed = firstRight(
      noise,
      noise.map(() => Float64Array.from({ length: CANDIDATES }, random)),
    )
    const shares: number[] = []
    const held = heldBack(noise, COLUMNS, 4, (share) => shares.push(share))
    expect(held).toHaveLength(40)
    expect(firstRight(noise, held)).toBeLessThan(guessed + 0.15)
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
  })

  it('measures recall over all answers, and the first rank', () => {
    const example = planted(1, () => 0, 1)[0]
    const right = Uint8Array.from({ length: CANDIDATES }, (_, i) => Number(i === 3 || i === 15))
    const falling = Float64Array.from({ length: CANDIDATES }, (_, i) => -i)
    expect(answered({ ...example, right }, falling, 4)).toEqual({ recall: 0.25, reciprocal: 0.25 })
    expect(answered(example, falling, 1)).toEqual({ recall: 0, reciprocal: 0 })
  })

  it('says how sure a difference is', () => {
    expect(difference([1, 1, 1], [0, 0, 0])).toEqual({ mean: 1, error: 0 })
    const { mean, error } = difference([1, 0, 1, 0], [0, 1, 0, 1])
    expect(mean).toBe(0)
    expect(error).toBeCloseTo(2 * Math.sqrt(4 / 3 / 4), 12)
  })
})
