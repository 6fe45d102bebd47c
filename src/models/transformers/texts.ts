import { greatest } from '../../base/extremes.js'
import { TextQueue } from '../sentence/queue.js'
import { tokensOf } from '../sentence/tokens.js'
import { senseEncoderId } from '../senses/options.js'
import { type FolderEncoder, OFFLINE, partOf } from './encoder.js'
import { type ModelFolder, readJson, type Transformers } from './folder.js'
import { type Feeds, FolderModel } from './model.js'
import type { FolderLoading } from './options.js'

/** Tokens of a text that count where the tokenizer does not say. */
const DEFAULT_MAX_TOKENS = 256
const MOST_TOKENS = 65_536

/** Loads an encoder of texts. Tokens are cut as `agidb/onnx` cuts them. */
export async function loadTexts(
  transformers: Transformers,
  folder: ModelFolder,
  loading: FolderLoading,
): Promise<FolderEncoder<string>> {
  const { AutoTokenizer, Tensor } = transformers
  const { pooling, textLength, maxTokens } = loading
  const tokenizer = await partOf(loading.folder, 'tokenizer', () => AutoTokenizer.from_pretrained(folder.path, OFFLINE))
  const json = await readJson<TokenizerJson>(loading.folder, 'tokenizer.json', folder.read)
  const ofConfig = tokenizer.model_max_length <= MOST_TOKENS ? tokenizer.model_max_length : undefined
  const said = json.truncation?.max_length ?? ofConfig ?? DEFAULT_MAX_TOKENS
  const most = Math.min(maxTokens ?? said, textLength ?? Infinity)
  const filling = tokenizer.pad_token_id ?? 0
  const tokens = (text: string) => tokensOf((of, options) => tokenizer.encode(of, options), text, most)

  const feeds = (ids: readonly number[]): Feeds => {
    const length = Math.max(ids.length, textLength ?? 0)
    const tensor = (value: (id: number | undefined) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from({ length }, (_, at) => BigInt(value(ids[at]))),
        [1, length],
      )
    return {
      input_ids: tensor((id) => id ?? filling),
      attention_mask: tensor((id) => (id === undefined ? 0 : 1)),
      token_type_ids: tensor(() => 0),
    }
  }

  // With the last token of the vocabulary in the text: what does not fit shows now.
  const last = greatest(tokenizer.get_vocab().values())
  const model = await FolderModel.load(transformers, folder, loading, feeds([...tokens(''), last]))
  const queue = new TextQueue(
    (text) => model.latent(feeds(tokens(text))),
    () => model.release(),
  )
  return {
    // With the mean over all tokens the latents are those of `agidb/onnx`, whose id is the hash of the model.
    id: pooling === 'mean' ? folder.hash : senseEncoderId('text', [folder.hash], { pooling }),
    dimension: model.dimension,
    device: model.device,
    encode: (texts) => queue.encode(texts),
    close: () => queue.close(),
  }
}

interface TokenizerJson {
  readonly truncation?: { readonly max_length?: number } | null
}
