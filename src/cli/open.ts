import { setTimeout as sleep } from 'node:timers/promises'
import { AgidbError } from '../base/errors.js'
import type { Agidb } from '../api/agidb.js'
import type { OpenOptions } from '../api/open-options.js'
import { llmSummarizer } from '../llm/index.js'
import { type FolderPlace, openNode } from '../runtimes/node/engine.js'
import { shareFolder, type SharedOptions } from '../runtimes/node/share.js'
import { SharedFolder } from '../storage/adapters/node/shared-folder.js'
import { configurationOf, refuseWhenReadOnly } from './configuration.js'
import { encoderOf } from './encoder.js'
import { llmOf } from './llm.js'
import { memoryPassphrase } from './memory-passphrase.js'

/** Milliseconds to wait for another command to end: most take less. */
const PATIENCE = 2_000
/** Milliseconds between two attempts. */
const INTERVAL = 50

/** Options of opening, and how many milliseconds to wait for another process to close the database. */
export interface WaitOptions extends Pick<OpenOptions, 'ranker' | 'codebook' | 'readOnly' | 'extract'> {
  readonly patience?: number
  /** Whether texts are encoded as the configuration says. Default false. */
  readonly encodes?: boolean
  /** Whether a recall changes what is learned. Default false: a question on the command line changes nothing. */
  readonly learns?: boolean
}

/** {@link WaitOptions}, and whether the memory is shared. */
interface ShareOptions extends WaitOptions {
  /** Whether other processes may use the memory while this command has it open. Default false. */
  readonly shares?: boolean
}

type FolderOptions = OpenOptions & Omit<FolderPlace, 'share'>

/** The engine of a database in this process. */
export type Engine = Awaited<ReturnType<typeof openNode>>

/** A database that a command has open: its engine runs in this process, or in the one that shares it. */
export type Opened = Agidb

/**
 * Opens a database. Where another process has it open and shares it (`share: true`, as `agidb mcp` does), the calls go
 * to that process, whose options hold: those given here have no effect. Where it does not share it, this waits up to
 * `patience` milliseconds until it closes it. The passphrase of an encrypted database comes from
 * {@link memoryPassphrase}.
 *
 * @throws AgidbError `AGIDB_IN_USE` when another process has it open for longer than `patience` milliseconds and does
 * not share it; `AGIDB_READ_ONLY` where the configuration allows reading only and `readOnly` is not true;
 * `AGIDB_CONFIG`; and what `Agidb.open` throws
 */
export function openWhenFree(path: string, { shares = false, ...waiting }: ShareOptions = {}): Promise<Opened> {
  return whenFree<Opened>(path, waiting, async (options) => {
    if (shares) return sharing({ ...options, share: true })
    try {
      return await openNode(options)
    } catch (error) {
      if (!isInUse(error) || !(await isServed(path))) throw error
      return shareFolder({ ...options, share: true })
    }
  })
}

/**
 * Opens a database in this process, never by way of one that shares it: then the options that are given here have
 * effect.
 *
 * @throws AgidbError as {@link openWhenFree} does, and `AGIDB_IN_USE` where another process shares it, too.
 */
export function openAlone(path: string, options: WaitOptions = {}): Promise<Engine> {
  return whenFree(path, options, openNode)
}

async function whenFree<T>(
  path: string,
  { patience = PATIENCE, encodes = false, learns = false, ...options }: WaitOptions,
  open: (options: FolderOptions) => Promise<T>,
): Promise<T> {
  if (options.readOnly !== true) refuseWhenReadOnly(path)
  const { embedder, summarizer, llm } = configurationOf(path).settings
  const encoder = encodes ? await encoderOf(embedder) : undefined
  const until = performance.now() + patience
  let encryption: { readonly passphrase: string } | undefined
  for (;;) {
    try {
      return await open({
        ...options,
        path,
        encryption,
        encoder,
        summarizer: summarizer === 'llm' ? llmSummarizer(llmOf(llm)) : summarizer,
        learnFromRecall: learns,
      })
    } catch (error) {
      if (encryption === undefined && needsPassphrase(error)) {
        encryption = { passphrase: await memoryPassphrase(path) }
        continue
      }
      if (!isInUse(error)) throw error
      if (performance.now() >= until) throw await inUse(error, path)
    }
    await sleep(INTERVAL)
  }
}

/** Opens a memory and shares it with other processes. Where no socket can be made, it is opened unshared. */
async function sharing(options: SharedOptions): Promise<Opened> {
  try {
    return await shareFolder(options)
  } catch (error) {
    if (!(error instanceof AgidbError) || error.code !== 'AGIDB_UNSUPPORTED') throw error
    const { share: _, ...alone } = options
    return openNode(alone)
  }
}

/** Whether another process has the database open and lets others use it. */
async function isServed(path: string): Promise<boolean> {
  const reached = await new SharedFolder(path).reach()
  reached?.socket.destroy()
  return reached !== undefined
}

/** The same error with advice: which process to end, or what to wait for. */
async function inUse(error: AgidbError, path: string): Promise<AgidbError> {
  const message = (await isServed(path))
    ? `${error.message}; end that process, then run this again`
    : `${error.message}; that process does not share it, as agidb mcp and programs that open it with share: true do: ` +
      'wait until it has ended, or end it, then run this again'
  return new AgidbError(error.code, message, error.details, { cause: error })
}

function isInUse(error: unknown): error is AgidbError {
  return error instanceof AgidbError && error.code === 'AGIDB_IN_USE'
}

function needsPassphrase(error: unknown): boolean {
  return error instanceof AgidbError && error.code === 'AGIDB_PASSPHRASE' && error.details['needed'] === 'passphrase'
}
