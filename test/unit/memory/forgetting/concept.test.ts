import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Agidb as Memory } from '../../../../src/api/agidb.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { holds } from '../../../bytes/forms.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'
import { probes } from './probes.js'

/** Tells a memory of the dentist and, unless it is a twin that never hears of her, of Sarah. */
async function told(db: Memory, ofSarah: boolean) {
  const ids = new Map<string, string>()
  const note = async (name: string, id: Promise<string>) => ids.set(name, await id).get(name)!
  const dentist = await db.observe('The dentist moved to Hill Road.', { id: 'dentist', session: 's' })
  const visit = await note('visit', db.setGoal({ description: 'visit the dentist', successCriteria: ['a receipt'] }))
  const call = await note('call', db.learnProcedure({ name: 'call', trigger: 'a tooth hurts', steps: ['ring twice'] }))
  await note('held', db.assertBelief({ claim: 'the dentist is good', confidence: 0.9, evidence: [dentist] }))
  await db.recordExecution(call, { success: true, trace: ['rang once'] })
  await db.recall('where is the dentist?', { traceAttention: true })
  if (ofSarah) await toldOfSarah(db, { visit, call, note })
  await db.pauseGoal(visit, 'it is closed')
  return ids
}

interface Told {
  readonly visit: string
  readonly call: string
  readonly note: (name: string, id: Promise<string>) => Promise<string>
}

async function toldOfSarah(db: Memory, { call, note }: Told): Promise<void> {
  await db.observe('Sarah has a new flat.', { id: 'flat', session: 's' })
  await db.observeSensory({ modality: 'text', text: 'Sarah has a new flat.', session: 's' })
  const party = await note('party', db.setGoal({ description: 'plan a party for Sarah' }))
  const cake = await note('cake', db.setGoal({ description: 'bake a cake', parent: party }))
  await db.completeGoal(cake, ['dentist'])
  await note('present', db.setGoal({ description: 'buy flowers', successCriteria: ['sarah smiles'] }))
  const gift = await note('gift', db.setGoal({ description: 'buy a gift' }))
  await db.reviseGoal(gift, { description: 'buy Sarah a gift' })
  const walk = await note('walk', db.setGoal({ description: 'go for a walk' }))
  await db.abandonGoal(walk, "Sarah's foot hurts")
  await note('ring', db.learnProcedure({ name: 'ring', trigger: 'Sarah is late', steps: ['ring twice'] }))
  await note('door', db.learnProcedure({ name: 'open', trigger: 'the bell rings', steps: ['let Sarah in'] }))
  const lock = await note('lock', db.learnProcedure({ name: 'lock', trigger: 'at night', steps: ['turn the key'] }))
  await db.retireProcedure(lock, 'Sarah does it')
  await db.recordExecution(call, { success: false, note: 'Sarah took the phone' })
  const tall = await note('tall', db.assertBelief({ claim: 'the neighbour is tall', confidence: 0.8 }))
  await db.withdrawBelief(tall, 'Sarah is taller')
  await note('kind', db.assertBelief({ claim: 'Sarah is kind', confidence: 0.8 }))
  await db.recall('what does Sarah want?', { traceAttention: true })
  await db.graph.relate('Sarah', 'knows', 'Tom')
  await db.alias('Sarah', 'Sal')
}

/** What the floors and recalls answer, under names that memories share. */
function asked(db: Memory, ids: ReadonlyMap<string, string>) {
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const known = (prefix: string) => [...ids.values()].filter((id) => id.startsWith(prefix))
  const answered = probes(
    db,
    {
      goals: known('go_'),
      beliefs: known('be_'),
      procedures: known('pr_'),
      sessions: ['s'],
      concepts: ['Sarah', 'the dentist', 'Tom'],
      times: [NOW],
    },
    (id) => names.get(id) ?? id.replace(/^(ex|rc|sf)_[0-9A-Z]{26}$/, '$1'),
  )
  return answered as Promise<Record<string, unknown>>
}

describe('unlearning a concept', () => {
  test('takes goals, procedures, beliefs and traced recalls that name it, and reports how many', async () => {
    const db = await openMemory()
    const ids = await told(db, true)
    const dry = await db.unlearn({ concept: 'Sarah' }, 'r', { dryRun: true })
    const report = await db.unlearn({ concept: 'Sarah' }, 'asked for')
    expect(report).toMatchObject({
      episodesRemoved: 1,
      framesRemoved: 1,
      goalsAffected: 5,
      proceduresAffected: 4,
      beliefsRemoved: 2,
    })
    expect(report.tracesRemoved).toBeGreaterThan(0)
    expect(dry).toEqual({ ...report, auditId: undefined, selfVectorDriftHamming: undefined })
    expect(report.graph.nodes).toContainEqual({ id: ids.get('cake'), kind: 'goal', becomes: 'removed' })
    expect(report.graph.nodes).toContainEqual({ id: ids.get('door'), kind: 'procedure', becomes: 'removed' })
    expect(report.graph.nodes).toContainEqual({ id: ids.get('call'), kind: 'procedure', becomes: 'changed' })
    expect((await db.goals()).map(({ id }) => id)).toEqual([ids.get('visit')])
    expect((await db.procedures({ state: 'all' })).map(({ id }) => id)).toEqual([ids.get('call')])
    expect((await db.recall('a party for Sarah')).activeGoals).toEqual([])
    expect(JSON.stringify(await db.whatDidILearn(0))).not.toContain('Sarah')
  })

  test('leaves a memory that answers as its twin that never heard of it, and all comes back', async () => {
    const full = await openMemory()
    const twin = await openMemory()
    const ids = await told(full, true)
    const twins = await told(twin, false)
    const before = await asked(full, ids)
    const { auditId } = await full.unlearn({ concept: 'Sarah' }, 'asked for')
    // Ids of what the twin never had are unknown to it.
    const shared = new Map([...ids].filter(([name]) => twins.has(name)))
    expect(await asked(full, shared)).toEqual(await asked(twin, twins))
    expect(await full.getGoal(ids.get('party')!)).toBeUndefined()
    await full.restoreWithinWindow(auditId!)
    expect(await asked(full, ids)).toEqual(before)
  })

  test('finds whole words, under all names', async () => {
    const db = await openMemory()
    await db.alias('Sarah', 'Sal')
    const other = await db.setGoal({ description: 'buy salt for the Sarahs' })
    const named = await db.setGoal({ description: "meet Sal's friends" })
    expect(await db.unlearn({ concept: 'Sarah' }, 'r')).toMatchObject({ goalsAffected: 1 })
    expect([await db.getGoal(other), await db.getGoal(named)]).toMatchObject([{ id: other }, undefined])
  })

  test('takes an earlier version that names it, of an episode that does not any more', async () => {
    const db = await openMemory()
    const id = await db.observe('Sarah moved to Rome.')
    await db.update(id, { text: 'She moved to Rome.' })
    const before = await db.history(id)
    const { auditId } = await db.unlearn({ concept: 'Sarah' }, 'r')
    expect(await db.getEpisode(id)).toMatchObject({ text: 'She moved to Rome.' })
    expect(JSON.stringify(await db.history(id))).not.toContain('Sarah')
    await db.restoreWithinWindow(auditId!)
    expect(await db.history(id)).toEqual(before)
  })

  test.each([
    ['before', true],
    ['after', false],
  ])('gives no number twice to the versions of an episode that is updated %s one comes back', async (_, isFirst) => {
    for (const texts of [['She moved to Rome.'], ['She moved to Rome.', 'She moved to Oslo.']]) {
      const db = await openMemory()
      const id = await db.observe('Sarah moved to Rome.')
      for (const text of texts) await db.update(id, { text })
      const { auditId } = await db.unlearn({ concept: 'Sarah' }, 'r')
      if (isFirst) await db.update(id, { text: 'She moved to Kyiv.' })
      await db.restoreWithinWindow(auditId!)
      if (!isFirst) await db.update(id, { text: 'She moved to Kyiv.' })
      await db.update(id, { text: 'She moved to Lima.' })
      const history = await db.history(id)
      const all = ['Sarah moved to Rome.', ...texts, 'She moved to Kyiv.', 'She moved to Lima.']
      expect(history.map(({ episode }) => episode.text)).toEqual(all)
      expect(history.map(({ version }) => version)).toEqual(all.map((_, i) => i + 1))
    }
  })

  test('shows the trace of a recall again once it is restored', async () => {
    const db = await openMemory()
    await db.observe('The dentist moved to Hill Road.')
    const { id } = await db.recall('what does Sarah want?', { traceAttention: true })
    const trace = await db.attentionTrace(id)
    const { auditId } = await db.unlearn({ concept: 'Sarah' }, 'r')
    expect(await db.attentionTrace(id)).toBeUndefined()
    await db.restoreWithinWindow(auditId!)
    expect(await db.attentionTrace(id)).toEqual(trace)
  })

  test.each(['none', 'rules'] as const)('leaves no byte of it once it is erased, with extract: %s', (extract) =>
    withFolder(async (path) => {
      const name = 'Quixolda'
      const open = () => Agidb.open({ path, extract, codebook: 'none', clock: () => NOW })
      const found = () =>
        readdirSync(path).filter((file) => file.endsWith('.agidb') && holds(readFileSync(join(path, file)), name))
      let db = await open()
      await db.observe('The dentist moved to Hill Road.', { id: 'dentist' })
      await db.observe(`My sister ${name} lives in Lisbon.`)
      const party = await db.setGoal({ description: `plan a party for ${name}`, successCriteria: [`${name} smiles`] })
      await db.pauseGoal(await db.setGoal({ description: 'bake a cake', parent: party }), `${name} is away`)
      const steps = [`ask ${name}`]
      await db.learnProcedure({ name: 'ask', trigger: `${name} is late`, steps, preconditions: [`${name} is in`] })
      await db.assertBelief({ claim: `${name} is kind`, confidence: 0.9 })
      await db.recall(`where does ${name} live?`, { traceAttention: true, whole: true })
      await db.consolidate({ minSupport: 2 })
      await db.flush()
      expect(found()).not.toEqual([])
      const { tombstoneExpiry } = await db.unlearn({ concept: name }, 'asked for')
      await db.close()
      db = await open()
      await db.expire(tombstoneExpiry)
      expect(found()).toEqual([])
      expect(await db.goals()).toEqual([])
      await db.close()
      expect(found()).toEqual([])
    }))
})
