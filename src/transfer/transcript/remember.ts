import type { Agidb } from '../../api/agidb.js'
import { checkKeys } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import type { Observation } from '../../api/episode.js'

/** What {@link rememberTranscript} has done so far. */
export interface Remembered {
  /** Observations that are now in the database and were not before. */
  readonly remembered: number
  /** Observations that the database knew already, by their ids. */
  readonly known: number
}

/** Options of {@link rememberTranscript}. */
export interface RememberOptions {
  /** Observations a batch. Default 1,000. */
  readonly batch?: number
  /** Called after each durable batch. */
  readonly onProgress?: (sofar: Remembered) => void
  /** Stops before the next batch with `AGIDB_ABORTED`; what was remembered stays. */
  readonly signal?: AbortSignal
}

/**
 * Remembers a transcript in batches while it is read. What the database already knows by its id is not observed again,
 * so to remember the same file twice, or to go on after an interruption, is safe.
 *
 * @throws AgidbError what reading throws, after the messages before it were remembered, and what `observeMany`
 * throws. Its details say how many are `remembered` and `known` in all, its message how many are kept.
 */
export async function rememberTranscript(
  db: Pick<Agidb, 'observeMany' | 'getEpisode'>,
  transcript: AsyncIterable<Observation>,
  options: RememberOptions = {},
): Promise<Remembered> {
  checkKeys('rememberTranscript', options, ['batch', 'onProgress', 'signal'])
  const { batch = 1_000, onProgress, signal } = options
  let waiting: Observation[] = []
  let remembered = 0
  let known = 0

  const flush = async () => {
    if (signal?.aborted) throw stopped({ remembered, known })
    const items = waiting
    waiting = []
    if (items.length === 0) return
    const fresh = await unknownTo(db, items)
    known += items.length - fresh.length
    try {
      if (fresh.length > 0) await db.observeMany(fresh)
    } catch (error) {
      remembered += observedBefore(error)
      throw kept(error, { remembered, known })
    }
    remembered += fresh.length
    onProgress?.({ remembered, known })
  }

  try {
    for await (const observation of transcript) {
      waiting.push(observation)
      if (waiting.length >= batch) await flush()
    }
  } catch (error) {
    await flush()
    throw kept(error, { remembered, known })
  }
  await flush()
  return { remembered, known }
}

/** How much of its batch `observeMany` had made durable when it failed. */
function observedBefore(error: unknown): number {
  const observed = error instanceof AgidbError ? error.details['observed'] : undefined
  return typeof observed === 'number' ? observed : 0
}

/** What `observeMany` says of its batch. It would be read as all there is. */
const OF_THE_BATCH = / \(\d+ of the items before it are durable\)$/

/** The error with how much of the transcript is in the database in spite of it. */
function kept(error: unknown, sofar: Remembered): unknown {
  if (!(error instanceof AgidbError) || 'remembered' in error.details) return error
  const { observed: _, ...details } = error.details
  const count = sofar.remembered + sofar.known
  const before =
    count === 0
      ? ''
      : count === 1
        ? '; the 1 memory before it is kept'
        : `; the ${count.toLocaleString('en')} memories before it are kept`
  return new AgidbError(
    error.code,
    `${error.message.replace(OF_THE_BATCH, '')}${before}`,
    { ...details, ...sofar },
    { cause: error },
  )
}

async function unknownTo(db: Pick<Agidb, 'getEpisode'>, items: readonly Observation[]): Promise<Observation[]> {
  const episodes = await Promise.all(items.map(({ id }) => (id === undefined ? undefined : db.getEpisode(id))))
  return items.filter((_, index) => episodes[index] === undefined)
}

function stopped(sofar: Remembered): AgidbError {
  const message =
    `stopped after ${sofar.remembered} new memories; they are kept, and remembering the transcript again goes on ` +
    'from there'
  return new AgidbError('AGIDB_ABORTED', message, { ...sofar })
}
