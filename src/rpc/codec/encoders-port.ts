import { expose, wrap } from 'comlink'
import {
  type Encoder,
  type EncoderInputs,
  type Encoders,
  type Sense,
  SENSES,
  type Thumbnail,
} from '../../api/encoder.js'
import { type Outcome, outcome, valueOf } from '../../base/outcome.js'

/** What the engine knows of an encoder. */
interface SentEncoder extends Pick<Encoder, 'modality' | 'id' | 'dimension'> {
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
  encode(sense: Sense, inputs: readonly EncoderInputs[Sense][]): Promise<Outcome<Float32Array[]>>
  encodeText(sense: Sense, texts: readonly string[]): Promise<Outcome<Float32Array[]>>
  thumbnail(sense: Sense, input: EncoderInputs[Sense]): Promise<Outcome<Thumbnail>>
}

/** The page's side: its encoders stay where they are and are asked through the port. */
export function sendEncoders(encoders: Encoders): EncodersPort {
  const { port1, port2 } = new MessageChannel()
  const relay: Relay = {
    encode: (sense, inputs) => outcome(() => (encoders[sense] as Encoder<Sense>).encode(inputs)),
    encodeText: (sense, texts) => outcome(() => (encoders[sense] as Encoder<Sense>).encodeText!(texts)),
    thumbnail: (sense, input) => outcome(() => (encoders[sense] as Encoder<Sense>).thumbnail!(input)),
  }
  expose(relay, port1)
  const given = SENSES.flatMap((sense) => encoders[sense] ?? [])
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
    encode: async (inputs: readonly EncoderInputs[Sense][]) => valueOf(await relay.encode(about.modality, inputs)),
    ...(takesTexts && {
      encodeText: async (texts: readonly string[]) => valueOf(await relay.encodeText(about.modality, texts)),
    }),
    ...(makesThumbnails && {
      thumbnail: async (input: EncoderInputs[Sense]) => valueOf(await relay.thumbnail(about.modality, input)),
    }),
    close: async () => port.close(),
  }))
  return Object.fromEntries(made.map((encoder) => [encoder.modality, encoder]))
}
