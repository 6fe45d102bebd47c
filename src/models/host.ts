import { AgidbError } from '../base/errors.js'
import { outcome, type Outcome } from '../base/outcome.js'
import { obtain, type Files } from './files.js'
import { Model } from './model.js'
import type { Loading } from './options.js'

/** What is known of a model once it is loaded. */
export interface Loaded {
  readonly id: string
  readonly dimension: number
}

/** What the thread of a model exposes. Nothing here throws. */
export interface EncoderHost<L = Loading, Known extends Loaded = Loaded> {
  /** Loads the model. Once in the life of a host. */
  load(loading: L): Promise<Outcome<Known>>
  encode(texts: readonly string[]): Promise<Outcome<Float32Array[]>>
  /** Gives the memory of the model back. A thread that ends need not be asked for it. */
  close(): Promise<Outcome<void>>
}

/** The model's side of the wire, or a model in this thread. */
export function encoderHost(filesOf: (loading: Loading) => Files): EncoderHost {
  let model: Model | undefined
  return {
    load: (loading) =>
      outcome(async () => {
        const files = filesOf(loading)
        const [file, tokenizer] = await Promise.all([
          obtain('model', loading.model, loading.sha256.model, files),
          obtain('tokenizer', loading.tokenizer, loading.sha256.tokenizer, files),
        ])
        model = await Model.load(file.bytes, tokenizer.bytes, loading)
        return { id: file.hash, dimension: model.dimension }
      }),
    encode: (texts) =>
      outcome(() => {
        if (model === undefined) throw new AgidbError('AGIDB_ENCODER', 'no model is loaded')
        return model.encode(texts)
      }),
    close: () => outcome(() => model?.close()),
  }
}
