import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../../src/api/episode.js'
import type { LearningEvent } from '../../../../src/api/learning.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { DIMENSION } from '../../../../src/kernel/port.js'
import type { MemoryContext } from '../../../../src/memory/context.js'
import { Atoms } from '../../../../src/memory/knowledge/atoms.js'
import type { ChangedEpisode } from '../../../../src/memory/projection.js'
import { SelfVector } from '../../../../src/memory/self/self-vector.js'
import type { NewEvent } from '../../../../src/records/event-log.js'
import { runs } from '../../../runs.js'
import { NOW, openMemory } from '../../engine/open.js'

const CALLER = { writer: 'test', from: 'test' }

interface Placed {
  readonly slot: number
  readonly episode: Episode
}

/** A memory whose clock is set by hand, and a second floor of atoms of it that can be asked what is to be rederived. */
class Rederiving {
  time = NOW
  db!: Engine
  #context!: MemoryContext
  #atoms!: Atoms
  readonly #forgotten: Placed[] = []
  readonly #revived: Placed[] = []

  async open(): Promise<this> {
    const service = (context: MemoryContext) => {
      this.#context = context
      const selfVector = new SelfVector(context.indexes.kernel.threshold(new Int32Array(DIMENSION)))
      this.#atoms = new Atoms(context, selfVector)
      return { projections: [...selfVector.projections, ...this.#atoms.projections] }
    }
    this.db = await openMemory({ clock: () => this.time, extensions: [{ service }] })
    return this
  }

  /** Takes episodes out of the indexes, and has the events be those of a memory that never had them. */
  async forget(ids: readonly string[]): Promise<void> {
    const { indexes, find, fetch } = this.#context
    const { catalog } = indexes
    const changed: ChangedEpisode[] = []
    for (const id of ids) {
      const slot = catalog.slot(id)!
      const episode = (await find(id))!
      const revived = catalog.supersededBy(id)
      const episodes = await fetch(revived)
      indexes.remove(slot, episode)
      this.#forgotten.push({ slot, episode })
      changed.push({ id, slot, live: false })
      for (const [i, slot] of revived.entries()) {
        const { superseded: _, ...rest } = episodes[i]!
        indexes.update(slot, rest)
        this.#revived.push({ slot, episode: episodes[i]! })
        changed.push({ id: rest.id, slot, live: true })
      }
    }
    await this.rederive(changed.filter(({ slot, live }) => live === catalog.has(slot)))
  }

  /** Has the indexes and the events be as if nothing had been forgotten. */
  async restore(): Promise<void> {
    const { indexes } = this.#context
    const changed: ChangedEpisode[] = []
    for (const { slot, episode } of this.#forgotten) {
      indexes.add(slot, episode, indexes.encode(episode).signatures)
      changed.push({ id: episode.id, slot, live: true })
    }
    for (const { slot, episode } of this.#revived) {
      if (!indexes.catalog.has(slot)) continue
      indexes.update(slot, episode)
      changed.push({ id: episode.id, slot, live: true })
    }
    this.#forgotten.length = this.#revived.length = 0
    await this.rederive(changed)
  }

  async rederive(changed: readonly ChangedEpisode[]): Promise<{ readonly gone: number; readonly made: number }> {
    const { gone, made } = await this.#atoms.rederive(changed)
    await this.#context.retract(
      gone.map(({ id }) => id),
      CALLER,
    )
    const signatures = new Map<NewEvent, Uint8Array>()
    for (const { event, signature } of made) if (signature !== undefined) signatures.set(event, signature)
    const events = made.map(({ event }) => event)
    await this.#context.learn(CALLER, () => ({ events, signatures, result: () => undefined }))
    return { gone: gone.length, made: made.length }
  }
}

const PEOPLE = ['Ann', 'Tom']
const PLACES = ['Rome', 'Oslo']
const VERBS = ['lives in', 'does not live in', 'likes', 'guards']
const TEXTS = [
  'The oxygen tank of the service module is empty again today.',
  'The oxygen tank of the service module is empty again.',
  'Again the oxygen tank of the service module is empty today.',
  'Water leaks from the blue bottle under the kitchen table.',
  'Water leaks from the blue bottle under the kitchen table now.',
]

type Step =
  | { readonly do: 'state'; readonly a: number; readonly b: number; readonly c: number }
  | { readonly do: 'say'; readonly a: number }
  | { readonly do: 'supersede'; readonly a: number; readonly b: number }
  | { readonly do: 'consolidate'; readonly a: number; readonly b: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('state' as const), a: fc.nat(1), b: fc.nat(3), c: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), a: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('supersede' as const), a: fc.nat(40), b: fc.nat(40) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('consolidate' as const), a: fc.nat(2), b: fc.nat(3) }) },
)

/** Takes the steps; none that is about an episode which never came. */
async function take(memory: Rederiving, steps: readonly Step[], start: number, gone: ReadonlySet<string>) {
  const { db } = memory
  for (const [i, step] of steps.entries()) {
    memory.time = NOW + 1_000 * (start + i)
    const id = `e${start + i}`
    if (step.do === 'consolidate') {
      const options = {
        ...(step.a > 0 && { minSupport: 2 }),
        ...(step.b === 0 && { functionalPredicates: ['guards'] }),
      }
      await db.consolidate(options)
    } else if (step.do === 'supersede') {
      const [old, by] = [`e${step.a % (start + i + 1)}`, `e${step.b % (start + i + 1)}`]
      if (gone.has(old) || gone.has(by)) continue
      await db.supersede(old, by, NOW + 1_000 * step.b).catch(() => {})
    } else if (gone.has(id)) continue
    else if (step.do === 'say') await db.observe(TEXTS[step.a], { id })
    else {
      const triple = { subject: PEOPLE[step.a], predicate: VERBS[step.b], object: PLACES[step.c] }
      await db.observe('so it is', { id, triples: [triple] })
    }
  }
}

/** What is told of an event where ids and places are not compared. */
function shown({ id: _, ...event }: LearningEvent): unknown {
  if (!('upTo' in event)) return event
  const { upTo: __, ...rest } = event
  return rest
}

/** What is asked of the atoms and the self-vector. */
async function answers({ db, time }: Rederiving) {
  const times = [NOW + 5_000, NOW + 12_000, NOW + 25_000]
  const kinds = ['semanticAtomFormed', 'semanticAtomRevised', 'contradictionDetected', 'consolidationRun'] as const
  const events = await db.whatDidILearn(0, { kinds: [...kinds, 'selfVectorUpdated'] })
  return {
    atoms: await db.semanticAtoms(),
    atEnd: await db.semanticAtoms({ validAsOf: time }),
    then: await Promise.all(times.map((time) => db.semanticAtoms({ transactionAsOf: time }))),
    cued: await Promise.all(['Ann lives in Rome', TEXTS[0]].map((cue) => db.semanticAtoms({ cue }))),
    vector: await db.selfVector(),
    vectorThen: await Promise.all(times.map((time) => db.selfVectorAt(time))),
    drift: await db.introspect({ question: 'how much did I drift' }).then(({ summary }) => summary),
    like: await db.introspect({ question: 'what am I most like' }).then(({ summary }) => summary),
    size: (await db.stats()).atoms,
    events: events
      .filter((event) => !('isIdle' in event))
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
      .map(shown),
  }
}

test('a memory that forgot episodes knows what one does that never had them, and again all when they are back', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 40, size: 'max' }),
      fc.uniqueArray(fc.nat(39), { minLength: 1, maxLength: 8 }),
      fc.array(step, { maxLength: 8 }),
      async (steps, chosen, more) => {
        const memory = await new Rederiving().open()
        await take(memory, steps, 0, new Set())
        const all = (await memory.db.whatDidILearn(0, { kinds: ['episodeStored'] })) as LearningEvent<'episodeStored'>[]
        const gone = all.map(({ episode }) => episode).filter((id) => chosen.includes(Number(id.slice(1))))
        const half = Math.ceil(gone.length / 2)
        const whole = await answers(memory)
        await memory.forget(gone.slice(0, half))
        await memory.forget(gone.slice(half))
        const twin = await new Rederiving().open()
        await take(twin, steps, 0, new Set(gone))
        twin.time = memory.time
        const without = await answers(twin)
        expect(await answers(memory)).toEqual(without)
        await memory.restore()
        expect(await answers(memory)).toEqual(whole)
        await memory.forget(gone)
        expect(await answers(memory)).toEqual(without)
        for (const one of [memory, twin]) {
          await take(one, more, 200, new Set(gone))
          await one.db.consolidate()
        }
        expect(await answers(memory)).toEqual(await answers(twin))
        await Promise.all([memory.db.close(), twin.db.close()])
      },
    ),
    { numRuns: runs(30) },
  )
})
