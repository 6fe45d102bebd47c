import type { Agidb } from '../core/agidb.js'
import { AgidbError } from '../core/errors.js'
import type { Observation } from '../core/episode.js'

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
 * @throws AgidbError whatever reading throws, after what came before it was remembered, and whatever `observeMany` throws.
 */
export async function rememberTranscript(
  db: Pick<Agidb, 'observeMany' | 'getEpisode'>,
  transcript: AsyncIterable<Observation>,
  options: RememberOptions = {},
): Promise<Remembered> {
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
    if (fresh.length > 0) await db.observeMany(fresh)
    remembered += fresh.length
    known += items.length - fresh.length
    onProgress?.({ remembered, known })
  }

  try {
    for await (const observation of transcript) {
      waiting.push(observation)
      if (waiting.length >= batch) await flush()
    }
  } catch (error) {
    await flush()
    throw error
  }
  await flush()
  return { remembered, known }
}

async function unknownTo(db: Pick<Agidb, 'getEpisode'>, items: readonly Observation[]): Promise<Observation[]> {
  const episodes = await Promise.all(items.map(({ id }) => (id === undefined ? undefined : db.getEpisode(id))))
  return items.filter((_, index) => episodes[index] === undefined)
}

function stopped(sofar: Remembered): AgidbError {
  const message = `stopped after ${sofar.remembered} new memories; they are kept, and remembering the transcript again goes on from there`
  return new AgidbError('AGIDB_ABORTED', message, { ...sofar })
}
