import { Agidb } from 'agidb'
import { sentenceEncoder, type EncoderOptions } from 'agidb/onnx'

export interface Encoded {
  readonly id: string
  readonly latents: readonly number[][]
  readonly encoded: number
  readonly sentence: string | undefined
}

/** Encodes texts in a thread of the encoder's own, and remembers them with it. */
export async function encode(texts: readonly string[], options: EncoderOptions): Promise<Encoded> {
  const encoder = await sentenceEncoder({ ...options, cueMs: 60_000 })
  const latents = (await encoder.encode(texts)).map((latent) => [...latent])
  const db: Agidb = await new Promise<Agidb>((resolve, reject) => {
    const onEncoded = ({ done }: { done: number }) => done === texts.length && resolve(opening)
    const opening = Agidb.open({ storage: 'memory', encoder, onEncoded, extract: 'none' })
    opening.then((db) => db.observeMany(texts.map((text) => ({ text })))).catch(reject)
  })
  const { attentionTrace } = await db.recall('an explosion', { traceAttention: true })
  const { encoded } = (await db.stats()).encoder!
  await db.close()
  await encoder.close()
  return { id: encoder.id, latents, encoded, sentence: attentionTrace?.sentence }
}
