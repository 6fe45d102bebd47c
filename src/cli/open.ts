import { setTimeout as sleep } from 'node:timers/promises'
import { AgidbError } from '../base/errors.js'
import type { OpenOptions } from '../api/open-options.js'
import { llmSummarizer } from '../llm/index.js'
import { openNode, type NodeOptions } from '../runtimes/node/engine.js'
import { Agidb } from '../runtimes/node/index.js'
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
  /** Whether other processes can open it meanwhile with `share: true`. Default false. */
  readonly share?: boolean
}

/** A memory that a command has open: its engine runs in this process, or in one that shares it. */
export type Opened = Agidb

/** The engine of a memory in this process. */
export type OpenedEngine = Awaited<ReturnType<typeof openNode>>

/**
 * Opens a memory. If another process has it open and shares it, that process answers, with the options that it was
 * opened with; if it does not share it, this waits a little for it to end. A memory that is encrypted with a passphrase
 * is opened with that of {@link memoryPassphrase}.
 *
 * @throws AgidbError `AGIDB_IN_USE` when that takes longer than `patience` milliseconds; `AGIDB_READ_ONLY` where the
 * configuration allows reading only and `readOnly` is not true; `AGIDB_CONFIG`; and whatever `Agidb.open` throws
 */
export function openWhenFree(path: string, { share = false, ...options }: WaitOptions = {}): Promise<Opened> {
  // The process that has the memory open would rank with a ranker of its own.
  const joins = options.ranker === undefined
  return whenFree(path, options, (given, attempt) =>
    Agidb.open({ ...given, share: share || (joins && attempt % 2 === 1) }),
  )
}

/**
 * Opens the engine of a memory in this process, for what the public methods do not give. It waits as
 * {@link openWhenFree} does, and throws what that throws.
 */
export function openEngineWhenFree(path: string, options: Omit<WaitOptions, 'share'>): Promise<OpenedEngine> {
  return whenFree(path, options, openNode)
}

/** Attempts to open until the memory is free. Attempts are counted from 0. */
async function whenFree<T>(
  path: string,
  { patience = PATIENCE, encodes = false, learns = false, ...options }: Omit<WaitOptions, 'share'>,
  open: (options: NodeOptions & { readonly path: string }, attempt: number) => Promise<T>,
): Promise<T> {
  if (options.readOnly !== true) refuseWhenReadOnly(path)
  const { embedder, summarizer, llm } = configurationOf(path).settings
  const encoder = encodes ? await encoderOf(embedder) : undefined
  const until = performance.now() + patience
  let encryption: { readonly passphrase: string } | undefined
  for (let attempt = 0; ; ) {
    try {
      const given = {
        ...options,
        path,
        encryption,
        encoder,
        summarizer: summarizer === 'llm' ? llmSummarizer(llmOf(llm)) : summarizer,
        learnFromRecall: learns,
      }
      return await open(given, attempt)
    } catch (error) {
      if (encryption === undefined && needsPassphrase(error)) {
        encryption = { passphrase: await memoryPassphrase(path) }
        continue
      }
      if (!(error instanceof AgidbError) || error.code !== 'AGIDB_IN_USE') throw error
      if (performance.now() >= until) {
        const message =
          `${error.message}; it does not share the memory, as \`agidb mcp\` and open({ share: true }) do: wait until ` +
          'it has ended, or end it, then run this again'
        throw new AgidbError(error.code, message, error.details, { cause: error })
      }
    }
    await sleep(INTERVAL)
    attempt++
  }
}

function needsPassphrase(error: unknown): boolean {
  return error instanceof AgidbError && error.code === 'AGIDB_PASSPHRASE' && error.details['needed'] === 'passphrase'
}
