import type { Agidb, Episode } from '../../src/runtimes/browser/index.js'
import { HERE } from './here.js'

/** Turns that are heard, and milliseconds from one to the next. */
const TURNS = 40
const PACE = 500

/** Lets the memory hear turns that it holds, as frames: from one on, or from the first. */
export async function listen(
  db: Agidb,
  from: string | undefined,
  signal: AbortSignal,
  heard: () => Promise<void>,
): Promise<void> {
  for (const { text, speaker, at } of await turnsFrom(db, from)) {
    if (signal.aborted) return
    await db.observeSensory({
      modality: 'text',
      text,
      at,
      session: HERE,
      source: HERE,
      ...(speaker !== undefined && { speaker }),
    })
    await heard()
    await new Promise((resolve) => setTimeout(resolve, PACE))
  }
}

async function turnsFrom(db: Agidb, from: string | undefined): Promise<readonly Episode[]> {
  const first = from === undefined ? undefined : await db.getEpisode(from)
  for await (const page of db.episodes({ limit: TURNS, ...(first && { after: first.id, session: first.session }) })) {
    return [...(first ? [first] : []), ...page].slice(0, TURNS)
  }
  return first ? [first] : []
}
