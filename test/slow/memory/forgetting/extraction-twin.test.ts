import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../../src/api/episode.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { runs } from '../../../runs.js'
import { kernel } from '../../../unit/encoding/kernel.js'
import { NOW } from '../../../unit/engine/open.js'
import { timeless } from '../../../unit/memory/answers.js'

const RUNS = runs(12)

/** What people say: names, pronouns whose meaning stands in the turns before, plans, denials, and small talk. */
const TEXTS = [
  'My sister Karla lives in Lisbon.',
  'She works at a bakery near the harbour.',
  'Bob is a nurse, and he likes long walks.',
  'He moved from Pune to Oslo last year.',
  'I do not eat meat any more.',
  'You should come over, I bought a new tent.',
  'Wow, that is great!',
  'Tom said that Karla married Bob in May.',
  'They adopted a dog called Rex.',
  'It loves the snow.',
  'I will visit Lisbon next week.',
  'Do you still live in Oslo?',
  'Bob no longer works at the hospital.',
]
const SPEAKERS = ['Ann', 'Tom', undefined] as const
const CUES = ['where does Karla live?', 'what does Bob like?', 'who has a dog?', 'what did Ann buy?']

interface Turn {
  readonly id: string
  readonly text: string
  readonly speaker?: string
  readonly session: string
  readonly at: number
}

const turns = fc
  .array(fc.record({ text: fc.nat(TEXTS.length - 1), speaker: fc.nat(2), session: fc.nat(1) }), {
    minLength: 2,
    maxLength: 14,
    size: 'max',
  })
  .map((all) =>
    all.map(({ text, speaker, session }, i): Turn => {
      const name = SPEAKERS[speaker]
      return {
        id: `e${i}`,
        text: TEXTS[text],
        ...(name !== undefined && { speaker: name }),
        session: `s${session}`,
        at: NOW - 86_400_000 + 60_000 * i,
      }
    }),
  )

async function filled(observed: readonly Turn[]): Promise<Engine> {
  const db = await openEngine({
    kernel,
    storage: memoryStorage(),
    clock: () => NOW,
    seed: 1,
    extract: 'rules',
    autoBelieve: 0.8,
    parts: { rules: () => import('../../../../src/extraction/rules/extractor.js') },
  })
  await db.observeMany(observed)
  return db
}

/** What a memory answers once every text is read. */
async function answers(db: Engine) {
  await db.recall('anything', { whole: true })
  const episodes: Episode[] = []
  for await (const page of db.episodes()) episodes.push(...page)
  const recalled = []
  for (const cue of CUES) recalled.push(timeless(await db.recall(cue, { traceAttention: true })))
  for (const subject of ['Karla', 'Bob', 'Ann']) {
    recalled.push(timeless(await db.recall(undefined, { structured: { subject } })))
  }
  const atoms = await db.semanticAtoms()
  return {
    episodes,
    // What floors answer beside the matches has ids that were drawn.
    recalled: recalled.map(({ matches, tierUsed, attentionTrace }) => ({
      matches,
      tierUsed,
      candidates: attentionTrace?.candidates,
    })),
    atoms: atoms.map(({ statement, support, confidence, provenance }) => ({
      statement,
      support,
      confidence,
      provenance,
    })),
    self: await db.selfVector(),
    believed: await Promise.all(['Karla', 'Bob', 'Ann', 'Lisbon'].map((about) => db.whatDoIBelieve(about))),
    concepts: (await db.stats()).concepts,
  }
}

test(
  'A memory that reads texts and unlearned some of them answers as a twin that never saw them.',
  async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.infiniteStream(fc.boolean()), fc.boolean(), async (all, stream, consolidates) => {
        const gone = new Set(all.filter(() => stream.next().value as boolean).map(({ id }) => id))
        const full = await filled(all)
        const twin = await filled(all.filter(({ id }) => !gone.has(id)))
        if (consolidates) {
          await full.consolidate({ minSupport: 2 })
          await twin.consolidate({ minSupport: 2 })
        } else await full.recall('anything', { whole: true })
        if (gone.size > 0) await full.unlearn({ episode: [...gone] }, 'asked for')
        expect(await answers(full)).toEqual(await answers(twin))
        await full.close()
        await twin.close()
      }),
      { numRuns: RUNS, ...(process.env['AGIDB_RUNS'] === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)

test(
  'What is restored is read as before, and what was updated as if it had always said so.',
  async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.nat(), fc.nat(TEXTS.length - 1), async (all, which, text) => {
        const { id } = all[which % all.length]
        const full = await filled(all)
        const was = await answers(full)
        const { auditId } = await full.unlearn({ episode: id }, 'asked for')
        await full.restoreWithinWindow(auditId!)
        expect(await answers(full)).toEqual(was)
        await full.update(id, { text: TEXTS[text] }, { keep: false })
        const twin = await filled(all.map((turn) => (turn.id === id ? { ...turn, text: TEXTS[text] } : turn)))
        const [updated, other] = [await answers(full), await answers(twin)]
        const bare = ({ episodes, recalled }: typeof other) => ({
          episodes: episodes.map(({ updatedAt: _, ...episode }) => episode),
          recalled: recalled.map(({ matches }) => matches),
        })
        expect(bare(updated)).toEqual(bare(other))
        await full.close()
        await twin.close()
      }),
      { numRuns: RUNS, ...(process.env['AGIDB_RUNS'] === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)
