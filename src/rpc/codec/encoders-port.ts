import { expose, wrap } from 'comlink'
import type { Encoder, Encoders, Thumbnail } from '../../api/encoder.js'
import { type Outcome, outcome, valueOf } from '../../base/outcome.js'

/** What the engine knows of an encoder. */
interface SentEncoder extends Pick<Encoder<string>, 'modality' | 'id' | 'dimension'> {
  readonly makesThumbnails: boolean
  readonly takesTexts: boolean
}

/** The encoders of senses on their way from the page to the engine worker. */
export interface EncodersPort {
  readonly encoders: readonly SentEncoder[]
  /** Leads back to the page. */
  readonly port: MessagePort
}

/** What the page does for the engine. It throws nothing. */
interface Relay {
  encode(sense: string, inputs: readonly unknown[]): Promise<Outcome<Float32Array[]>>
  encodeText(sense: string, texts: readonly string[]): Promise<Outcome<Float32Array[]>>
  thumbnail(sense: string, input: unknown): Promise<Outcome<Thumbnail>>
}

/** The page's side: its encoders stay where they are and are asked through the port. */
export function sendEncoders(encoders: Encoders): EncodersPort {
  const { port1, port2 } = new MessageChannel()
  const relay: Relay = {
    encode: (sense, inputs) => outcome(() => encoders[sense]!.encode(inputs)),
    encodeText: (sense, texts) => outcome(() => encoders[sense]!.encodeText!(texts)),
    thumbnail: (sense, input) => outcome(() => encoders[sense]!.thumbnail!(input)),
  }
  expose(relay, port1)
  const given = Object.values(encoders).flatMap((encoder) => encoder ?? [])
  const sent = given.map((encoder): SentEncoder => {
    const { modality, id, dimension } = encoder
    const makesThumbnails = encoder.thumbnail !== undefined
    return { modality, id, dimension, makesThumbnails, takesTexts: encoder.encodeText !== undefined }
  })
  return { encoders: sent, port: port2 }
}

/** The engine's side. */
export function receiveEncoders({ encoders, port }: EncodersPort): Encoders {
  const relay = wrap<Relay>(port)
  const made = encoders.map(({ makesThumbnails, takesTexts, ...about }) => ({
    ...about,
    encode: async (inputs: readonly unknown[]) => valueOf(await relay.encode(about.modality, inputs)),
    ...(takesTexts && {
      encodeText: async (texts: readonly string[]) => valueOf(await relay.encodeText(about.modality, texts)),
    }),
    ...(makesThumbnails && {
      thumbnail: async (input: unknown) => valueOf(await relay.thumbnail(about.modality, input)),
    }),
    close: async () => port.close(),
  }))
  return Object.fromEntries(made.map((encoder) => [encoder.modality, encoder]))
}
