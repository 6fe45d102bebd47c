import type { Agidb, Encoder, OpenOptions } from 'agidb'

/** An encoder that is never asked, since latents are given: of so many numbers. */
const encoderOf = <Modality extends string>(modality: Modality, dimension: number): Encoder<Modality> => ({
  modality,
  id: 'b1'.repeat(32),
  dimension,
  encode: () => Promise.reject(new Error('not asked')),
  close: async () => {},
})

const dimensions = { image: 1_280, audio: 192, video: 32, touch: 5 }

/** What a memory is opened with for {@link perceivedBits}. */
export const PERCEIVING: OpenOptions = {
  seed: 7,
  extract: 'none',
  encoders: {
    image: encoderOf('image', dimensions.image),
    audio: encoderOf('audio', dimensions.audio),
    video: encoderOf('video', dimensions.video),
    touch: encoderOf('touch', dimensions.touch),
  },
}

/**
 * The signatures that an empty memory makes of latents, as hexadecimal digits by sense: the same on every runtime, to
 * the bit. Closes it.
 */
export async function perceivedBits(db: Agidb): Promise<Record<string, string>> {
  const latents = Object.fromEntries(
    Object.entries(dimensions).map(([sense, length]) => {
      // Whole numbers and halves alone, which every engine has alike.
      return [sense, Float32Array.from({ length }, (_, i) => ((i * 2_654_435_761 + length) % 1_000_003) / 2 - 250_000)]
    }),
  )
  const id = await db.observeMultimodal({ text: 'all of it', latents })
  const bits: Record<string, string> = {}
  for (const sense of Object.keys(dimensions)) {
    const signature = await db.extractModalitySignature(id, sense)
    bits[sense] = Array.from(signature!, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  await db.close()
  return bits
}
