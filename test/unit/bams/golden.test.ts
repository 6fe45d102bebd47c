import { describe, expect, it } from 'vitest'
import { similarityOfDraw } from '../../../src/bams/bootstrap.js'
import {
  bams,
  compare,
  type Comparison,
  type Dissimilarities,
  dissimilarities,
  fitSurpriseWeights,
  noiseCeiling,
  patternsOf,
  signatureDissimilarities,
} from '../../../src/bams/index.js'
import { golden, type GoldenComparison } from './golden.js'

const TOLERANCE = 1e-6

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length)
  expect(Math.max(...Array.from(found, (value, i) => Math.abs(value - expected[i]!)))).toBeLessThan(TOLERANCE)
}

describe.each(golden.cases)('Beside rsatoolbox, of $stimuli stimuli,', (one) => {
  const matrix = (values: readonly number[]): Dissimilarities => ({
    stimuli: one.stimuli,
    values: Float64Array.from(values),
  })
  const model = matrix(one.model)
  const subjects = one.responses.map(matrix)
  const comparisons = Object.entries(one.comparisons) as [Comparison, GoldenComparison][]

  it('dissimilarities of patterns are the same', () => {
    for (const measure of ['correlation', 'cosine', 'euclidean'] as const) {
      expectClose(dissimilarities(patternsOf(one.patterns), measure).values, one.dissimilarities[measure])
    }
  })

  it.each(comparisons)('similarity and noise ceiling are the same by %s', (comparison, expected) => {
    const found = subjects.map((subject) => compare(model, subject, comparison))
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length
    const { lower, upper } = noiseCeiling(subjects, comparison)
    expectClose([mean, lower, upper], [expected.similarity, expected.ceiling.lower, expected.ceiling.upper])
  })

  it('a draw of stimuli leaves out pairs of a stimulus with itself', () => {
    for (const [comparison, { drawn }] of comparisons) {
      if (drawn === undefined) continue
      const responses = subjects.map(({ values }) => values)
      const found = similarityOfDraw(model.values, responses, Uint32Array.from(one.drawn), comparison)
      expectClose([found], [drawn])
    }
  })

  it('the report has the similarity, the ceiling and, of few stimuli, the exact probability', () => {
    for (const [comparison, expected] of comparisons) {
      const input = {
        components: { model, other: matrix(one.other) },
        whole: model,
        regions: [{ name: 'A', subjects }],
      }
      const [region] = bams(input, {
        comparison,
        permutations: expected.p === undefined ? 10 : 720,
        bootstraps: 5,
      }).regions
      expectClose([region!.similarity], [expected.similarity])
      expectClose([region!.ceiling!.lower, region!.ceiling!.upper], [expected.ceiling.lower, expected.ceiling.upper])
      expect(region!.test.exact).toBe(expected.p !== undefined)
      if (expected.p !== undefined) expectClose([region!.test.p], [expected.p])
    }
  })

  it('the variance that components explain is that of a regression by least squares', () => {
    const input = { components: { model, other: matrix(one.other) }, regions: [{ name: 'A', subjects }] }
    const { attribution } = bams(input, { permutations: 1, bootstraps: 1 }).regions[0]!
    expectClose([attribution.total], [one.attribution.total])
    expectClose(
      attribution.components.map(({ unique }) => unique),
      one.attribution.unique,
    )
    expectClose(
      attribution.components.map(({ alone }) => alone),
      one.attribution.alone,
    )
  })
})

it('the distance of signatures is the share of bits that differ, as in SciPy', () => {
  const signatures = golden.signatures.map((bytes) => Uint8Array.from(bytes))
  expectClose(signatureDissimilarities(signatures).values, golden.hamming)
})

it('weights of surprises are those of the least squares without negative weights, as in SciPy', () => {
  const samples = golden.surprises.map(([text, image, audio], i) => ({
    surprise: { text: text!, image: image!, audio: audio! },
    external: golden.external[i]!,
  }))
  const { weights, pairs } = fitSurpriseWeights(samples)
  const total = golden.weights.reduce((sum, weight) => sum + weight, 0)
  expectClose(
    [weights.text!, weights.image!, weights.audio!],
    golden.weights.map((weight) => weight / total),
  )
  expect(pairs).toHaveLength(samples.length)
})
