import { Agidb, type NodeOptions } from '../../src/node.js'
import type { Contender, Exam, Filled, Hit } from './exam.js'

/** One way to open this library. */
interface Mode {
  readonly name: string
  readonly codebook: 'none' | 'static'
  /** Beside the storage, the clock and the seed, which are the same for all. */
  readonly open: NodeOptions
}

/** The modes that are measured, the first of them first in `--json`. */
const MODES: readonly Mode[] = [{ name: 'agidb', codebook: 'none', open: {} }]

/**
 * The modes with this codebook; all of them if none is named.
 *
 * @throws Error if no mode has it
 */
export function modes(codebook?: string): Contender[] {
  const chosen = MODES.filter((mode) => codebook === undefined || mode.codebook === codebook)
  const known = [...new Set(MODES.map((mode) => mode.codebook))]
  if (chosen.length === 0) throw new Error(`there is no codebook ${JSON.stringify(codebook)}; known: ${known.join(', ')}`)
  return chosen.map(({ name, open }) => ({ name, fill: (exam) => fill(exam, open) }))
}

async function fill(exam: Exam, open: NodeOptions): Promise<Filled> {
  const db = await Agidb.open({ storage: 'memory', clock: () => Date.UTC(2026, 0, 1), seed: 1, ...open })
  const ids = await db.observeMany(exam.observations)
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  return {
    async rank(cue, k) {
      const { matches } = await db.recall(cue, { k })
      return matches.map(({ id, confidence, lowConfidence }): Hit => ({ index: indexOf.get(id) ?? -1, score: confidence, confidence, lowConfidence }))
    },
    close: () => db.close(),
  }
}
