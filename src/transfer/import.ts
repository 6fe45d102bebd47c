import type { Limits } from '../api/open-options.js'
import { invalid } from '../api/check.js'
import type { Observation } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import type { ImportOptions } from '../api/portable.js'
import { ByteReader } from './bytes.js'
import { fromChunks } from './chunks.js'
import { opening } from './cipher.js'
import { decodeContents, type ExportContents } from './contents.js'
import { decodeExportHeader, EXPORT_HEADER_BYTES, isExport } from './header.js'
import { fromJsonLines } from './json-lines.js'

/** What is in a file that is imported. */
export type Imported =
  | ({ readonly format: 'agidb' } & ExportContents)
  | { readonly format: 'jsonl'; readonly observations: AsyncGenerator<Observation> }

/** Begins to read a file, of either format. */
export async function readImport(
  bytes: AsyncIterable<Uint8Array>,
  { passphrase }: ImportOptions,
  limits: Limits,
): Promise<Imported> {
  const file = new ByteReader(bytes)
  const start = await file.peek(EXPORT_HEADER_BYTES)
  if (
    !isExport(start) &&
    /^(\xef\xbb\xbf)?\s*\{/.test(String.fromCharCode(...start.subarray(0, EXPORT_HEADER_BYTES)))
  ) {
    if (passphrase !== undefined)
      throw invalid('these are JSON lines, which are not encrypted; leave the passphrase out', { option: 'passphrase' })
    return { format: 'jsonl', observations: fromJsonLines(file.rest(), limits) }
  }
  const { isSealed, encryption } = decodeExportHeader(await file.take(EXPORT_HEADER_BYTES))
  if (encryption !== undefined && passphrase === undefined)
    throw new AgidbError('AGIDB_PASSPHRASE', 'the export is encrypted; give its passphrase')
  if (encryption === undefined && passphrase !== undefined)
    throw new AgidbError(
      'AGIDB_PASSPHRASE',
      'the export is not encrypted, so anybody may have made or changed it; ' +
        'leave the passphrase out to import it all the same',
    )
  const open = encryption === undefined ? undefined : await opening(passphrase!, { isSealed, encryption })
  return { format: 'agidb', ...(await decodeContents(new ByteReader(fromChunks(file, open)), isSealed)) }
}
