import type { Agidb } from '../../api/agidb.js'
import { checkKeys } from '../../api/check.js'
import type { Observation } from '../../api/episode.js'
import {
  readTranscript,
  rememberTranscript,
  type Remembered,
  type RememberOptions,
  type TranscriptFormat,
  type TranscriptOptions,
  type TranscriptReport,
} from '../../transfer/transcript/index.js'
import { type ExportInput, transcriptOf } from './input.js'

/** Options of {@link importFromMem0}, {@link importFromZep} and {@link importFromLetta}. */
export interface ImportFromOptions
  extends Omit<TranscriptOptions, 'format'>,
    Pick<RememberOptions, 'onProgress' | 'signal'> {}

/** What an import did. */
export interface ImportReport extends Remembered {
  /** What was read, and what was left out. */
  readonly report: TranscriptReport
}

const KEYS = ['name', 'source', 'session', 'timeZone', 'skipBad', 'onProgress', 'signal']

/** The methods of a memory that an import calls. */
type ImportBase = Pick<Agidb, 'observeMany' | 'getEpisode'>

/**
 * Imports memories of mem0: what `getAll` or `get_all` answers, in JSON. Afterwards `Memory` shows them with their
 * owners, metadata and ids. What was imported before is not imported again.
 *
 * @param input the JSON as a text, as UTF-8 bytes or as a stream of either, or parsed; not the name of a file
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where the input is none of these; `AGIDB_UNKNOWN_OPTION`;
 * `AGIDB_TRANSCRIPT` for what is not in this format; nothing is written then. While it is written, what `observeMany`
 * throws; to import again goes on from there
 */
export function importFromMem0(
  db: ImportBase,
  input: ExportInput,
  options: ImportFromOptions = {},
): Promise<ImportReport> {
  return importFrom('mem0', 'importFromMem0', db, input, options)
}

/**
 * Imports from Zep: the messages of threads or sessions and the facts of graphs, as its interface answers them.
 * As {@link importFromMem0} otherwise.
 *
 * @throws AgidbError as {@link importFromMem0}
 */
export function importFromZep(
  db: ImportBase,
  input: ExportInput,
  options: ImportFromOptions = {},
): Promise<ImportReport> {
  return importFrom('zep', 'importFromZep', db, input, options)
}

/**
 * Imports an agent file of Letta (`.af`), or the passages of an archival memory: memory blocks, and what was said. As
 * {@link importFromMem0} otherwise.
 *
 * @throws AgidbError as {@link importFromMem0}
 */
export function importFromLetta(
  db: ImportBase,
  input: ExportInput,
  options: ImportFromOptions = {},
): Promise<ImportReport> {
  return importFrom('letta', 'importFromLetta', db, input, options)
}

async function importFrom(
  format: TranscriptFormat,
  caller: string,
  db: ImportBase,
  input: ExportInput,
  options: ImportFromOptions,
): Promise<ImportReport> {
  checkKeys(caller, options, KEYS)
  const { onProgress, signal, ...reading } = options
  const transcript = readTranscript(transcriptOf(caller, input), { name: format, ...reading, format })
  // All is read before anything is written.
  const observations: Observation[] = []
  for await (const observation of transcript) observations.push(observation)
  async function* again() {
    yield* observations
  }
  const remembered = await rememberTranscript(db, again(), { onProgress, signal })
  return { ...remembered, report: transcript.report }
}
