import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Extraction } from '../../api/extractor.js'
import { AgidbError } from '../../base/errors.js'
import { type Outcome, outcome } from '../../base/outcome.js'
import { encodeUtf8 } from '../../base/utf8.js'
import { type Files, obtain } from '../files.js'
import type { loadOnnxOnGpu } from '../onnx-on-gpu.js'
import { checkGolden } from './golden.js'
import { GlinerModel, readConfig } from './model.js'
import type { GlinerDevice, GlinerLoading } from './options.js'
import { read, type Wanted } from './read.js'

/** What is told of a model that was loaded. */
export interface GlinerLoaded {
  /** Of the extractor: it changes with the files and with what is looked for. */
  readonly version: string
  readonly device: GlinerDevice
}

/** What the thread of a GLiNER model exposes. Nothing here throws. */
export interface GlinerHost {
  /** Loads the model. Once in the life of a host. */
  load(loading: GlinerLoading): Promise<Outcome<GlinerLoaded>>
  extract(texts: readonly string[]): Promise<Outcome<Extraction[]>>
  /** Gives the memory of the model back. */
  close(): Promise<Outcome<void>>
}

/**
 * The model's side of the wire, or a model in this thread.
 *
 * @param loadGpu loads ONNX Runtime with WebGPU. Absent where there is none.
 */
export function glinerHost(
  filesOf: (loading: Pick<GlinerLoading, 'cache'>) => Files,
  loadGpu?: typeof loadOnnxOnGpu,
): GlinerHost {
  let loaded: { readonly model: GlinerModel; readonly wanted: Wanted } | undefined
  return {
    load: (loading) =>
      outcome(async () => {
        const { files, wanted, golden, tokenScore, gpu, wasm, gpuWasm } = loading
        const place = filesOf(loading)
        const [model, tokenizer, config] = await Promise.all(
          (['model', 'tokenizer', 'config'] as const).map((name) =>
            obtain(name, files[name], loading.sha256[name], place, 'AGIDB_EXTRACTOR'),
          ),
        )
        const settings = readConfig(config.bytes)
        if (wanted.labels.length > settings.maxLabels) {
          const most = `the model takes at most ${settings.maxLabels} at once`
          const message = `labels has ${wanted.labels.length} types; ${most}`
          throw new AgidbError('AGIDB_INVALID_ARGUMENT', message, { option: 'labels' })
        }
        const options = { ...(wasm !== undefined && { wasm }), ...(tokenScore !== undefined && { tokenScore }) }
        const check = (made: GlinerModel) => checkGolden(made, golden, wanted)
        const onWasm = await GlinerModel.load(model.bytes, tokenizer.bytes, settings, options, check)
        const onGpu = gpu && loadGpu ? await onWasm.onGpu(model.bytes, () => loadGpu(gpuWasm), check) : undefined
        if (onGpu) await onWasm.close()
        loaded = { model: onGpu ?? onWasm, wanted }
        const about = JSON.stringify([model.hash, tokenizer.hash, config.hash, wanted, tokenScore])
        const version = bytesToHex(sha256(encodeUtf8(about))).slice(0, 16)
        return { version, device: onGpu ? 'webgpu' : 'wasm' }
      }),
    extract: (texts) =>
      outcome(async () => {
        if (loaded === undefined) throw new AgidbError('AGIDB_EXTRACTOR', 'no model is loaded')
        const found: Extraction[] = []
        for (const text of texts) found.push(await read(loaded.model, text, loaded.wanted))
        return found
      }),
    close: () => outcome(async () => loaded?.model.close()),
  }
}
