import type { EncoderInputs, Thumbnail } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import type { Loaded } from '../host.js'
import { reasonOf } from '../runtime.js'
import type { FolderSense, RunsOn } from './options.js'

/** What a folder of transformers.js may be made into. */
export type FolderInput = EncoderInputs['text' | FolderSense]

/** The encoder of a folder, in this thread. */
export interface FolderEncoder<Input> extends Loaded, RunsOn {
  encode(inputs: readonly Input[]): Promise<Float32Array[]>
  thumbnail?(input: Input): Promise<Thumbnail>
  close(): Promise<void>
}

/** transformers.js may ask no server. */
export const OFFLINE = { local_files_only: true } as const

/**
 * A part of a folder, such as its tokenizer.
 *
 * @throws AgidbError `AGIDB_ENCODER` when it cannot be read
 */
export async function partOf<T>(folder: string, what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    const message = `the ${what} in the folder ${folder} cannot be read: ${reasonOf(cause)}`
    throw new AgidbError('AGIDB_ENCODER', message, { folder }, { cause })
  }
}
