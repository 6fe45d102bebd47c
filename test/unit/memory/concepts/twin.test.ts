import { expect, test } from 'vitest'
import type { Observation } from '../../../../src/api/episode.js'
import { openMemory } from '../../engine/open.js'

const likes = (id: string, subject: string, session: string): Observation & { text: string } => ({
  id,
  text: `${subject} likes tea.`,
  session,
  speaker: session === 's1' ? 'Melissa' : 'Caroline',
  triples: [{ subject, predicate: 'likes', object: 'tea' }],
})
const ALL: readonly (Observation & { text: string })[] = [
  likes('1', 'Mel', 's2'),
  { id: '2', text: 'Bombay, also known as Mumbai, is hot.', session: 's1' },
  likes('3', 'Melanie', 's2'),
  likes('4', 'Melissa', 's1'),
  { id: '5', text: 'Mumbai, also known as Bambai, is big.', session: 's2' },
  { ...likes('6', 'Mel', 's1'), text: 'Everyone calls me Missy.' },
]

async function answers(episodes: readonly (Observation & { text: string })[], forget: boolean) {
  const db = await openMemory()
  await db.observeMany(episodes)
  await db.alias('tea', 'chai')
  const before = await all(db)
  const { auditId } = forget ? await db.unlearn({ session: 's1' }, 'asked') : {}
  const after = await all(db)
  if (auditId !== undefined) await db.restoreWithinWindow(auditId)
  const restored = await all(db)
  await db.close()
  return { before, after, restored }
}

async function all(db: Awaited<ReturnType<typeof openMemory>>) {
  return {
    concepts: await Promise.all((await db.concepts()).map(async ({ id }) => await db.concept(id))),
    merges: (await db.whatDidILearn(0, { kinds: ['conceptsMerged'] })).map((event) => ({ ...event, id: '' })),
    recalled: (await db.recall('Does Mel drink chai in Mumbai?')).matches.map(({ id, confidence }) => [id, confidence]),
    candidates: await db.beliefCandidates({ minSupport: 1, minConfidence: 0 }),
  }
}

test('a memory that unlearned why names are one is a twin of one that never had it, until it is back', async () => {
  const full = await answers(ALL, true)
  const twin = await answers(
    ALL.filter(({ session }) => session !== 's1'),
    false,
  )
  expect(full.before).not.toEqual(twin.before)
  expect(full.after).toEqual(twin.before)
  expect(full.restored).toEqual(full.before)
})
