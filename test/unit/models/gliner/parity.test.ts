import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choose, type LabelledSpan, spansAbove } from '../../../../src/models/gliner/decode.js'
import { GlinerModel, readConfig } from '../../../../src/models/gliner/model.js'
import { splitWords } from '../../../../src/models/gliner/words.js'

/** What the Python package made of a text: see tools/gliner/make-fixtures.py. */
interface Golden {
  readonly text: string
  readonly labels: readonly string[]
  readonly threshold: number
  readonly words: readonly (readonly [word: string, from: number, to: number])[]
  readonly tensors: Readonly<Record<string, { readonly dims: number[]; readonly data: number[] }>>
  readonly logits: { readonly dims: number[]; readonly data: number[] }
  readonly spans: Readonly<
    Record<'flat' | 'nested' | 'multi' | 'mean', [from: number, to: number, label: string, score: number][]>
  >
}

const bytes = (file: string) => readFileSync(fileURLToPath(new URL(`fixtures/${file}`, import.meta.url)))
const CHOICES = { flat: {}, nested: { overlap: 'nested' }, multi: { multiLabel: true }, mean: {} } as const

describe.each([
  ['span', 'model.onnx', ['flat', 'nested', 'multi']],
  ['token', 'model.onnx', ['flat', 'nested', 'multi']],
  ['token', 'model-leading.onnx', ['mean']],
] as const)('a model of %s, %s', (kind, file, answers) => {
  const golden = JSON.parse(bytes(`${kind}/golden.json`).toString()) as Golden[]
  let model: GlinerModel
  beforeAll(async () => {
    const config = readConfig(bytes(`${kind}/gliner_config.json`))
    model = await GlinerModel.load(bytes(`${kind}/${file}`), bytes(`${kind}/tokenizer.json`), config)
  })
  afterAll(() => model.close())

  test('cuts texts into the words of the Python package', () => {
    for (const { text, words } of golden)
      expect(model.words(text).map((word) => [word.text, word.from, word.to])).toEqual(words)
  })

  // The package has the words past the end of the text in spans that are masked; here these are (0, 0).
  test('makes the tensors of the Python package, masked spans aside', () => {
    for (const { text, labels, tensors } of golden) {
      const words = model.words(text).slice(0, model.config.maxWords)
      const made = Object.entries(model.inputs(words, labels)).map(([name, { dims, data }]) => {
        return [name, { dims, data: Array.from(data as Iterable<bigint | number>, Number) }]
      })
      expect(Object.fromEntries(made)).toEqual(withoutMasked(tensors))
    }
  })

  test('gives the logits of the Python package', async () => {
    for (const { text, labels, logits } of golden) {
      const words = model.words(text).slice(0, model.config.maxWords)
      const made = await model.logits(words, labels)
      const { data, dims } = inOrder(made.logits)
      expect(dims).toEqual(logits.dims)
      for (const [i, value] of data.entries()) expect(Math.abs(value - logits.data[i])).toBeLessThan(1e-3)
    }
  })

  test('decodes the spans of the Python package', async () => {
    for (const { text, labels, threshold, words, spans } of golden) {
      const part = model.words(text).slice(0, model.config.maxWords)
      const { logits, layout } = await model.logits(part, labels)
      for (const answer of answers) {
        const found = choose(spansAbove(logits, layout, part.length, threshold), CHOICES[answer])
        const made = found.map(({ first, last, label }) => [words[first][1], words[last][2], labels[label]])
        expect(made).toEqual(spans[answer].map(([from, to, label]) => [from, to, label]))
        for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(spans[answer][i][3], 3)
      }
    }
  })

  test('finds mentions whose offsets slice the text', async () => {
    for (const { text, labels } of golden)
      for (const { from, to, label } of await model.mentions(text, labels, { threshold: 0.5 })) {
        expect(text.slice(from, to).trim()).toBe(text.slice(from, to))
        expect(labels).toContain(label)
      }
  })
})

/** Tensors with (0, 0) for each span that is masked. */
function withoutMasked(tensors: Golden['tensors']): Golden['tensors'] {
  const { span_idx: index, span_mask: mask } = tensors
  if (index === undefined) return tensors
  return { ...tensors, span_idx: { ...index, data: index.data.map((word, i) => word * mask.data[i >> 1]) } }
}

/** Logits in the order of the newer layout. */
function inOrder({ data, dims }: { readonly data: Float32Array; readonly dims: readonly number[] }) {
  if (dims[0] !== 3) return { data: [...data], dims }
  const [parts, , words, labels] = dims
  const ordered: number[] = []
  for (let at = 0; at < words * labels; at++)
    for (let part = 0; part < parts; part++) ordered.push(data[part * words * labels + at])
  return { data: ordered, dims: [1, words, labels, 3] }
}

describe('words', () => {
  const words = (text: string) => splitWords(text).map((word) => word.text)

  test.each([
    ['José Škoda-Auto 😀 東京', ['José', 'Škoda-Auto', '😀', '東京']],
    ['x_y-z--w', ['x_y-z', '-', '-', 'w']],
    ['नमस्ते', ['नमस', '्', 'त', 'े']],
    ['a\u200bb', ['a', '\u200b', 'b']],
    ['a\u0085b', ['a', 'b']],
    ['a\ufeffb', ['a', '\ufeff', 'b']],
    ['', []],
    ['  \n', []],
  ])('%j is cut into %j', (text, expected) => expect(words(text)).toEqual(expected))

  test('offsets slice the text', () => {
    const text = '😀 José wrote: "x_y" — twice!'
    for (const { text: word, from, to } of splitWords(text)) expect(text.slice(from, to)).toBe(word)
  })
})

describe('decoding', () => {
  const logit = (score: number) => Math.log(score / (1 - score))
  /** Logits of a span model of so many words, widths and labels. */
  const spanLogits = (words: number, widths: number, labels: number, scores: Record<string, number>) => {
    const data = new Float32Array(words * widths * labels).fill(-9)
    for (const [place, score] of Object.entries(scores)) {
      const [first, width, label] = place.split(' ').map(Number)
      data[(first * widths + width) * labels + label] = logit(score)
    }
    return { data, dims: [1, words, widths, labels] }
  }
  const bare = (spans: readonly LabelledSpan[]) => spans.map(({ first, last, label }) => [first, last, label])

  test('a score at the threshold does not count, one above it does', () => {
    const logits = spanLogits(2, 1, 1, { '0 0 0': 0.5, '1 0 0': 0.51 })
    expect(bare(spansAbove(logits, 'span', 2, 0.5))).toEqual([[1, 1, 0]])
  })

  test('a span of the greatest width counts, and the last word, and none past the end', () => {
    const logits = spanLogits(12, 12, 1, { '0 11 0': 0.9, '11 0 0': 0.9, '11 1 0': 0.9, '5 8 0': 0.9 })
    expect(bare(spansAbove(logits, 'span', 12, 0.5))).toEqual([
      [0, 11, 0],
      [11, 11, 0],
    ])
  })

  test('of equal scores the earlier is taken, and spans that share a word are not', () => {
    const logits = spanLogits(3, 2, 2, { '0 1 1': 0.8, '1 1 0': 0.8, '2 0 0': 0.7 })
    const found = spansAbove(logits, 'span', 3, 0.5)
    expect(bare(choose(found, {}))).toEqual([
      [0, 1, 1],
      [2, 2, 0],
    ])
  })

  test('nested spans are kept where they may nest, and spans that cross are not', () => {
    const found = spansAbove(spanLogits(4, 4, 1, { '0 2 0': 0.9, '1 0 0': 0.8, '2 1 0': 0.7 }), 'span', 4, 0.5)
    expect(bare(choose(found, { overlap: 'nested' }))).toEqual([
      [0, 2, 0],
      [1, 1, 0],
    ])
    expect(bare(choose(found, {}))).toEqual([[0, 2, 0]])
  })

  test('the same words have several labels only where they may', () => {
    const found = spansAbove(spanLogits(2, 2, 2, { '0 1 0': 0.9, '0 1 1': 0.8 }), 'span', 2, 0.5)
    expect(bare(choose(found, {}))).toEqual([[0, 1, 0]])
    expect(bare(choose(found, { multiLabel: true }))).toEqual([
      [0, 1, 0],
      [0, 1, 1],
    ])
  })
})
