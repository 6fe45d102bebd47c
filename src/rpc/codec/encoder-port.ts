import { expose, wrap } from 'comlink'
import type { Progress } from '../../base/progress.js'
import type { SentenceEncoder } from '../../api/encoder.js'
import { outcome, valueOf, type Outcome } from '../../base/outcome.js'

/** A sentence encoder on its way from the page to the engine worker. */
export interface EncoderPort {
  readonly id: string
  readonly dimension: number
  readonly cueMs?: number
  /** Leads back to the page. */
  readonly port: MessagePort
}

type OnEncoded = (progress: Progress) => void | Promise<void>

/** What the page does for the engine. Nothing here throws. */
interface Relay {
  encode(texts: readonly string[]): Promise<Outcome<Float32Array[]>>
  encoded(progress: Progress): Promise<Outcome<void>>
}

/** The page's side: its encoder stays where it is and is asked through the port. */
export function sendEncoder(encoder: SentenceEncoder, onEncoded: OnEncoded | undefined): EncoderPort {
  const { port1, port2 } = new MessageChannel()
  const relay: Relay = {
    encode: (texts) => outcome(() => encoder.encode(texts)),
    encoded: (progress) => outcome(() => onEncoded?.(progress)),
  }
  expose(relay, port1)
  const { id, dimension, cueMs } = (encoder ?? {}) as SentenceEncoder // what is none is left for the engine to refuse
  return { id, dimension, cueMs, port: port2 }
}

/** The engine's side: the options that the page was given. */
export function receiveEncoder({ id, dimension, cueMs, port }: EncoderPort): {
  encoder: SentenceEncoder
  onEncoded: OnEncoded
} {
  const relay = wrap<Relay>(port)
  return {
    encoder: {
      id,
      dimension,
      cueMs,
      encode: async (texts) => valueOf(await relay.encode(texts)),
      close: async () => port.close(),
    },
    onEncoded: async (progress) => valueOf(await relay.encoded(progress)),
  }
}
