import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Agidb as Memory } from '../../../../src/api/agidb.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { holds } from '../../../bytes/forms.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'
import type { Known } from '../answers.js'
import { lastingProbes, probes } from './probes.js'

const NAME = 'Quixolda'

/** Tells a memory something of every kind; answers by what it is asked. */
async function told(db: Memory): Promise<Known> {
  const id = await db.observe(`${NAME} lives in Lisbon.`, { session: 's', source: 'chat', speaker: NAME, tags: ['t'] })
  for (let i = 0; i < 3; i++) await db.observe(`The shop of ${NAME} opens at nine every day.`, { session: 's' })
  const likes = { predicate: 'likes', object: 'tea' }
  const triples = [NAME, 'Quix'].map((subject) => ({ subject, ...likes }))
  await db.observe(`${NAME} and Quix like tea.`, { session: 's', triples })
  await db.update(id, { text: `${NAME} lives in Lisbon now.` })
  await db.observeSensory({ modality: 'text', text: `${NAME} stands at the gate.`, session: 's' })
  const beliefs = [
    await db.assertBelief({ claim: `${NAME} is kind`, confidence: 0.9 }),
    await db.assertBelief({ claim: 'Lisbon is warm', confidence: 0.6, evidence: [id] }),
  ]
  await db.withdrawBelief(beliefs[0], 'asked for')
  const goals = [await db.setGoal({ description: `visit ${NAME}` }), await db.setGoal({ description: 'rest' })]
  await db.completeGoal(goals[0], [id])
  const procedures = [await db.learnProcedure({ name: 'ring', trigger: `${NAME} is late`, steps: ['ring'] })]
  await db.recordExecution(procedures[0], { success: true })
  const text = `# Notes\n\n${NAME} likes tea.\n\n# More\n\nIt rains.\n`
  const { entries } = await db.entries.ingest(text, { source: 'notes.md' })
  await db.entries.setVisibility(entries[0], 'always')
  await db.entries.relate(entries[0], 'related_to', entries[1])
  await db.entries.definePerspective('mine', `What ${NAME} thinks`)
  await db.entries.aging.configure({ degradeAfterDays: 9 })
  await db.alias(NAME, 'Quix')
  await db.split(NAME, ['Quix'])
  await db.graph.relate(NAME, 'knows', 'Tom')
  await db.graph.relate('Tom', 'knows', 'Ann', { evidence: [id] })
  await db.graph.forgetEdge({ from: NAME, to: 'Tom' })
  await db.recall(`where does ${NAME} live?`, { traceAttention: true, whole: true })
  await db.consolidate()
  await db.flush()
  return { goals, beliefs, procedures, sessions: ['s'], concepts: [NAME, 'Quix', 'Tom'], times: [NOW] }
}

const NOBODY: Known = { goals: [], beliefs: [], procedures: [], sessions: ['s'], concepts: [NAME], times: [NOW] }
const same = (id: string) => id

describe('unlearning all', () => {
  test('leaves a memory that answers as a new one, and all of it comes back', async () => {
    const [full, fresh] = [await openMemory(), await openMemory()]
    const known = await told(full)
    const before = await probes(full, known)
    const { auditId, ...report } = await full.unlearn({ all: true }, 'asked for')
    expect(report).toMatchObject({ beliefsRemoved: 2, goalsAffected: 2, proceduresAffected: 1, framesRemoved: 1 })
    expect(report.episodesRemoved).toBeGreaterThan(5)
    expect(report.semanticAtomsAffected).toBeGreaterThan(0)
    expect(await full.unlearnReport(auditId!)).toMatchObject({ target: 'all', state: 'restorable' })
    expect(await full.unlearn({ all: true }, 'again')).toMatchObject({ episodesRemoved: 0, selfVectorDriftHamming: 0 })
    expect(await full.unlearnHistory(0)).toHaveLength(1)
    await full.restoreWithinWindow(auditId!)
    expect(await probes(full, known)).toEqual(before)
    await full.unlearn({ all: true }, 'for good')
    expect(await lastingProbes(full, NOBODY, same)).toEqual(await lastingProbes(fresh, NOBODY, same))
  })

  test('says in a dry run what would go, and takes nothing', async () => {
    const db = await openMemory()
    const known = await told(db)
    const before = await probes(db, known)
    const dry = await db.unlearn({ all: true }, 'r', { dryRun: true })
    expect(await probes(db, known)).toEqual(before)
    const { auditId: _, selfVectorDriftHamming: __, ...real } = await db.unlearn({ all: true }, 'r')
    expect(dry).toEqual(real)
  })

  test('leaves what was unlearned before to be restored by itself', async () => {
    const db = await openMemory()
    const id = await db.observe('The dentist moved.', { session: 's' })
    const belief = await db.assertBelief({ claim: 'the dentist moved', confidence: 0.9, evidence: [id] })
    const { auditId } = await db.unlearn({ session: 's' }, 'r')
    await db.observe('It rains.')
    await db.unlearn({ all: true }, 'r')
    await db.restoreWithinWindow(auditId!)
    expect(await db.getBelief(belief)).toMatchObject({ evidence: [id] })
    expect(await db.count()).toBe(1)
  })

  test('forgets one scope and no other', async () => {
    const db = await Agidb.open({ storage: 'memory', extract: 'none', codebook: 'none' })
    const [ann, bob] = [db.scope({ user: 'ann' }), db.scope({ user: 'bob' })]
    for (const scope of [ann, bob]) {
      await scope.observe('The dentist moved.')
      await scope.setGoal({ description: 'rest' })
    }
    await ann.unlearn({ all: true }, 'request of 1 May')
    expect([await ann.count(), (await ann.goals()).length]).toEqual([0, 0])
    expect([await bob.count(), (await bob.goals()).length]).toEqual([1, 1])
    await db.close()
  })

  test.each(['none', 'rules'] as const)('leaves no byte once it is erased, with extract: %s', (extract) =>
    withFolder(async (path) => {
      const db = await Agidb.open({ path, extract, codebook: 'none', clock: () => NOW })
      await told(db)
      const found = () =>
        readdirSync(path).filter((file) => file.endsWith('.agidb') && holds(readFileSync(join(path, file)), NAME))
      expect(found()).not.toEqual([])
      const { tombstoneExpiry } = await db.unlearn({ all: true }, 'asked for')
      await db.expire(tombstoneExpiry)
      expect(found()).toEqual([])
      await db.close()
      expect(found()).toEqual([])
    }))

  test.each([false, 'yes', 1, null])('refuses { all: %s }', async (all) => {
    const db = await openMemory()
    const error = await db.unlearn({ all } as never, 'r').catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT', details: { what: 'target.all' } })
    expect(String(error)).toContain('target.all must be true')
  })
})
