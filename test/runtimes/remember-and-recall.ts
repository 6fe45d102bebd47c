import type { Agidb, Match, OpenOptions, RecallOptions } from 'agidb'

/** Ids and times are functions of these, so every runtime must give the same answers. */
export const FIXED: OpenOptions = { seed: 7, clock: () => Date.UTC(2026, 4, 2) }

export interface Answers {
  readonly kernel: string
  readonly codebook: string
  readonly episodes: number
  readonly place: readonly Match[]
  readonly rent: readonly Match[]
  readonly recommended: readonly Match[]
  readonly tokyo: readonly Match[]
  /** The code of the error of a call on a closed database. */
  readonly closed: unknown
}

/** Remembers a few statements in an empty database and asks for them. Closes it. */
export async function rememberAndRecall(db: Agidb): Promise<Answers> {
  await db.observe('Sarah recommended Bawri, a thai place in Bandra.', {
    speaker: 'Sarah',
    session: 's1',
    at: '2026-05-01T19:00:00Z',
    triples: [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }],
  })
  await db.observeMany([
    { text: 'The rent is due on Monday.', speaker: 'Tom', session: 's1', at: '2026-05-01T19:01:00Z' },
    { text: 'Аренда вырастет в июне.', speaker: 'Tom', session: 's2', at: '2026-05-01T20:00:00Z' },
    { text: '東京で会いましょう 😀', speaker: 'Yuki', session: 's2', at: '2026-05-01T20:01:00Z' },
  ])
  const ask = async (cue: string, options: RecallOptions = {}) => (await db.recall(cue, { k: 2, ...options })).matches
  const place = await ask('which thai place was mentioned?')
  const rent = await ask('when must the rent be paid?')
  const recommended = await ask('what was recommended?', { structured: { subject: 'Sarah', predicate: 'recommends' } })
  const tokyo = await ask('東京', { session: 's2' })
  const { kernel, codebook, episodes } = await db.stats()
  await db.close()
  const closed = await db.stats().catch((error: { code?: unknown }) => error.code)
  return { kernel, codebook, episodes, place, rent, recommended, tokyo, closed }
}
