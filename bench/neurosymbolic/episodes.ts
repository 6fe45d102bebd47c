import type { Agidb as Memory } from '../../src/api/agidb.js'
import { Agidb } from '../../src/runtimes/node/index.js'
import { drawn, seeded } from '../random.js'
import type { Table } from '../tabular.js'
import { bundle, keyOf, known } from './bundles.js'

/** Statements of an episode. */
const SIZES = [0, 1, 3, 5, 10, 20, 40, 64]
const GOALS = 100
const BELIEFS = 100
const PER_EPISODE = 2
const DAYS = 730
const DAY = 86_400_000
const FIRST = Date.UTC(2025, 0, 1)

/** The share of goals, beliefs and days that are read back from signatures of episodes, by their statements. */
export async function episodes(count: number): Promise<Table> {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none', seed: 1 })
  const { goals, beliefs } = await filled(db)
  const random = seeded(3)
  const rows = []
  for (const size of SIZES) {
    const right = { statements: 0, goals: 0, beliefs: 0, days: 0, wrong: 0 }
    for (let i = 0; i < count; i++) {
      const held = [drawn(beliefs.slice(0, BELIEFS / 2), random), drawn(beliefs.slice(BELIEFS / 2), random)]
      const goal = drawn(goals, random)
      const at = FIRST + Math.floor(DAYS * random()) * DAY
      const triples = bundle(size, random)
      const id = await db.observe(`Talk ${size} of ${i}.`, { triples, goal, beliefs: held, at })
      const found = await db.signatureToEpisode(await db.episodeToSignature(id))
      const believed = found.beliefs.filter((belief) => held.includes(belief)).length
      const day = new Date(at).toISOString().slice(0, 10)
      const said = new Set(found.triples.map(({ triple }) => keyOf(triple)))
      right.statements += triples.filter((triple) => said.has(keyOf(triple))).length
      right.goals += Number(found.goal === goal)
      right.beliefs += believed
      right.days += Number(found.day === day)
      const others = [found.goal !== undefined && found.goal !== goal, found.day !== undefined && found.day !== day]
      right.wrong += found.beliefs.length - believed + others.filter(Boolean).length
    }
    const share = (value: number, each = 1) => Number((value / (count * each)).toFixed(4))
    const cells = {
      'statements with it': size,
      ...(size > 0 && { statements: share(right.statements, size) }),
      goal: share(right.goals),
      beliefs: share(right.beliefs, PER_EPISODE),
      day: share(right.days),
      'others read': share(right.wrong),
    }
    rows.push({ name: `episode with ${size}`, cells })
  }
  await db.close()
  const columns = ['statements', 'goal', 'beliefs', 'day', 'others read']
  const title = `${count} episodes each, ${GOALS} goals, ${BELIEFS} beliefs and ${DAYS} days to choose from`
  return { columns, title, rows }
}

/** A memory that knows the concepts, and has an episode of every goal, belief and day. */
async function filled(db: Memory): Promise<{ readonly goals: string[]; readonly beliefs: string[] }> {
  await db.observeMany(known())
  const goals: string[] = []
  const beliefs: string[] = []
  for (let i = 0; i < GOALS; i++) goals.push(await db.setGoal({ description: `Finish part ${i}` }))
  for (let i = 0; i < BELIEFS; i++) beliefs.push(await db.assertBelief({ claim: `Part ${i} is needed.` }))
  const days = Array.from({ length: DAYS }, (_, i) => ({
    text: `Day ${i}.`,
    at: FIRST + i * DAY,
    goal: goals[i % GOALS],
    beliefs: [beliefs[i % BELIEFS]],
  }))
  await db.observeMany(days)
  return { goals, beliefs }
}
