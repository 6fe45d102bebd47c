import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { SemanticAtom } from '../../src/api/atom.js'
import type { Observation } from '../../src/api/episode.js'
import { Agidb } from '../../src/runtimes/node/index.js'
import { quantile } from '../section.js'
import { statements } from './extract.js'
import type { Figure, Section } from './figures.js'

/** Before each recall, in milliseconds. */
const PAUSE = 100
/** Recalls before any is timed: the first of each cue works out what others find done. */
const WARM = 50
/** Recalls with nothing else going on. */
const IDLE = 150
const CUES = [
  'Houston, we have a problem',
  'What is the oxygen pressure?',
  'How is the fuel cell?',
  'lithium hydroxide canister',
  'Where is the water?',
  'Who asks for a radio check?',
  'MAIN B',
  'When do we power up the LM?',
  'What does Jim say of the burn?',
  'the weather at the landing site',
]

/**
 * Making knowledge of a transcript, with recalls meanwhile. The figures of memory are of this process, which does
 * nothing else.
 */
export async function consolidation(transcript: string): Promise<Section[]> {
  const db = await Agidb.open({ extract: 'none', storage: 'memory', seed: 1 })
  await db.observeMany(await observations(transcript))
  await recalls(db, (count) => count < WARM)
  const idle = await recalls(db, (count) => count < IDLE)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20)
  let over = false
  const cpu = process.cpuUsage()
  const run = db.consolidate().finally(() => (over = true))
  const during = await recalls(db, () => !over)
  const report = await run
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(watch)
  const atoms = await db.semanticAtoms({ limit: 10_000 })
  await db.close()
  const alone = await withoutRecalls(transcript)
  return [
    {
      title:
        `consolidate: ${report.episodes} utterances of Apollo 13 with the triples of a small extractor, in main ` +
        'memory; ten recalls a second before and meanwhile',
      figures: [
        { name: 'seconds, without recalls', value: alone / 1000, under: 30 },
        { name: 'seconds, with recalls', value: report.elapsedMs / 1000, under: 30 },
        { name: 'seconds of processor time, recalls included', value: (user + system) / 1e6 },
        ...recallFigures(idle, during),
        { name: 'memory of the process before, MB', value: before / 1e6 },
        { name: 'memory of the process at most, MB', value: peak / 1e6 },
        { name: 'memory that it took, recalls included, MB', value: (peak - before) / 1e6, under: 300 },
        { name: 'atoms', value: atoms.length },
        { name: 'atoms with a triple', value: atoms.filter(({ triple }) => triple !== undefined).length },
        { name: 'episodes that say one', value: new Set(atoms.flatMap(({ provenance }) => provenance.episodes)).size },
      ],
    },
    await inChromium(),
    samples(atoms),
  ]
}

async function inChromium(): Promise<Section> {
  // Loaded here, so that the figures of memory above are without it.
  const { chromiumConsolidation } = await import('../chromium.js')
  const { alone, elapsedMs, atoms, idle, meanwhile } = await chromiumConsolidation(CUES, PAUSE)
  return {
    title: 'The same in Chromium, in the worker and on its disk',
    figures: [
      { name: 'seconds, without recalls', value: alone / 1000, under: 30 },
      { name: 'seconds, with recalls', value: elapsedMs / 1000, under: 30 },
      ...recallFigures(idle, meanwhile),
      { name: 'atoms', value: atoms },
    ],
  }
}

function recallFigures(idle: readonly number[], meanwhile: readonly number[]): Figure[] {
  const [before, during] = [idle, meanwhile].map((times) => quantile(times, 0.95))
  return [
    { name: 'recall p50 idle, ms', value: quantile(idle, 0.5) },
    { name: 'recall p50 meanwhile, ms', value: quantile(meanwhile, 0.5) },
    { name: 'recall p95 idle, ms', value: before },
    { name: `recall p95 meanwhile, ms (${meanwhile.length} recalls)`, value: during },
    { name: 'recall p95 meanwhile / idle', value: during / before, under: 2 },
  ]
}

/** Ten atoms to read, from the best to the least supported, of those with and those without a triple. */
function samples(atoms: readonly SemanticAtom[]): Section {
  const spread = (those: readonly SemanticAtom[], count: number) =>
    Array.from({ length: Math.min(count, those.length) }, (_, i) => those[Math.floor((i * those.length) / count)])
  const shown = [
    ...spread(
      atoms.filter(({ triple }) => triple !== undefined),
      8,
    ),
    ...spread(
      atoms.filter(({ triple }) => triple === undefined),
      2,
    ),
  ]
  return {
    title: 'Ten of the atoms, with the support and the confidence of each',
    figures: shown.map(({ statement, support, confidence }) => ({
      name: `${statement} (${support})`,
      value: confidence,
    })),
  }
}

async function withoutRecalls(transcript: string): Promise<number> {
  const db = await Agidb.open({ extract: 'none', storage: 'memory', seed: 1 })
  await db.observeMany(await observations(transcript))
  const { elapsedMs } = await db.consolidate()
  await db.close()
  return elapsedMs
}

async function observations(transcript: string): Promise<Observation[]> {
  return (await readFile(transcript, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Observation => {
      const { text, speaker, at } = JSON.parse(line) as Observation
      return { text, speaker, at, session: 'transcript', triples: statements({ speaker, text }) }
    })
}

/** The time of recalls, one after the other with a pause in between, from the moment at which one is due. */
async function recalls(db: Agidb, goesOn: (count: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (goesOn(times.length)) {
    const due = performance.now() + PAUSE
    await pause(PAUSE)
    await db.recall(CUES[times.length % CUES.length])
    times.push(performance.now() - due)
  }
  return times
}
