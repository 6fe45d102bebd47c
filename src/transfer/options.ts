import { checkChoice, checkKeys, checkSignal, invalid } from '../api/check.js'
import type { ExportOptions, ImportOptions } from '../api/portable.js'

/** UTF-8 bytes of a passphrase, at most. */
const MOST_PASSPHRASE = 1_024

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`. */
export function checkExport(options: ExportOptions): void {
  checkKeys('export', options, ['format', 'passphrase', 'sealed', 'filter'])
  if (options.format !== undefined) checkChoice('format', options.format, ['agidb', 'jsonl'])
  checkPassphrase(options.passphrase)
  if (options.format === 'jsonl' && options.passphrase !== undefined)
    throw invalid('JSON lines are not encrypted; leave the passphrase out, or the format', { option: 'passphrase' })
  const { sealed } = options
  if (sealed !== undefined && typeof sealed !== 'boolean')
    throw invalid('sealed must be true or false', { option: 'sealed' })
  if (options.format === 'jsonl' && sealed)
    throw invalid('JSON lines are not encrypted; leave sealed out, or the format', { option: 'sealed' })
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`, `AGIDB_ABORTED`. */
export function checkImport(options: ImportOptions): void {
  checkKeys('import', options, ['replace', 'passphrase', 'onProgress', 'signal'])
  const { replace, passphrase, onProgress, signal } = options
  if (replace !== undefined && typeof replace !== 'boolean')
    throw invalid('replace must be true or false', { option: 'replace' })
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw invalid('onProgress must be a function that takes { done, total }', { option: 'onProgress' })
  checkPassphrase(passphrase)
  checkSignal(signal)
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` */
function checkPassphrase(passphrase: unknown): void {
  if (passphrase === undefined) return
  const fits =
    typeof passphrase === 'string' &&
    passphrase !== '' &&
    new TextEncoder().encode(passphrase).length <= MOST_PASSPHRASE
  if (!fits)
    throw invalid(`passphrase must be a string of 1 to ${MOST_PASSPHRASE} bytes in UTF-8`, { option: 'passphrase' })
}
