import { setTimeout as sleep } from 'node:timers/promises'
import { AgidbError } from '../base/errors.js'
import type { OpenOptions } from '../api/open-options.js'
import { llmSummarizer } from '../llm/index.js'
import { openNode } from '../runtimes/node/engine.js'
import { configurationOf, refuseWhenReadOnly } from './configuration.js'
import { encoderOf } from './encoder.js'
import { llmOf } from './llm.js'
import { memoryPassphrase } from './memory-passphrase.js'

/** Milliseconds to wait for another command to end: most take less. */
const PATIENCE = 2_000
/** Milliseconds between two attempts. */
const INTERVAL = 50

/** How to open, and how many milliseconds to wait. */
export interface WaitOptions extends Pick<OpenOptions, 'ranker' | 'codebook' | 'readOnly' | 'extract' | 'onExtracted'> {
  readonly patience?: number
  /** Whether texts are encoded as the configuration says. Default false. */
  readonly encodes?: boolean
  /** Whether it learns from what it is asked. Default false: a question on the command line leaves it as it is. */
  readonly learns?: boolean
}

/** The engine of a database in this process. */
export type Opened = Awaited<ReturnType<typeof openNode>>

/**
 * Opens a database, and waits a little when another process has it open. Of one that is encrypted with a passphrase it
 * takes that from {@link memoryPassphrase}.
 *
 * @throws AgidbError `AGIDB_IN_USE` when that takes longer than `patience` milliseconds; `AGIDB_READ_ONLY` where the
 * configuration allows reading only and `readOnly` is not true; `AGIDB_CONFIG`; and whatever `Agidb.open` throws
 */
export async function openWhenFree(
  path: string,
  { patience = PATIENCE, encodes = false, learns = false, ...options }: WaitOptions = {},
): Promise<Opened> {
  if (options.readOnly !== true) refuseWhenReadOnly(path)
  const { embedder, summarizer, llm } = configurationOf(path).settings
  const encoder = encodes ? await encoderOf(embedder) : undefined
  const until = performance.now() + patience
  let encryption: { readonly passphrase: string } | undefined
  for (;;) {
    try {
      return await openNode({
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
      if (!(error instanceof AgidbError) || error.code !== 'AGIDB_IN_USE') throw error
      if (performance.now() >= until) {
        const message =
          `${error.message}; a memory is open to one process at a time: wait until that one has ended, or end ` +
          'it, then run this again'
        throw new AgidbError(error.code, message, error.details, { cause: error })
      }
    }
    await sleep(INTERVAL)
  }
}

function needsPassphrase(error: unknown): boolean {
  return error instanceof AgidbError && error.code === 'AGIDB_PASSPHRASE' && error.details['needed'] === 'passphrase'
}
