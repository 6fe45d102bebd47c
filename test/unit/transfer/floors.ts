import type { Agidb } from '../../../src/api/agidb.js'

/** Gives a memory something on each floor. */
export async function everyFloor(db: Agidb): Promise<void> {
  const said = [
    'Sarah recommended Bawri, a thai place in Bandra.',
    'Tom wants to book a table for six.',
    'The train to Pune leaves at seven.',
  ]
  for (const session of ['s1', 's2']) {
    await db.observeMany(
      said.map((text, i) => ({
        text,
        speaker: i === 0 ? 'Sarah' : 'Tom',
        session,
        source: 'chat',
        at: `2026-05-0${i + 1}T19:00:00Z`,
      })),
    )
  }
  const triples = [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }]
  const first = await db.observe('Sarah recommends Bawri.', { triples })
  const second = await db.observe('Sarah still recommends Bawri.', { triples })
  await db.supersede(first, second)
  await db.consolidate()
  const goal = await db.setGoal({ description: 'have dinner with Sarah' })
  await db.setGoal({ description: 'book a table', parent: goal })
  await db.reviseGoal(goal, { description: 'have dinner with Sarah and Tom' })
  const belief = await db.assertBelief({
    claim: 'Bawri is a thai place',
    subject: 'Bawri',
    predicate: 'is',
    object: 'a thai place',
    confidence: 0.7,
    evidence: [first],
  })
  await db.reviseBelief(belief, second)
  const procedure = await db.learnProcedure({
    name: 'book a table',
    trigger: 'somebody wants a table',
    steps: ['call', 'ask'],
  })
  await db.recordExecution(procedure, { success: true })
  await db.observeSensory({ modality: 'text', text: 'A bell rings.' })
  await db.observeSensory({
    modality: 'audio',
    latent: Float32Array.from({ length: 64 }, (_, i) => Math.sin(i)),
    encoder: 'test',
  })
  await db.observeSensory({ modality: 'multimodal', text: 'A bell rings twice.', session: 'here' })
  await db.recall('thai place', { traceAttention: true })
  await db.observe('Nothing more was said.', { goal, beliefs: [belief] })
}
