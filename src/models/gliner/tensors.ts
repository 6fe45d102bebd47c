/** Turns words into tokens, without marks of beginning and end. */
export type Tokenize = (word: string) => readonly number[]

/** A tensor as ONNX takes it. */
export interface TensorData {
  readonly type: 'int64' | 'bool'
  readonly dims: readonly number[]
  readonly data: BigInt64Array | Uint8Array
}

/** What the tokenizer of a model puts around a text, and how it marks labels. */
export interface Marks {
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** The name of the token before each label: `<<ENT>>`. */
  readonly label: string
  /** The name of the token after the labels: `<<SEP>>`. */
  readonly separator: string
}

/**
 * The tokens of a prompt: each label after its mark, then the separator. The tokens of a label are those of one word.
 */
export function promptTokens(labels: readonly string[], marks: Marks, tokenize: Tokenize): number[] {
  const words = [...labels.flatMap((label) => [marks.label, label]), marks.separator]
  return words.flatMap((word) => [...tokenize(word)])
}

/**
 * The inputs of a model for one text.
 *
 * @param words the tokens of each word, at least one each.
 * @param maxWidth the most words of a span; absent for models that label tokens, which take no spans.
 */
export function tensors(
  prompt: readonly number[],
  words: readonly (readonly number[])[],
  { before, after }: Marks,
  maxWidth?: number,
): Record<string, TensorData> {
  const ids = [...before, ...prompt, ...words.flat(), ...after]
  const mask = new BigInt64Array(ids.length)
  let at = before.length + prompt.length
  for (const [i, { length }] of words.entries()) {
    mask[at] = BigInt(i + 1)
    at += length
  }
  const row = (data: BigInt64Array): TensorData => ({ type: 'int64', dims: [1, data.length], data })
  return {
    input_ids: row(BigInt64Array.from(ids, BigInt)),
    attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
    words_mask: row(mask),
    text_lengths: row(BigInt64Array.of(BigInt(words.length))),
    ...(maxWidth !== undefined && spans(words.length, maxWidth)),
  }
}

/** All spans by first word, then by width: first and last word. Those past the end are (0, 0), and masked. */
function spans(words: number, maxWidth: number): Record<string, TensorData> {
  const count = words * maxWidth
  const index = new BigInt64Array(2 * count)
  const mask = new Uint8Array(count)
  for (let first = 0; first < words; first++)
    for (let width = 0; width < maxWidth && first + width < words; width++) {
      const at = first * maxWidth + width
      index[2 * at] = BigInt(first)
      index[2 * at + 1] = BigInt(first + width)
      mask[at] = 1
    }
  return {
    span_idx: { type: 'int64', dims: [1, count, 2], data: index },
    span_mask: { type: 'bool', dims: [1, count], data: mask },
  }
}
