import type { Observation } from '../library.js'
import { hashOf } from './canonical.js'
import { bytesOf } from './memory.js'
import { made, type World } from './world.js'

/** One thing that an agent may do, and how often it does it beside the others. */
interface Step {
  readonly name: string
  readonly weight: number
  /** Does it and answers what the memory answered; rejects with the error of the memory. */
  take(world: World): Promise<unknown>
}

const step = (name: string, weight: number, take: (world: World) => Promise<unknown>): Step => ({ name, weight, take })

const EPISODES: readonly Step[] = [
  step('observe', 10, (world) => {
    const { text, ...context } = observation(world)
    return made(world.episodes, world.db.observe(text, context))
  }),
  step('observeMany', 3, async (world) => {
    const ids = await world.db.observeMany(Array.from({ length: 1 + world.draw.below(5) }, () => observation(world)))
    world.episodes.push(...ids)
    return ids
  }),
  step('observe with an id', 1, (world) => {
    const id = world.draw.chance(0.3) ? world.draw.id(world.episodes) : `own-${world.episodes.length}`
    return made(world.episodes, world.db.observe(world.draw.sentence(), { id }))
  }),
  step('supersede', 3, (world) => {
    const { db, draw, episodes } = world
    return db.supersede(draw.id(episodes), draw.id(episodes), draw.maybe(world.past()))
  }),
]

const FRAMES: readonly Step[] = [
  step('perceive a text', 4, async (world) => {
    const { draw, db } = world
    const frame = { text: draw.sentence(), session: draw.maybe(draw.subject()), speaker: draw.maybe(draw.subject()) }
    return kept(world, await db.observeSensory({ modality: 'text', ...frame }))
  }),
  step('perceive a latent', 2, async (world) => {
    const { draw, db } = world
    const modality = draw.of(['image', 'audio', 'video'] as const)
    const latent = draw.chance(0.5) ? draw.latent(16) : Float32Array.from({ length: 16 }, (_, i) => i % 3)
    const text = draw.maybe(draw.sentence())
    return kept(world, await db.observeSensory({ modality, latent, encoder: 'random', text }))
  }),
  step('observe a frame', 2, (world) => {
    const frame = world.draw.id(world.frames)
    return made(world.episodes, world.db.observe(world.draw.sentence(), { frame }))
  }),
  step('surprise', 1, ({ db, draw }) => db.surpriseScore({ modality: 'text', text: draw.sentence() })),
]

const GOALS: readonly Step[] = [
  step('set a goal', 4, (world) => {
    const { draw, db, goals } = world
    const goal = {
      description: `find out whether ${draw.sentence()}`,
      parent: goals.length > 0 ? draw.maybe(draw.id(goals)) : undefined,
      completion: draw.of(['all', 'any', undefined] as const),
      deadline: draw.maybe(world.now + 1000 * draw.below(600)),
      successCriteria: draw.maybe([draw.sentence()]),
      session: draw.maybe(draw.subject()),
    }
    return made(goals, db.setGoal(goal))
  }),
  step('revise a goal', 2, ({ db, draw, goals }) =>
    db.reviseGoal(
      draw.id(goals),
      draw.of([
        { description: draw.sentence() },
        { parent: draw.of([null, draw.id(goals)]) },
        { deadline: null },
        { completion: draw.of(['all', 'any'] as const) },
      ]),
    ),
  ),
  step('pause a goal', 2, ({ db, draw, goals }) => db.pauseGoal(draw.id(goals), draw.maybe('later'))),
  step('resume a goal', 2, ({ db, draw, goals }) => db.resumeGoal(draw.id(goals))),
  step('complete a goal', 2, ({ db, draw, goals, episodes }) =>
    db.completeGoal(draw.id(goals), draw.ids(episodes, 3), { children: draw.of(CHILDREN) }),
  ),
  step('abandon a goal', 1, ({ db, draw, goals }) =>
    db.abandonGoal(draw.id(goals), 'no more', { children: draw.of(CHILDREN) }),
  ),
]

const CHILDREN = ['keep', 'abandon', 'complete', undefined] as const

const BELIEFS: readonly Step[] = [
  step('assert a belief', 4, (world) => {
    const { draw, db, beliefs } = world
    const statement = draw.statement()
    const validFrom = world.past()
    const belief = {
      claim: draw.sentence(statement),
      ...draw.maybe(statement, 0.2),
      confidence: draw.maybe(draw.below(101) / 100),
      evidence: draw.ids(world.episodes, 2),
      validFrom,
      validTo: draw.maybe(validFrom + 1000 * (1 + draw.below(2000))),
      source: draw.maybe(draw.of(['chat', 'mail'])),
    }
    return made(beliefs, db.assertBelief(belief))
  }),
  step('revise a belief', 4, ({ db, draw, beliefs, episodes }) => db.reviseBelief(draw.id(beliefs), draw.id(episodes))),
  step('revise beliefs', 2, ({ db, draw, episodes }) => db.reviseBeliefs(draw.id(episodes))),
  step('withdraw a belief', 1, ({ db, draw, beliefs }) => db.withdrawBelief(draw.id(beliefs), 'wrong')),
  step('believed', 1, (world) => {
    const asked = { k: 1 + world.draw.below(20), validAsOf: world.past(), transactionAsOf: world.past() }
    return world.db.whatDoIBelieve(world.draw.concept(), asked)
  }),
]

const PROCEDURES: readonly Step[] = [
  step('learn a procedure', 2, ({ db, draw, procedures, episodes }) =>
    made(
      procedures,
      db.learnProcedure({
        name: `procedure ${draw.below(6)}`,
        trigger: `when ${draw.sentence()}`,
        steps: [draw.sentence(), 'open it'],
        preconditions: draw.maybe(['it rains']),
        evidence: draw.ids(episodes, 2),
      }),
    ),
  ),
  step('revise a procedure', 1, ({ db, draw, procedures, episodes }) =>
    db.reviseProcedure(draw.id(procedures), {
      name: draw.maybe(`procedure ${draw.below(6)}`, 0.7),
      steps: draw.maybe([draw.sentence()]),
      evidence: draw.ids(episodes, 1),
      reason: draw.maybe('it rained'),
    }),
  ),
  step('retire a procedure', 1, ({ db, draw, procedures }) => db.retireProcedure(draw.id(procedures), 'too slow')),
  step('execute', 2, ({ db, draw, procedures }) =>
    db.recordExecution(draw.id(procedures), { success: draw.chance(0.5), note: draw.maybe(draw.sentence()) }),
  ),
  step('procedures for', 1, ({ db, draw }) => db.proceduresFor(draw.sentence(), { k: 3 })),
]

const KNOWLEDGE: readonly Step[] = [
  step('consolidate', 3, ({ db, draw }) =>
    db.consolidate({ minSupport: draw.maybe(2), functionalPredicates: draw.maybe(['likes'], 0.8) }),
  ),
  step('atoms', 1, ({ db, draw }) =>
    db.semanticAtoms({
      cue: draw.maybe(draw.sentence()),
      concept: draw.maybe(draw.concept()),
      limit: 1 + draw.below(20),
    }),
  ),
  step('learned', 1, (world) => world.db.whatDidILearn(world.past(), { limit: 1 + world.draw.below(30) })),
  step('learned about', 1, ({ db, draw, goals, beliefs, episodes }) =>
    db.whatDidILearn(0, { subject: draw.id([...goals, ...beliefs, ...episodes]) }),
  ),
  step('introspect', 2, (world) =>
    world.db.introspect({
      question: world.draw.of([
        'what did I learn',
        'what changed my mind',
        'which goals moved',
        'how much did I drift',
      ]),
      since: world.draw.maybe(world.past()),
    }),
  ),
  step('self', 1, ({ db, draw, beliefs, episodes }) =>
    db.selfSimilarity(draw.chance(0.5) ? draw.sentence() : draw.id([...episodes, ...beliefs])),
  ),
]

const RECALLS: readonly Step[] = [
  step('recall', 5, async (world) => {
    const { draw, db, recalls } = world
    const options = draw.of([
      {},
      { traceAttention: true },
      { k: 1 + draw.below(100), fold: false },
      { session: draw.subject() },
      { speaker: draw.subject(), asker: draw.subject() },
      { context: draw.below(4), budgetTokens: 1 + draw.below(400) },
      { validAsOf: world.past() },
      { transactionAsOf: world.past() },
      { at: { from: world.past() } },
      { goals: [draw.sentence()], goalBias: draw.below(11) / 10 },
      { recencyWindow: 1000 * (1 + draw.below(1000)) },
      { structured: { subject: draw.subject(), predicate: draw.maybe('lives in') } },
      { tierFloor: draw.of(['exact', 'similarity', 'gist'] as const) },
      { minConfidence: draw.below(100) / 100 },
    ])
    const recall = await db.recall(draw.of([`Who lives in ${draw.concept()}?`, draw.sentence()]), options)
    if ('traceAttention' in options) recalls.push(recall.id)
    return recall
  }),
  step('trace', 1, ({ db, draw, recalls }) => db.attentionTrace(draw.id(recalls))),
]

const STORAGE: readonly Step[] = [
  step('wait', 3, async ({ memory, draw }) => void (memory.now += draw.below(100_000))),
  step('reopen', 2, ({ memory }) => memory.reopen()),
  step('compact', 0.5, ({ db }) => db.compact()),
  step('verify', 0.5, async ({ db }) => {
    const { ok, problems, checked } = await db.verify()
    return { ok, checked, problems: problems.map(({ code, count }) => ({ code, count })) }
  }),
  step('export', 0.5, async ({ db }) => hashOf(await bytesOf(await db.export()))),
]

const STEPS = [...EPISODES, ...FRAMES, ...GOALS, ...BELIEFS, ...PROCEDURES, ...KNOWLEDGE, ...RECALLS, ...STORAGE]
const TOTAL = STEPS.reduce((sum, { weight }) => sum + weight, 0)

/** The steps with which a history begins, so that there is something for the others to change. */
export const FIRST: readonly Step[] = [
  step('remember', 1, async (world) => {
    const ids = await world.db.observeMany(Array.from({ length: 12 }, () => observation(world)))
    world.episodes.push(...ids)
    return ids
  }),
  ...['perceive a text', 'set a goal', 'assert a belief', 'learn a procedure'].map(named),
]

function named(wanted: string): Step {
  return STEPS.find(({ name }) => name === wanted)!
}

/** A step by chance, each as often as its weight says. */
export function drawnStep({ draw }: World): Step {
  let left = (draw.below(2 ** 30) / 2 ** 30) * TOTAL
  return STEPS.find(({ weight }) => (left -= weight) < 0) ?? STEPS[0]
}

function observation(world: World): Observation {
  const { draw } = world
  const statement = draw.statement()
  const at = world.past()
  return {
    text: draw.sentence(statement),
    at,
    validTo: draw.maybe(at + 1000 * (1 + draw.below(3000)), 0.9),
    session: draw.maybe(draw.subject(), 0.2),
    speaker: draw.maybe(draw.subject(), 0.2),
    source: draw.maybe(draw.of(['chat', 'mail'])),
    triples: draw.maybe([statement], 0.3),
  }
}

/** Keeps the ids of a frame and of the episode that it became. */
function kept(world: World, frame: { readonly id: string; readonly promotedTo?: string }): unknown {
  world.frames.push(frame.id)
  if (frame.promotedTo !== undefined) world.episodes.push(frame.promotedTo)
  return frame
}
