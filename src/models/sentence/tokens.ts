/** What tokens are read with; that of `@huggingface/tokenizers`, and that of `@huggingface/transformers`. */
export type Encode = (text: string, options: { readonly add_special_tokens: boolean }) => number[]

/** The tokens of a text, its marks of beginning and end included, cut to what the model takes. */
export function tokensOf(encode: Encode, text: string, most: number): number[] {
  const ids = encode(text, { add_special_tokens: true })
  if (ids.length <= most) return ids
  const bare = encode(text, { add_special_tokens: false })
  const marks = ids.length - bare.length
  const before = Math.max(
    0,
    ids.findIndex((_, at) => at + bare.length <= ids.length && bare.every((id, i) => ids[at + i] === id)),
  )
  return [...ids.slice(0, before + most - marks), ...ids.slice(before + bare.length)]
}
