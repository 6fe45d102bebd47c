import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bams,
  calibratedSurprise,
  combinedSurprise,
  compare,
  type Comparison,
  type Dissimilarities,
  dissimilarities,
  dissimilaritiesIn,
  fitSurpriseWeights,
  noiseCeiling,
  patternsOf,
  toMarkdown,
  toSvg,
} from '../../../src/bams/index.js'
import { pairAt } from '../../../src/bams/dissimilarities.js'
import { Random } from '../../../src/bams/random.js'
import { runs } from '../../runs.js'

const COMPARISONS: readonly Comparison[] = ['spearman', 'tau-a', 'tau-b', 'pearson', 'cosine']

/** Patterns of a seed, of so many stimuli and 7 units, near to those of another seed as far as `near` says. */
function patterns(seed: number, stimuli: number, near?: number): number[][] {
  const random = new Random(seed)
  const base = near === undefined ? undefined : patterns(near, stimuli)
  return Array.from({ length: stimuli }, (_, i) =>
    Array.from({ length: 7 }, (_, j) => random.below(1_000) / 500 - 1 + (base?.[i]![j] ?? 0)),
  )
}

const matrix = (seed: number, stimuli: number, near?: number): Dissimilarities =>
  dissimilarities(patternsOf(patterns(seed, stimuli, near)), 'correlation')

function reordered({ stimuli, values }: Dissimilarities, order: Uint32Array): Dissimilarities {
  const result = new Float64Array(values.length)
  for (let i = 0, at = 0; i < stimuli; i++)
    for (let j = i + 1; j < stimuli; j++) result[at++] = values[pairAt(order[i]!, order[j]!, stimuli)]!
  return { stimuli, values: result }
}

const scaled = ({ stimuli, values }: Dissimilarities, by: number, more = 0): Dissimilarities => ({
  stimuli,
  values: values.map((value) => value * by + more),
})

const seeds = fc.tuple(fc.nat(2 ** 31), fc.nat(2 ** 31), fc.integer({ min: 4, max: 12 }))

describe('Comparisons', () => {
  it('do not change when the stimuli of both are ordered in another way', () => {
    fc.assert(
      fc.property(seeds, ([a, b, stimuli]) => {
        const order = new Uint32Array(stimuli)
        new Random(a ^ b).shuffle(order)
        const [first, second] = [matrix(a, stimuli), matrix(b, stimuli)]
        for (const comparison of COMPARISONS) {
          const found = compare(reordered(first, order), reordered(second, order), comparison)
          expect(found).toBeCloseTo(compare(first, second, comparison), 12)
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('do not change when one is scaled, nor, but for the cosine, when something is added; and are symmetric', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: -8, max: 8 }), ([a, b, stimuli], exponent) => {
        const [first, second] = [matrix(a, stimuli), matrix(b, stimuli)]
        for (const comparison of COMPARISONS) {
          const found = compare(first, second, comparison)
          expect(compare(scaled(first, 2 ** exponent), second, comparison)).toBeCloseTo(found, 12)
          if (comparison !== 'cosine') expect(compare(scaled(first, 1, 4), second, comparison)).toBeCloseTo(found, 9)
          expect(compare(second, first, comparison)).toBeCloseTo(found, 12)
          expect(compare(first, first, comparison)).toBeCloseTo(1, 12)
          expect(Math.abs(found)).toBeLessThanOrEqual(1 + 1e-12)
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('of order do not change under anything that keeps the order', () => {
    const [a, b] = [matrix(1, 9), matrix(2, 9)]
    const bent = { stimuli: 9, values: a.values.map((value) => Math.exp(3 * value)) }
    for (const comparison of ['spearman', 'tau-a', 'tau-b'] as const) {
      expect(compare(bent, b, comparison)).toBe(compare(a, b, comparison))
    }
  })

  it('by Kendall count pairs as the definition does, with ties', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 6, maxLength: 6 }), (pairs) => {
        const [a, b] = [0, 1].map((side) => ({ stimuli: 4, values: Float64Array.from(pairs, (pair) => pair[side]!) }))
        fc.pre([a!, b!].every(({ values }) => new Set(values).size > 1))
        let sum = 0
        for (let i = 0; i < 6; i++)
          for (let j = i + 1; j < 6; j++)
            sum += Math.sign(a!.values[i]! - a!.values[j]!) * Math.sign(b!.values[i]! - b!.values[j]!)
        expect(compare(a!, b!, 'tau-a')).toBeCloseTo(sum / 15, 12)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('Dissimilarities', () => {
  it('do not change by scaling patterns, however large or small they are', () => {
    const rows = patterns(3, 6)
    for (const measure of ['correlation', 'cosine'] as const) {
      const plain = dissimilarities(patternsOf(rows), measure).values
      for (const by of [1e-150, 1e150]) {
        const found = dissimilarities(patternsOf(rows.map((row) => row.map((value) => value * by))), measure).values
        found.forEach((value, i) => expect(value).toBeCloseTo(plain[i]!, 12))
      }
    }
  })

  it('come back from a square matrix, which must be symmetric with a diagonal of zeros', () => {
    const one = matrix(4, 5)
    const square = Array.from({ length: 5 }, (_, i) =>
      Array.from({ length: 5 }, (_, j) => (i === j ? 0 : one.values[pairAt(i, j, 5)]!)),
    )
    expect(dissimilaritiesIn(patternsOf(square))).toEqual(one)
    expect(() => dissimilaritiesIn(patternsOf(square.slice(1)))).toThrow(/as many/)
    square[1]![2]! += 1
    expect(() => dissimilaritiesIn(patternsOf(square))).toThrow(/across the diagonal/)
    square[1]![2]! -= 1
    square[0]![0] = 1
    expect(() => dissimilaritiesIn(patternsOf(square))).toThrow(/diagonal/)
  })

  it('are refused where a pattern has no direction or there are too few stimuli', () => {
    expect(() =>
      dissimilarities(
        patternsOf([
          [1, 1],
          [1, 2],
          [2, 1],
          [3, 1],
        ]),
        'correlation',
      ),
    ).toThrow(/stimulus 0/)
    expect(() => dissimilarities(patternsOf([[1], [2], [3]]), 'euclidean')).toThrow(/at least 4/)
    expect(() => patternsOf([[1, 2], [1]])).toThrow(/row 1/)
    expect(() => compare(matrix(1, 5), matrix(2, 6), 'spearman')).toThrow(/expected 5/)
    expect(() => compare(matrix(1, 5), scaled(matrix(2, 5), 0), 'spearman')).toThrow(/nothing to compare/)
  })
})

describe('A report', () => {
  const regions = [
    { name: 'auditory', subjects: [11, 12, 13].map((seed) => matrix(seed, 12, 1)) },
    { name: 'visual', subjects: [21, 22, 23].map((seed) => matrix(seed, 12, 2)) },
    { name: 'noise', subjects: [matrix(31, 12), scaled(matrix(31, 12), -1, 3)] },
  ]
  const input = { components: { audio: matrix(1, 12), image: matrix(2, 12) }, regions }
  const options = { permutations: 199, bootstraps: 100, seed: 7 }
  const report = bams(input, options)

  it('attributes each region to the component that it follows', () => {
    const [auditory, visual] = report.regions.map(({ attribution }) => attribution.components)
    expect(auditory![0]!.unique).toBeGreaterThan(5 * auditory![1]!.unique)
    expect(visual![1]!.unique).toBeGreaterThan(5 * visual![0]!.unique)
    expect(auditory![0]!.p).toBeLessThan(0.05)
    expect(auditory![1]!.p).toBeGreaterThan(0.05)
  })

  it('scores regions whose subjects agree, and no others', () => {
    const [auditory, visual, noise] = report.regions
    expect(noise).toMatchObject({ reliable: false })
    expect(noise!.normalized).toBeUndefined()
    expect(report.score).toBeCloseTo((auditory!.normalized! + visual!.normalized!) / 2, 12)
    expect(bams({ ...input, regions: [regions[2]!] }, options).score).toBeUndefined()
    expect(bams({ ...input, regions: [{ name: 'one', subjects: [matrix(1, 12)] }] }, options).score).toBeUndefined()
  })

  it('gives a memory that is the mean of the subjects the upper bound, thus a share of 1', () => {
    const { subjects } = regions[0]!
    const total = subjects.map(({ values }) => values).reduce((a, b) => a.map((value, i) => value + b[i]!))
    const whole = { stimuli: 12, values: total }
    const found = bams({ components: { whole }, regions: [regions[0]!] }, { ...options, comparison: 'pearson' })
    expect(found.score).toBeGreaterThan(0.99)
    expect(found.score).toBeLessThanOrEqual(1 + 1e-12)
  })

  it('is the same for the same seed, and differs in nothing but chance for another', () => {
    expect(bams(input, options)).toEqual(report)
    const other = bams(input, { ...options, seed: 8 })
    expect(other.regions[0]!.similarity).toBe(report.regions[0]!.similarity)
    expect(other.regions[0]!.interval).not.toEqual(report.regions[0]!.interval)
  })

  it('of the fewest stimuli counts only draws that could be compared', () => {
    const same = matrix(41, 4)
    const { interval } = bams({ components: { same }, regions: [{ name: 'A', subjects: [same] }] }, options).regions[0]!
    expect(interval.low).toBeCloseTo(1, 12)
    expect(interval.error).toBeCloseTo(0, 12)
    expect(interval.resamples).toBe(100)
  })

  it('has an interval about the similarity and probabilities that Holm corrected', () => {
    for (const { similarity, interval, test, corrected } of report.regions.slice(0, 2)) {
      expect(interval.low).toBeLessThan(similarity)
      expect(interval.high).toBeGreaterThan(similarity)
      expect(corrected).toBeGreaterThanOrEqual(test.p)
    }
    const sorted = report.regions.map(({ test }) => test.p).sort((a, b) => a - b)
    expect(Math.min(...report.regions.map(({ corrected }) => corrected))).toBeCloseTo(Math.min(1, 3 * sorted[0]!), 12)
  })

  it('finds a region as rarely significant as the level says, where nothing is related', () => {
    let found = 0
    for (let seed = 0; seed < 200; seed++) {
      const region = { name: 'A', subjects: [matrix(1_000 + seed, 6)] }
      const [only] = bams(
        { components: { a: matrix(seed, 6) }, regions: [region] },
        { permutations: 99, bootstraps: 1, seed },
      ).regions
      if (only!.test.p <= 0.05) found++
    }
    // 0.05 of 200 is 10; over 23 would be less likely than one in ten thousand.
    expect(found).toBeLessThan(24)
  })

  it('does not attribute twice what two components say alike', () => {
    const copy = { ...input, components: { audio: matrix(1, 12), again: matrix(1, 12) } }
    const { attribution } = bams(copy, options).regions[0]!
    expect(attribution.components.map(({ unique }) => unique)).toEqual([0, 0])
    expect(attribution.shared).toBeCloseTo(attribution.total, 12)
  })

  it('is shown as Markdown and as a picture in which names stay text', () => {
    const hostile = bams(
      {
        components: { '<script>|': matrix(1, 12) },
        regions: [{ name: 'a|b\n<img onerror="x">\u0000', subjects: regions[0]!.subjects }],
      },
      options,
    )
    const markdown = toMarkdown(hostile)
    expect(markdown).toContain('a\\|b \\<img onerror="x"\\>')
    const table = markdown.split('\n').filter((line) => line.startsWith('| a'))
    expect(table.map((line) => line.replaceAll('\\|', '').split('|').length)).toEqual([10, 6])
    const svg = toSvg(hostile)
    expect(svg).not.toMatch(/<script|<img|\u0000|NaN/)
    expect(toSvg(report).match(/<rect/g)!.length).toBeGreaterThan(9)
    expect(toSvg(report)).not.toContain('NaN')
  })

  it('refuses what cannot be compared', () => {
    expect(() => bams({ components: {}, regions })).toThrow(/no component/)
    expect(() => bams({ ...input, regions: [] })).toThrow(/no region/)
    expect(() => bams({ ...input, regions: [regions[0]!, regions[0]!] })).toThrow(/two regions/)
    expect(() => bams({ ...input, regions: [{ name: 'A', subjects: [] }] })).toThrow(/at least one/)
    expect(() => bams({ ...input, regions: [{ name: 'A', subjects: [matrix(1, 5)] }] })).toThrow(/12/)
    expect(() => bams(input, { permutations: 0 })).toThrow(/permutations/)
    expect(() => bams(input, { comparision: 'cosine' } as never)).toThrow(/comparision/)
    expect(() => noiseCeiling([matrix(1, 5)], 'cosine')).toThrow(/at least 2/)
  })
})

describe('Surprise of several modalities', () => {
  const random = new Random(5)
  const samples = Array.from({ length: 200 }, () => {
    const [text, image] = [random.below(1_001) / 1_000, random.below(1_001) / 1_000]
    return { surprise: { text, image }, external: 5 + 3 * text + image + random.below(100) / 1_000 }
  })

  it('gets the weights by which an external measure was made', () => {
    const { weights } = fitSurpriseWeights(samples)
    expect(weights.text).toBeCloseTo(0.75, 1)
    expect(weights.text! + weights.image!).toBeCloseTo(1, 12)
  })

  it('ignores a modality that tells nothing or the opposite', () => {
    const opposite = samples.map(({ surprise }) => ({ surprise, external: surprise.text - surprise.image }))
    expect(fitSurpriseWeights(opposite).weights).toEqual({ text: 1, image: 0 })
  })

  it('does not count what is absent', () => {
    expect(combinedSurprise({ text: 0.4 }, { text: 0.75, image: 0.25 })).toBeCloseTo(0.4, 12)
    expect(combinedSurprise({ text: 1, image: 0 }, { text: 0.75, image: 0.25 })).toBeCloseTo(0.75, 12)
    expect(() => combinedSurprise({ audio: 1 }, { text: 1 })).toThrow(/no modality/)
  })

  it('is refused with its name where it is no object, and so is a sample that is missing', () => {
    const refused = expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' })
    for (const wrong of [null, undefined, 1, 'text', []] as never[]) {
      expect(() => combinedSurprise(wrong, { text: 1 })).toThrow(refused)
      expect(() => combinedSurprise({ text: 1 }, wrong)).toThrow(refused)
      expect(() => fitSurpriseWeights([...samples, wrong])).toThrow(refused)
    }
    const sparse = [...samples]
    delete sparse[40]
    expect(() => fitSurpriseWeights(sparse)).toThrow(refused)
  })

  it('is put on the scale of a profile', () => {
    const profile = { surprise: [0.25, 0.75], expected: [0, 1], threshold: 0.5 }
    expect([0, 0.5, 1].map((surprise) => calibratedSurprise(profile, surprise))).toEqual([0, 0.5, 1])
    expect(() => calibratedSurprise(profile, 2)).toThrow(/surprise/)
    expect(() => calibratedSurprise({} as never, 0.5)).toThrow(/profile/)
    expect(() => fitSurpriseWeights(samples.slice(1, 9))).toThrow(/at least 20/)
  })
})
