import { describe } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import type { TranscriptInput } from '../../transfer/transcript/index.js'

/** An export: its JSON as a text, as UTF-8 bytes or as a stream of either, or the value that the JSON stands for. */
export type ExportInput = TranscriptInput | object

/** A name with an ending such as `.json`, or a URL. No JSON text has this form. */
const FILE_NAME = /^(?!\s*[[{"])(?:(?:file|https?):.{0,2000}|.{1,2000}\.[a-z]\w{0,5})$/i

/**
 * What an import reads from.
 *
 * @param caller the name of the function that was called, for the errors
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for the name of a file, and for what is no export at all
 */
export function transcriptOf(caller: string, input: ExportInput): TranscriptInput {
  if (typeof input === 'string') {
    if (FILE_NAME.test(input)) throw fileName(caller, input)
    return input
  }
  if (isPieces(input)) return input
  const json = isParsed(input) ? jsonOf(input) : undefined
  if (json !== undefined) return json
  throw new AgidbError(
    'AGIDB_INVALID_ARGUMENT',
    `input is ${describe(input)}; ${caller} takes the export: its text, bytes, a stream of either, or parsed JSON`,
    { what: 'input' },
  )
}

/** Whether a value is bytes, a stream, or texts and bytes one after the other. */
function isPieces(input: unknown): input is Exclude<TranscriptInput, string> {
  if (typeof input !== 'object' || input === null) return false
  if (Array.isArray(input)) return input.every((piece) => typeof piece === 'string' || piece instanceof Uint8Array)
  return Symbol.asyncIterator in input || Symbol.iterator in input || 'getReader' in input
}

/** Whether a value is an object or a list of objects, as `JSON.parse` makes them. */
function isParsed(input: unknown): boolean {
  if (Array.isArray(input)) return input.every((one) => !Array.isArray(one) && isParsed(one))
  return Object.prototype.toString.call(input) === '[object Object]' && !(input instanceof URL)
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined // A circle, or a bigint.
  }
}

function fileName(caller: string, name: string): AgidbError {
  const message =
    `input is the name of a file, ${JSON.stringify(name)}; ${caller} takes its text: ` +
    `import { readFile } from 'node:fs/promises', then ${caller}(db, await readFile(name, 'utf8'))`
  return new AgidbError('AGIDB_INVALID_ARGUMENT', message, { what: 'input', name })
}
