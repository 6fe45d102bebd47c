import type { Agidb, Match, OpenOptions, RecallOptions } from 'agidb'

/** Ids and times are functions of these, so every runtime must give the same answers. */
export const FIXED: OpenOptions = { seed: 7, extract: 'none', clock: () => Date.UTC(2026, 4, 2) }

export interface Answers {
  readonly kernel: string
  readonly codebook: string
  readonly episodes: number
  readonly place: readonly Match[]
  readonly rent: readonly Match[]
  readonly recommended: readonly Match[]
  readonly tokyo: readonly Match[]
  /** What the other floors answer. */
  readonly mind: unknown
  /** What documents answer. */
  readonly documents: unknown
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
  const mind = await wantAndBelieve(db)
  const documents = await readDocuments(db)
  await db.close()
  const closed = await db.stats().catch((error: { code?: unknown }) => error.code)
  return { kernel, codebook, episodes, place, rent, recommended, tokyo, mind, documents, closed }
}

/** Goes through all floors and tells what they then hold. */
async function wantAndBelieve(db: Agidb): Promise<unknown> {
  const goal = await db.setGoal({ description: 'find a thai place for the team dinner' })
  await db.observeSensory({ modality: 'text', text: 'Roger.' })
  await db.observeSensory({ modality: 'audio', latent: Float32Array.of(0.3, -0.1, 0.8), encoder: 'ear' })
  const triples = [{ subject: 'Bawri', predicate: 'is', object: 'a thai restaurant' }]
  const [map, guide] = await db.observeMany(
    ['On the map.', 'In the guide.', 'Tom was there.'].map((text) => ({ text, triples })),
  )
  const belief = await db.assertBelief({ claim: 'Bawri is a thai restaurant', ...triples[0], evidence: [map] })
  await db.reviseBelief(belief, guide)
  const procedure = await db.learnProcedure({
    name: 'book a table',
    trigger: 'dinner with the team',
    steps: ['call', 'ask for a table'],
  })
  await db.recordExecution(procedure, { success: true })
  const { elapsedMs: _, ...consolidated } = await db.consolidate()
  const { semanticAtoms, beliefs, activeGoals } = await db.recall('what thai place was mentioned?')
  await db.completeGoal(goal, [map])
  return {
    consolidated,
    semanticAtoms,
    beliefs,
    activeGoals,
    buffer: await db.workingState(),
    procedures: await db.proceduresFor('where does the team have dinner?'),
    learned: await db.whatDidILearn(0),
    self: [...(await db.selfVector())],
  }
}

/** Stores a document and a note, searches them, and tells what is used and who the agent is by them. */
async function readDocuments(db: Agidb): Promise<unknown> {
  const { entries } = db
  const text = '# Team\n\n## Dinner\n\nBawri seats ten people.\n\n## Office\n\nThe rent is due on Monday.\n'
  const report = await entries.ingest(text, { source: 'team.md', perspectives: ['knowledge'] })
  const note = await entries.add('Book a table two weeks ahead.', { perspectives: ['learnings', 'knowledge'] })
  await entries.relate(note.id, 'derived_from', report.entries[1])
  const question = 'how many people does the restaurant seat?'
  const first = await entries.search(question)
  await db.flush()
  const { centroids, ...identity } = await entries.identity()
  return {
    report,
    first,
    again: await entries.search(question, { recencyWindow: 'week' }),
    suggested: await entries.suggestPerspectives(report.entries[2]),
    centroids: centroids.map((one) => ({ ...one, centroid: [...one.centroid] })),
    identity,
    priming: await entries.priming(),
  }
}
