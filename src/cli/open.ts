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

/** How to open, and how many milliseconds to wait. */
export interface WaitOptions extends Pick<OpenOptions, 'ranker' | 'codebook' | 'readOnly' | 'extract'> {
  readonly patience?: number
  /** Whether texts are encoded as the configuration says. Default false. */
  readonly encodes?: boolean
  /** Whether it learns from what it is asked. Default false: a question on the command line leaves it as it is. */
  readonly learns?: boolean
}

/** {@link WaitOptions} of what may run in several processes at once. */
interface ShareWishes extends WaitOptions {
  /** Whether other processes may use the memory while it is open here. Default false. */
  readonly shares?: boolean
}

type FolderOptions = OpenOptions & Omit<FolderPlace, 'share'>

/** The engine of a database in this process. */
export type Engine = Awaited<ReturnType<typeof openNode>>

/** A database that a command has open: its engine runs in this process, or in the one that shares it. */
export type Opened = Agidb

/**
 * Opens a database. Where another process has it open and shares it (`share: true`, as `agidb mcp` does), that one does
 * what is asked, with its own options; otherwise this waits a little until it is free. Of one that is encrypted with a
 * passphrase it takes that from {@link memoryPassphrase}.
 *
 * @throws AgidbError `AGIDB_IN_USE` when another process has it open for longer than `patience` milliseconds and does
 * not share it; `AGIDB_READ_ONLY` where the configuration allows reading only and `readOnly` is not true;
 * `AGIDB_CONFIG`; and whatever `Agidb.open` throws
 */
export function openWhenFree(path: string, { shares = false, ...wishes }: ShareWishes = {}): Promise<Opened> {
  return whenFree<Opened>(path, wishes, async (options) => {
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
 * Opens a database in this process alone, with options that hold only here.
 *
 * @throws AgidbError as {@link openWhenFree} does, and `AGIDB_IN_USE` where another process shares it, too.
 */
export function openAlone(path: string, wishes: WaitOptions = {}): Promise<Engine> {
  return whenFree(path, wishes, openNode)
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

/** Opens a memory that other processes may use meanwhile; for itself alone where no socket can be made. */
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

/** The same error, saying what there is to do. */
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
