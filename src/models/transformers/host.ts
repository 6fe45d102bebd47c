import { AgidbError } from '../../base/errors.js'
import { outcome } from '../../base/outcome.js'
import { noDecoder } from '../audio/host.js'
import type { DecodeAudio } from '../audio/samples.js'
import type { DecodeImage } from '../image/host.js'
import type { EncodeImage } from '../image/thumbnail.js'
import type { Loaded } from '../host.js'
import type { SenseHost } from '../senses/host.js'
import type { FolderEncoder, FolderInput } from './encoder.js'
import { loadTransformers, type OpenFolder } from './folder.js'
import { loadImages } from './images.js'
import type { FolderLoading, RunsOn } from './options.js'
import { loadSounds } from './sounds.js'
import { loadTexts } from './texts.js'

/** What the thread of an encoder exposes. */
export type FolderHost = SenseHost<FolderInput, FolderLoading, DecodeAudio, Loaded & RunsOn>

/** How a runtime reads and writes media. */
export interface Media {
  readonly decodeImage: DecodeImage
  readonly encodeImage: EncodeImage
  /** Absent where the page decodes sounds for its worker. */
  readonly decodeAudio?: DecodeAudio
}

/** The model's side of the wire, or a model in this thread, of any modality. */
export function folderHost(open: OpenFolder, media: Media): FolderHost {
  let encoder: FolderEncoder<FolderInput> | undefined
  const loaded = () => {
    if (encoder === undefined) throw new AgidbError('AGIDB_ENCODER', 'no model is loaded')
    return encoder
  }
  return {
    load: (loading, decode) =>
      outcome(async () => {
        const transformers = await loadTransformers()
        const folder = await open(transformers, loading)
        const load = {
          text: () => loadTexts(transformers, folder, loading),
          image: () => loadImages(transformers, folder, loading, media.decodeImage, media.encodeImage),
          audio: () => loadSounds(transformers, folder, loading, decode ?? media.decodeAudio ?? noDecoder),
        }
        try {
          encoder = (await load[loading.sense]()) as FolderEncoder<FolderInput>
        } finally {
          folder.release()
        }
        const { id, dimension, device } = encoder
        return { id, dimension, device }
      }),
    encode: (inputs) => outcome(() => loaded().encode(inputs)),
    thumbnail: (input) =>
      outcome(async () => {
        const { thumbnail } = loaded()
        if (thumbnail !== undefined) return thumbnail(input)
        throw new AgidbError('AGIDB_UNSUPPORTED', 'this encoder makes no thumbnails')
      }),
    close: () => outcome(async () => encoder?.close()),
  }
}
