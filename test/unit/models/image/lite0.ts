import { fileURLToPath } from 'node:url'
import type { Encoder } from '../../../../src/api/encoder.js'
import { imageEncoder } from '../../../../src/models/node.js'
import type { ImageEncoderOptions } from '../../../../src/models/image/options.js'

/** EfficientNet-Lite0, and how pictures are prepared for it. */
export const LITE0: ImageEncoderOptions = {
  model: fileURLToPath(new URL('fixtures/efficientnet-lite0.onnx', import.meta.url)),
  sha256: { model: 'bd031e9341dc288cdfce469d95b984e872e1f5c47ca302575d34f1f12cb1f35a' },
  manifest: {
    size: 224,
    mean: [127 / 255, 127 / 255, 127 / 255],
    std: [128 / 255, 128 / 255, 128 / 255],
    centred: true,
  },
}

/** The encoder in this thread. */
export function lite0(options: Partial<ImageEncoderOptions> = {}): Promise<Encoder<'image'>> {
  return imageEncoder({ ...LITE0, worker: false, ...options })
}
