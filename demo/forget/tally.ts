import type { Agidb } from '../../src/runtimes/browser/index.js'

/** How many memories each speaker and each conversation has, the most first. */
export interface Tally {
  readonly speakers: readonly (readonly [name: string, memories: number])[]
  readonly sessions: readonly (readonly [name: string, memories: number])[]
}

/** Episodes at a time: few enough to let questions through in between. */
const PAGE = 500

/** Counts the memories of speakers and conversations; `undefined` when the signal fired meanwhile. */
export async function tally(db: Agidb, signal: AbortSignal): Promise<Tally | undefined> {
  const speakers = new Map<string, number>()
  const sessions = new Map<string, number>()
  for await (const page of db.episodes({ limit: PAGE })) {
    if (signal.aborted) return undefined
    for (const { speaker, session } of page) {
      add(speakers, speaker)
      add(sessions, session)
    }
  }
  return { speakers: ranked(speakers), sessions: ranked(sessions) }
}

function add(counts: Map<string, number>, name: string | undefined): void {
  if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
}

const ranked = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
