import type { Thumbnail } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { type Outcome, outcome } from '../../base/outcome.js'
import { type Files, type Obtained, obtain } from '../files.js'
import type { Loaded } from '../host.js'
import type { SenseLoading } from './options.js'

/** What the thread of an encoder exposes. Nothing here throws. */
export interface SenseHost<Input, Loading, Decode, Known extends Loaded = Loaded> {
  /**
   * Loads the model. Once in the life of a host.
   *
   * @param decode decodes files where the host cannot do it itself
   */
  load(loading: Loading, decode?: Decode): Promise<Outcome<Known>>
  encode(inputs: readonly Input[]): Promise<Outcome<Float32Array[]>>
  /** A small copy of an input; only asked where {@link SenseModel.thumbnail} is there. */
  thumbnail(input: Input): Promise<Outcome<Thumbnail>>
  /** Gives the memory of the model back. */
  close(): Promise<Outcome<void>>
}

/** A model of one sense, loaded. */
export interface SenseModel<Input> extends Loaded {
  /** The latent of an input, of unit length. */
  latent(input: Input): Promise<Float32Array>
  thumbnail?(input: Input): Promise<Thumbnail>
  close(): Promise<void>
}

/** Makes a model of its files, by the names of their options. */
export type LoadSense<Input, Preparation, Decode> = (
  files: Readonly<Record<string, Obtained>>,
  loading: SenseLoading<Preparation>,
  decode: Decode | undefined,
) => Promise<SenseModel<Input>>

/** The model's side of the wire, or a model in this thread. */
export function senseHost<Input, Preparation, Decode>(
  filesOf: (loading: Pick<SenseLoading<Preparation>, 'cache'>) => Files,
  load: LoadSense<Input, Preparation, Decode>,
): SenseHost<Input, SenseLoading<Preparation>, Decode> {
  let model: SenseModel<Input> | undefined
  return {
    load: (loading, decode) =>
      outcome(async () => {
        const files = filesOf(loading)
        const obtained = Object.entries(loading.files).map(
          async ([name, { source, sha256 }]) => [name, await obtain(name, source, sha256, files)] as const,
        )
        model = await load(Object.fromEntries(await Promise.all(obtained)), loading, decode)
        return { id: model.id, dimension: model.dimension }
      }),
    encode: (inputs) =>
      outcome(async () => {
        if (model === undefined) throw new AgidbError('AGIDB_ENCODER', 'no model is loaded')
        const latents: Float32Array[] = []
        for (const input of inputs) latents.push(await model.latent(input))
        return latents
      }),
    thumbnail: (input) =>
      outcome(async () => {
        if (model?.thumbnail !== undefined) return model.thumbnail(input)
        throw new AgidbError('AGIDB_UNSUPPORTED', 'this encoder makes no thumbnails')
      }),
    close: () => outcome(async () => model?.close()),
  }
}
