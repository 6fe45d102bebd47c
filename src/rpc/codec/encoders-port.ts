import { expose, wrap } from 'comlink'
import { type Encoder, type EncoderInputs, type Encoders, type Sense, SENSES } from '../../api/encoder.js'
import { type Outcome, outcome, valueOf } from '../../base/outcome.js'

/** The encoders of senses on their way from the page to the engine worker. */
export interface EncodersPort {
  readonly encoders: readonly Pick<Encoder, 'modality' | 'id' | 'dimension'>[]
  /** Leads back to the page. */
  readonly port: MessagePort
}

/** What the page does for the engine. It throws nothing. */
interface Relay {
  encode(sense: Sense, inputs: readonly EncoderInputs[Sense][]): Promise<Outcome<Float32Array[]>>
}

/** The page's side: its encoders stay where they are and are asked through the port. */
export function sendEncoders(encoders: Encoders): EncodersPort {
  const { port1, port2 } = new MessageChannel()
  const relay: Relay = {
    encode: (sense, inputs) => outcome(() => (encoders[sense] as Encoder<Sense>).encode(inputs)),
  }
  expose(relay, port1)
  const given = SENSES.flatMap((sense) => encoders[sense] ?? [])
  return { encoders: given.map(({ modality, id, dimension }) => ({ modality, id, dimension })), port: port2 }
}

/** The engine's side. */
export function receiveEncoders({ encoders, port }: EncodersPort): Encoders {
  const relay = wrap<Relay>(port)
  const made = encoders.map((about) => ({
    ...about,
    encode: async (inputs: readonly EncoderInputs[Sense][]) => valueOf(await relay.encode(about.modality, inputs)),
    close: async () => port.close(),
  }))
  return Object.fromEntries(made.map((encoder) => [encoder.modality, encoder]))
}
