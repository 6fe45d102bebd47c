import { dualEncoder, type Pixels, sentenceEncoder } from 'agidb/transformers'

/** What encoders over transformers.js make of texts and a picture, each in a thread of its own. */
export interface Towers {
  readonly device: string
  readonly texts: readonly number[][]
  readonly words: readonly number[]
  readonly picture: readonly number[]
}

/** Encodes texts by the model in a folder, and words and a picture by the two towers in another. Nothing is closed. */
export async function towers(
  sentences: string,
  clip: string,
  texts: readonly string[],
  picture: Pixels,
): Promise<Towers> {
  const encoder = await sentenceEncoder({ model: sentences })
  const image = await dualEncoder({ model: clip, modality: 'image' })
  const [words] = await image.encodeText(['a red square'])
  const [seen] = await image.encode([picture])
  const latents = await encoder.encode(texts)
  return {
    device: encoder.device,
    texts: latents.map((latent) => [...latent]),
    words: [...words],
    picture: [...seen],
  }
}
