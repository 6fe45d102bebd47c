import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { AgidbError } from '../../base/errors.js'
import { encodeUtf8 } from '../../base/utf8.js'
import { reasonOf } from '../runtime.js'
import { type FolderLoading, SUFFIXES } from './options.js'

/** transformers.js. */
export type Transformers = typeof import('@huggingface/transformers')

/** The folder of a model. */
export interface ModelFolder {
  /** What transformers.js is told. */
  readonly path: string
  /** SHA-256 of the model. */
  readonly hash: string
  /** The bytes of a file. Rejects when it cannot be read. */
  read(name: string): Promise<Uint8Array>
  /** Gives back the memory of files that transformers.js has read. */
  release(): void
}

/**
 * Opens the folder of a model for transformers.js, which may read nothing else.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a file of the model cannot be read or has another SHA-256 than is expected
 */
export type OpenFolder = (transformers: Transformers, loading: FolderLoading) => Promise<ModelFolder>

/** @throws AgidbError `AGIDB_UNSUPPORTED` when it is not installed. */
export async function loadTransformers(): Promise<Transformers> {
  try {
    return await import('@huggingface/transformers')
  } catch (cause) {
    const message =
      'agidb/transformers needs @huggingface/transformers beside agidb (npm install @huggingface/transformers): ' +
      reasonOf(cause)
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  }
}

/** What a `config.json` says of files that are too large for one. */
interface Config {
  readonly 'transformers.js_config'?: {
    readonly use_external_data_format?: boolean | number | Readonly<Record<string, boolean | number>>
  }
}

/**
 * The files of a model, from the folder down: the ONNX file, and those beside it with numbers where they are not in it.
 *
 * @param read reads a file of the folder
 * @throws AgidbError `AGIDB_ENCODER` for a folder without a `config.json`
 */
export async function modelFiles(
  { folder, file, dtype }: FolderLoading,
  read: (name: string) => Promise<Uint8Array>,
): Promise<string[]> {
  const config = await readJson<Config>(folder, 'config.json', read)
  const name = `${file}${SUFFIXES[dtype]}.onnx`
  const external = config['transformers.js_config']?.use_external_data_format ?? 0
  const count = Number(typeof external === 'object' ? (external[name] ?? external[file] ?? 0) : external)
  const chunks = Array.from({ length: count }, (_, i) => `onnx/${name}_data${i === 0 ? '' : `_${i}`}`)
  return [`onnx/${name}`, ...chunks]
}

/**
 * A file of JSON.
 *
 * @throws AgidbError `AGIDB_ENCODER` when it cannot be read
 */
export async function readJson<T>(
  folder: string,
  name: string,
  read: (name: string) => Promise<Uint8Array>,
): Promise<T> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await read(name))) as T
  } catch (cause) {
    const message = `${name} in the folder ${folder} cannot be read: ${reasonOf(cause)}`
    throw new AgidbError('AGIDB_ENCODER', message, { folder, file: name }, { cause })
  }
}

/** The hash of a model of one file or several. */
export function hashOfAll(hashes: readonly string[]): string {
  return hashes.length === 1 ? hashes[0] : bytesToHex(sha256(encodeUtf8(hashes.join())))
}
