import { describe, expect, test } from 'vitest'
import { listed, NOW, openMemory, withFolder } from '../../engine/open.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { kernel } from '../../encoding/kernel.js'

const NONE = {
  episodesRemoved: 0,
  beliefsRemoved: 0,
  beliefsRevised: 0,
  semanticAtomsAffected: 0,
  proceduresAffected: 0,
  goalsAffected: 0,
  framesRemoved: 0,
  tracesRemoved: 0,
  episodesRevived: 0,
  signaturesInvalidated: 0,
}

describe('unlearning an episode', () => {
  test('takes it out of every answer, and restoring brings it back', async () => {
    const db = await openMemory()
    const tea = await db.observe('Sarah likes green tea.', { session: 's1', speaker: 'Sarah' })
    const dog = await db.observe('The dog chased a ball.', { session: 's1' })
    const before = await db.recall('what does Sarah like?')
    const report = await db.unlearn({ episode: tea }, 'asked for')
    expect(report).toMatchObject({ ...NONE, episodesRemoved: 1, signaturesInvalidated: 1, selfVectorDriftHamming: 0 })
    expect(report.tombstoneExpiry).toBe(new Date(NOW + 30 * 86_400_000).toISOString())
    expect(report.graph).toEqual({ nodes: [{ id: tea, kind: 'episode', becomes: 'removed' }], edges: [] })
    expect(await db.getEpisode(tea)).toBeUndefined()
    expect((await listed(db)).map(({ id }) => id)).toEqual([dog])
    expect((await db.recall('what does Sarah like?')).matches.map(({ id }) => id)).toEqual([dog])
    expect(await db.stats()).toMatchObject({ episodes: 1, tombstones: 1, speakers: 0 })
    const record = await db.unlearnReport(report.auditId!)
    const { graph: _, ...counts } = report
    expect(record).toEqual({
      ...counts,
      at: new Date(NOW).toISOString(),
      target: 'episode',
      targetHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      reason: 'asked for',
      state: 'restorable',
    })
    expect(await db.unlearnHistory(0)).toEqual([record])
    expect(await db.restoreWithinWindow(report.auditId!)).toEqual({
      auditId: report.auditId,
      episodesRestored: 1,
      framesRestored: 0,
      eventsRestored: 0,
      selfVectorDriftHamming: 0,
    })
    expect((await db.recall('what does Sarah like?')).matches).toEqual(before.matches)
    expect((await listed(db)).map(({ id }) => id)).toEqual([tea, dog])
    expect(await db.stats()).toMatchObject({ episodes: 2, tombstones: 0 })
    expect((await db.unlearnReport(report.auditId!)).state).toBe('restored')
    await expect(db.restoreWithinWindow(report.auditId!)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })

  test('is told of a folder that is opened again, and can be restored there', () =>
    withFolder(async (path) => {
      const open = () => openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1, keepAfter: 1 })
      let db = await open()
      const a = await db.observe('the first thing')
      const b = await db.observe('the second thing')
      await db.close()
      db = await open()
      const { auditId } = await db.unlearn({ episode: a }, 'r')
      await db.close()
      db = await open()
      expect((await listed(db)).map(({ id }) => id)).toEqual([b])
      expect((await db.verify()).problems).toEqual([])
      expect((await db.recall('first thing')).matches.map(({ id }) => id)).toEqual([b])
      await db.close()
      db = await open()
      await db.restoreWithinWindow(auditId!)
      await db.close()
      db = await open()
      expect((await listed(db)).map(({ id }) => id)).toEqual([a, b])
      expect((await db.recall('first thing')).matches[0].id).toBe(a)
      expect((await db.verify()).problems).toEqual([])
      await db.close()
    }))

  test('a dry run says the same and changes nothing', async () => {
    const db = await openMemory()
    const a = await db.observe('the first thing', { session: 's' })
    const dry = await db.unlearn({ session: 's' }, 'r', { dryRun: true })
    expect(dry).toMatchObject({ episodesRemoved: 1 })
    expect(dry.auditId).toBeUndefined()
    expect(dry.selfVectorDriftHamming).toBeUndefined()
    expect(await db.getEpisode(a)).toBeDefined()
    expect(await db.unlearnHistory(0)).toEqual([])
    const { auditId: _, selfVectorDriftHamming: __, ...real } = await db.unlearn({ session: 's' }, 'r')
    expect(dry).toEqual(real)
  })

  test('of nothing gives zeros and no record', async () => {
    const db = await openMemory()
    for (const options of [{}, { dryRun: true }]) {
      const report = await db.unlearn({ session: 'none' }, 'r', options)
      expect(report).toMatchObject({ ...NONE, selfVectorDriftHamming: 0 })
      expect(report.auditId).toBeUndefined()
    }
    expect(await db.unlearnHistory(0)).toEqual([])
    await expect(db.unlearn({ episode: 'ep_none' }, 'r')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(db.unlearn({ belief: 'be_none' }, 'r')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(db.unlearnReport('au_none')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(db.restoreWithinWindow('au_none')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  })
})

test('the report tells a belief that is gone from one that has evidence left', async () => {
  const db = await openMemory()
  const moved = await db.observe('The dentist moved to Hill Road.', { session: 'tuesday' })
  const said = await db.observe('The dentist is in Hill Road now.', { session: 'monday' })
  const gone = await db.assertBelief({ claim: 'the dentist moved', confidence: 0.9, evidence: [moved] })
  const left = await db.assertBelief({ claim: 'Hill Road has a doctor', confidence: 0.9, evidence: [moved, said] })
  const report = await db.unlearn({ session: 'tuesday' }, 'asked for')
  expect(report).toMatchObject({ beliefsRemoved: 1, beliefsRevised: 1 })
  expect(report.graph.nodes).toContainEqual({ id: gone, kind: 'belief', becomes: 'removed' })
  expect(report.graph.nodes).toContainEqual({ id: left, kind: 'belief', becomes: 'changed' })
  expect(await db.getBelief(gone)).toBeUndefined()
  expect(await db.getBelief(left)).toMatchObject({ evidence: [said] })
})

test('the history of an episode does not name what superseded it and is forgotten, until that is back', async () => {
  const db = await openMemory()
  await db.observe('The dentist is in Hill Road.', { id: 'old' })
  await db.observe('The dentist moved.', { id: 'new' })
  await db.supersede('old', 'new')
  await db.update('old', { text: 'The dentist was in Hill Road.' })
  const before = await db.history('old')
  expect(before[0].episode.superseded).toMatchObject({ by: 'new' })
  const { auditId } = await db.unlearn({ episode: 'new' }, 'asked for')
  expect(JSON.stringify(await db.history('old'))).not.toContain('new')
  await db.restoreWithinWindow(auditId!)
  expect(await db.history('old')).toEqual(before)
})

test('a belief that is forgotten with its session leaves no revision behind, and all comes back', async () => {
  let now = NOW
  const db = await openMemory({ clock: () => (now += 1_000) })
  const observe = (session: string, predicate: string, source: string) =>
    db.observe(`Tom ${predicate} Oslo.`, {
      session,
      source,
      triples: [{ subject: 'Tom', predicate, object: 'Oslo' }],
    })
  const evidence = [await observe('monday', 'lives in', 'chat')]
  const said = { subject: 'Tom', predicate: 'lives in', object: 'Oslo' }
  const belief = await db.assertBelief({
    claim: 'Tom lives in Oslo',
    ...said,
    confidence: 0.6,
    evidence,
    session: 'tuesday',
  })
  for (const source of ['a', 'b', 'c', 'd', 'e', 'f']) await observe('tuesday', 'does not live in', source)
  expect(await db.getBelief(belief)).toHaveProperty('withdrawn')
  // What would revise the belief if nobody had denied it.
  await observe('monday', 'lives in', 'mail')
  const history = await db.beliefHistory(belief)
  const { auditId } = await db.unlearn({ session: 'tuesday' }, 'asked for')
  expect((await db.whatDidILearn(0)).map(({ kind }) => kind)).toEqual(['episodeStored', 'episodeStored', 'unlearned'])
  expect(await db.introspect({ question: 'what changed my mind' })).toMatchObject({ events: [] })
  await db.restoreWithinWindow(auditId!)
  expect(await db.beliefHistory(belief)).toEqual(history)
})
