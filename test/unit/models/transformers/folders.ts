import { copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { env, LogLevel } from '@huggingface/transformers'
import { MODEL, TOKENIZER } from '../minilm.js'

const dual = (name: string) => fileURLToPath(new URL(`../dual/fixtures/${name}`, import.meta.url))

// What is refused is not to be printed too.
env.logLevel = LogLevel.NONE

/** What lies in a folder of transformers.js: what is written as JSON, or the path of the file that it is. */
export type Layout = Readonly<Record<string, string | object>>

/** all-MiniLM-L6-v2 as it lies on the hub. */
export const MINILM: Layout = {
  'config.json': { model_type: 'bert', architectures: ['BertModel'] },
  'tokenizer_config.json': { tokenizer_class: 'BertTokenizer', model_max_length: 256, pad_token: '[PAD]' },
  'tokenizer.json': TOKENIZER,
  'onnx/model.onnx': MODEL,
}

/** The two towers of shapes and colours, as CLIP lies on the hub. */
export const CLIP: Layout = {
  'config.json': { model_type: 'clip', architectures: ['CLIPModel'] },
  'preprocessor_config.json': {
    image_processor_type: 'CLIPImageProcessor',
    do_resize: true,
    size: { shortest_edge: 48 },
    do_center_crop: true,
    crop_size: { width: 48, height: 48 },
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: true,
    image_mean: [0.48145466, 0.4578275, 0.40821073],
    image_std: [0.26862954, 0.26130258, 0.27577711],
  },
  'tokenizer_config.json': { tokenizer_class: 'CLIPTokenizer', model_max_length: 24 },
  'tokenizer.json': dual('tokenizer.json'),
  'onnx/text_model.onnx': dual('text.onnx'),
  'onnx/vision_model.onnx': dual('image.onnx'),
}

/** The two towers of words and sounds. That of words takes 16 tokens and no fewer. */
export const SOUNDS: Layout = {
  'config.json': { model_type: 'clap', architectures: ['ClapModel'] },
  'preprocessor_config.json': {
    feature_extractor_type: 'Wav2Vec2FeatureExtractor',
    sampling_rate: 8_000,
    do_normalize: false,
  },
  'tokenizer_config.json': { tokenizer_class: 'CLIPTokenizer', pad_token: '"' },
  'tokenizer.json': dual('tokenizer.json'),
  'onnx/text_model.onnx': dual('words.onnx'),
  'onnx/audio_model.onnx': dual('audio.onnx'),
}

/** A new folder with these files; it is the caller's to take away. */
export function folderOf(layout: Layout): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'agidb-transformers-'))
  for (const [name, file] of Object.entries(layout)) {
    const to = join(path, name)
    mkdirSync(dirname(to), { recursive: true })
    if (typeof file === 'string') linkOrCopy(file, to)
    else writeFileSync(to, JSON.stringify(file))
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
