import type { Agidb } from '../src/runtimes/browser/index.js'

/** Of a page of episodes, what the page shows without being asked. */
export interface Surveyed {
  /** Epoch milliseconds. */
  readonly times: readonly number[]
  /** How many of them came from the source that was asked about. */
  readonly fromSource: number
}

/** Episodes at a time: few enough to let questions through in between. */
const PAGE = 500

/**
 * Goes through all that the memory holds until the signal fires.
 *
 * @param apart - the source whose times are left out: what is said to the page now is years away from what was loaded
 */
export async function* survey(db: Agidb, source: string, apart: string, signal: AbortSignal): AsyncGenerator<Surveyed> {
  for await (const page of db.episodes({ limit: PAGE })) {
    if (signal.aborted) return
    yield {
      times: page.filter((episode) => episode.source !== apart).map(({ at }) => Date.parse(at)),
      fromSource: page.filter((episode) => episode.source === source).length,
    }
  }
}
